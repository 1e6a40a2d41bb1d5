import GodwitModel
import GodwitSQLite
import GodwitTestSupport

/// A random store: families of a parent, its children and their children, with duplicates in all of them.
///
/// Tables are of all kinds; keys and columns have all kinds of values; some parents are singletons; some references are
/// foreign keys, some refer to missing records, some to their own table.
struct RandomTables {
    static let tableCount = 22
    let entities: [Entity]
    let schema: String
    let encoding: String
    let rows: [(table: String, values: [[Value]])]

    private static let keys: [Value] = [
        .string("a"), .string("A"), .string("a "), .string("é"), .integer(1), .string("1"), .real(1.5), .blob([0x61]),
        .string("singleton"), .integer(.max), .string(""), .blob([]), .real(-0.0), .text(Array("x\0y".utf8)),
        .string("\u{FFFE}"), .text([0xED, 0xA0, 0x80, 0x41]), .text([0xED, 0xA0, 0x80, 0xD1, 0x81]),
        .string("\u{10041}"),
    ]
    private static let odd: [Value] = [
        .null, .integer(0), .integer(.min), .integer(9_007_199_254_740_993), .real(-0.0), .real(0.1), .real(.infinity),
        .real(1e300), .string(""), .string("plain"), .text(Array("nul\0here".utf8)), .blob([]), .blob([0xFF, 0]),
        .string("\u{1F3CB}\"\\"), .string("12"), .string("\u{FEFF}\u{FFFF}"), .text([0xED, 0xB0, 0x80]),
    ]
    private static let dates: [Value] = [
        .null, .string("2026-01-01T00:00:00Z"), .string("2026-01-02T00:00:00+05:00"), .string("soon"),
        .integer(1_700_000_000),
    ]

    init(seed: UInt64) {
        var dice = SeededGenerator(seed: seed &* 0x9E37_79B9 &+ 11)
        encoding = ["UTF-8", "UTF-8", "UTF-16le", "UTF-16be"].randomElement(using: &dice) ?? "UTF-8"
        var entities: [Entity] = []
        var statements: [String] = []
        var rows: [(table: String, values: [[Value]])] = []
        var parents: [(name: String, isSingleton: Bool, keys: [Value])] = []
        for number in 0..<Self.tableCount {
            let name = "T\(number)"
            let parent = dice.hits(3) ? nil : parents.randomElement(using: &dice)
            let isSingleton = dice.hits(4)
            let isSelfReferring = parent == nil && dice.hits(3)
            // A foreign key needs a parent whose keys can't repeat.
            let isForeignKey = parent?.isSingleton == true && dice.hits(2)
            let kind = Int.random(in: 0..<4, using: &dice)
            let isUnique = isSingleton && kind != 3
            var columns = ["\"key\"\(isUnique ? " UNIQUE" : "")"]
            if let parent {
                columns.append("ref" + (isForeignKey ? " REFERENCES \(parent.name)(\"key\") " + dice.action : ""))
            }
            if isSelfReferring { columns.append("ref") }
            columns += ["at", "extra" + (["", " TEXT", " NUMERIC", " BLOB"].randomElement(using: &dice) ?? "")]
            var options = ""
            switch kind {
            case 0: columns.insert("pk INTEGER PRIMARY KEY", at: Int.random(in: 0...columns.count, using: &dice))
            case 1:
                columns.append("seq INTEGER NOT NULL")
                columns.append("PRIMARY KEY(\"key\", seq)")
                options = " WITHOUT ROWID"
            case 2: columns.append("seq INTEGER NOT NULL PRIMARY KEY DESC")
            default: columns.append("seq INTEGER")
            }
            statements.append("CREATE TABLE \(name)(\(columns.joined(separator: ", ")))\(options);")
            let target = parent?.name ?? (isSelfReferring ? name : nil)
            let rules = ConflictRule.allCases
            entities.append(
                Entity(
                    name: name, key: "key", modified: dice.hits(5) ? nil : ModifiedColumn(column: "at"),
                    belongsTo: target.map { [Reference(column: "ref", parent: $0)] } ?? [],
                    conflict: rules.randomElement(using: &dice) ?? .keepNewest,
                    singleton: isSingleton ? "singleton" : nil))
            var keys: [Value] = []
            let choice = Array(Self.keys.shuffled(using: &dice).prefix(isSingleton ? 6 : 4))
            var values: [[Value]] = []
            let count = Int.random(in: 0...9, using: &dice)
            for row in 0..<(isUnique ? min(count, choice.count) : count) {
                let key = isUnique ? choice[row] : choice.randomElement(using: &dice) ?? .integer(1)
                keys.append(key)
                var record: [Value] = []
                for column in columns where !column.hasPrefix("PRIMARY") {
                    switch column.split(separator: " ")[0] {
                    case "\"key\"": record.append(key)
                    case "ref":
                        let known = parent?.keys ?? keys
                        record.append(
                            dice.hits(5)
                                ? .string("singleton")
                                : dice.hits(6) ? .null : known.randomElement(using: &dice) ?? .null)
                    case "at": record.append(Self.dates.randomElement(using: &dice) ?? .null)
                    case "extra": record.append(Self.odd.randomElement(using: &dice) ?? .null)
                    default: record.append(.integer(Int64(row * 3 + 1)))
                    }
                }
                values.append(record)
            }
            rows.append((name, values))
            parents.append((name, isUnique, keys))
        }
        self.entities = entities.shuffled(using: &dice)
        schema = statements.joined(separator: "\n")
        self.rows = rows
    }

    /// A store with these tables.
    func bench() throws -> DedupeBench {
        let bench = try DedupeBench(entities, schema, encoding: encoding)
        try bench.write { connection throws(GodwitError) in
            try connection.withForeignKeysUnchecked { () throws(GodwitError) in
                for (table, values) in rows {
                    for row in values {
                        let parameters = row.map { _ in "?" }.joined(separator: ", ")
                        try connection.execute("INSERT INTO \(table) VALUES (\(parameters))", row)
                    }
                }
            }
        }
        return bench
    }
}

extension SeededGenerator {
    /// True in one of `sides` cases.
    mutating func hits(_ sides: Int) -> Bool { Int.random(in: 0..<sides, using: &self) == 0 }

    /// The action of a foreign key when its parent is deleted or changed.
    fileprivate var action: String {
        mutating get {
            ["", "ON DELETE CASCADE ON UPDATE CASCADE", "ON DELETE SET NULL", "DEFERRABLE INITIALLY DEFERRED"]
                .randomElement(using: &self) ?? ""
        }
    }
}
