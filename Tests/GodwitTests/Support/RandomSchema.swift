import GodwitModel
import GodwitTestSupport

/// Schema files and a manifest of a small family: keys of several kinds, parents and children, a singleton, favourites,
/// triggers, indexes, columns and tables that come later.
struct RandomSchema {
    struct Column {
        enum Kind {
            case key(isInteger: Bool)
            case reference(isInteger: Bool)
            case date(InstantEncoding?)
            case text, number, blob
        }

        let name: String
        let kind: Kind
    }

    struct Table {
        let name: String
        let columns: [Column]
        /// The version that makes it.
        let version: Int
    }

    let migrations: [String]
    /// The lines of the manifest.
    let entities: String
    let legacy: String
    private let made: [Table]

    private static let rules: [ConflictRule] = [.keepNewest, .keepEarliest, .keepCloud, .keepLocal]

    init(_ dice: inout Dice) {
        let isInteger = dice.hits(oneIn: 3)
        let type = isInteger ? "INTEGER" : "TEXT"
        let isUnique = dice.hits(oneIn: 3)
        let encoding: InstantEncoding? = dice.pick([nil, .iso8601, .unixSeconds, .unixMilliseconds, .coreData])
        let key = Column(name: "id", kind: .key(isInteger: isInteger))
        let date = Column(name: "updatedAt", kind: .date(encoding))
        var tables = [
            Table(
                name: "Item",
                columns: [
                    key, Column(name: "title", kind: .text), Column(name: "rank", kind: .number),
                    Column(name: "payload", kind: .blob), date,
                ], version: 1)
        ]
        var first = """
            CREATE TABLE Item(id \(type)\(isUnique ? " PRIMARY KEY" : ""), title TEXT, rank NUMERIC, payload BLOB, updatedAt)
            \(isUnique && !isInteger && dice.hits(oneIn: 2) ? "WITHOUT ROWID" : "");
            """
        var lines = ["  Item: { key: id, modified: \(Self.modified(encoding)), \(Self.conflict(&dice)) }"]
        if dice.hits(oneIn: 2) {
            let reference = isUnique && dice.hits(oneIn: 2) ? " REFERENCES Item(id)" : ""
            first += "\nCREATE TABLE Part(id TEXT, itemId \(type)\(reference), size NUMERIC, updatedAt);"
            tables.append(
                Table(
                    name: "Part",
                    columns: [
                        Column(name: "id", kind: .key(isInteger: false)),
                        Column(name: "itemId", kind: .reference(isInteger: isInteger)),
                        Column(name: "size", kind: .number), date,
                    ], version: 1))
            lines.append(
                "  Part: { key: id, modified: \(Self.modified(encoding)), belongsTo: { itemId: Item }, \(Self.conflict(&dice)) }"
            )
        }
        if dice.hits(oneIn: 3) { first += "\nCREATE INDEX ItemByTitle ON Item(title);" }
        if dice.hits(oneIn: 4) {
            first += """

                CREATE TABLE Pending(title TEXT);
                CREATE TRIGGER ItemAdded AFTER INSERT ON Item BEGIN INSERT INTO Pending VALUES (new.title); END;
                """
        }
        var steps = [first]
        var rules = ""
        if dice.hits(oneIn: 2) {
            steps.append(Self.settings)
            tables.append(Self.settingsTable(version: steps.count))
            lines.append("  Settings: { key: id, modified: updatedAt, singleton: only, \(Self.conflict(&dice)) }")
            rules += """
                  settings:
                    - { key: unit, into: Settings.unit, values: { kg: kg, lb: lb, pounds: lb }, default: kg }
                    - { key: rest, into: Settings.rest\(dice.hits(oneIn: 2) ? ", default: 90" : "") }

                """
        }
        if dice.hits(oneIn: 2) {
            steps.append("CREATE TABLE Favorite(id TEXT, addedAt);")
            tables.append(
                Table(
                    name: "Favorite",
                    columns: [
                        Column(name: "id", kind: .key(isInteger: false)), Column(name: "addedAt", kind: .date(nil)),
                    ], version: steps.count))
            lines.append("  Favorite: { key: id, modified: addedAt, \(Self.conflict(&dice)) }")
            rules += """
                  favorites:
                    - { key: favorites, into: Favorite.id\(dice.hits(oneIn: 2) ? ", mode: merge" : "") }

                """
        }
        if dice.hits(oneIn: 3) {
            steps.append(
                dice.pick([
                    "ALTER TABLE Item ADD COLUMN note TEXT DEFAULT 'n';",
                    "UPDATE Item SET rank = 0 WHERE rank IS NULL;",
                    "ALTER TABLE Item ADD COLUMN size INTEGER AS (length(title)) VIRTUAL;",
                ]))
        }
        migrations = steps
        entities = lines.joined(separator: "\n")
        legacy = rules.isEmpty ? "" : rules + "  localOnly: [seen]"
        made = tables
    }

    /// The tables that a store has at a version.
    func tables(at version: Int) -> [Table] { made.filter { $0.version <= version } }

    private static let settings = "CREATE TABLE Settings(id TEXT, unit TEXT, rest INTEGER, updatedAt TEXT);"

    private static func settingsTable(version: Int) -> Table {
        Table(
            name: "Settings",
            columns: [
                Column(name: "id", kind: .key(isInteger: false)), Column(name: "unit", kind: .text),
                Column(name: "rest", kind: .number), Column(name: "updatedAt", kind: .date(nil)),
            ], version: version)
    }

    private static func modified(_ encoding: InstantEncoding?) -> String {
        encoding.map { "{ column: updatedAt, as: \($0.rawValue) }" } ?? "updatedAt"
    }

    private static func conflict(_ dice: inout Dice) -> String { "conflict: \(dice.pick(rules).rawValue)" }
}
