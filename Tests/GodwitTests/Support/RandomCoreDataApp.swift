import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport

/// A Core Data store of a random model with random rows, a manifest that takes all of it, and what SQLite itself says of it.
struct RandomCoreDataApp {
    let app: CoreDataApp
    /// By entity of the manifest: the query on the store that gives what the cloud store must then hold.
    private(set) var queries: [(entity: String, sql: String)] = []

    private struct Made {
        let name: String
        let number: Int
        /// Names and declared types.
        let attributes: [(name: String, type: String)]
        /// Names and targets, with whether there is a place and a number of the target's entity.
        var relations: [(name: String, target: Int, isOrdered: Bool, hasNumber: Bool)] = []
        var rows = 0

        var table: String { "Z" + name.uppercased() }
    }

    init(seed: UInt64) throws {
        var dice = Dice(seed: seed)
        let numbers = Array(1...40).shuffled(using: &dice)
        let names = ["Workout", "Tag", "x", "Person", "Übung", "Set2", "metaData"].shuffled(using: &dice)
        let types = ["INTEGER", "FLOAT", "VARCHAR", "TIMESTAMP", "DECIMAL", "BLOB", ""]
        var entities = (0..<1 + dice.roll(5)).map { index in
            Made(
                name: names[index], number: numbers[index],
                attributes: ["a", "title", "isOn", "updatedAt", "data9"].prefix(1 + dice.roll(5)).map {
                    ($0, dice.pick(types))
                })
        }
        for index in entities.indices {
            entities[index].rows = dice.hits(oneIn: 4) ? 0 : dice.roll(25)
            for number in 0..<dice.roll(3) {
                entities[index].relations.append(
                    ("rel\(number)", dice.roll(entities.count), dice.hits(oneIn: 2), dice.hits(oneIn: 2)))
            }
        }
        let hasSubentity = dice.hits(oneIn: 2)
        var (sql, schema, manifest) = (CoreDataSample.bookkeeping, "", "")
        for entity in entities {
            sql += "INSERT INTO Z_PRIMARYKEY VALUES (\(entity.number), '\(entity.name)', 0, \(entity.rows));\n"
        }
        if hasSubentity {
            sql += "INSERT INTO Z_PRIMARYKEY VALUES (\(numbers[30]), 'Sub', \(entities[0].number), 0);\n"
        }
        for (index, entity) in entities.enumerated() {
            let own = index == 0 && hasSubentity ? [entity.number, numbers[30]] : [entity.number]
            sql += Self.table(entity, entities) + Self.rows(entity, entities, numbers: own, &dice)
            schema += Self.schema(entity)
            manifest += Self.source(entity, entities)
            queries.append(("E\(entity.number)", Self.query(entity, entities)))
        }
        if entities.count > 1, dice.hits(oneIn: 2) {
            let (a, b) = (entities[0], entities[1])
            let (left, right) = ("Z_\(a.number)BACK", "Z_\(b.number)FORTH1")
            sql +=
                "CREATE TABLE Z_\(a.number)FORTH (\(left) INTEGER, \(right) INTEGER, Z_FOK_\(b.number)FORTH1 INTEGER, "
            sql += "PRIMARY KEY (\(left), \(right)));\n"
            for one in 1...max(1, a.rows) where a.rows > 0 {
                for other in 1...max(1, b.rows) where b.rows > 0 && dice.hits(oneIn: 5) {
                    sql += "INSERT INTO Z_\(a.number)FORTH VALUES (\(one), \(other), \(dice.roll(9000)));\n"
                }
            }
            schema += "CREATE TABLE Pairs(id TEXT PRIMARY KEY, a, b, place);\n"
            manifest += """
                  Pairs: { key: id, source: { join: \(a.name).forth, fields: {
                    id: { from: [source.Z_PK, target.Z_PK] }, a: source.Z_PK, b: target.Z_PK, place: order } } }

                """
            queries.append(
                (
                    "Pairs",
                    "SELECT \(left) || '/' || \(right) AS id, \(left), \(right), Z_FOK_\(b.number)FORTH1 "
                        + "FROM Z_\(a.number)FORTH ORDER BY 1"
                ))
        }
        var made = try CoreDataApp(
            sql, schema: schema, journal: dice.pick([nil, "WAL"]), preferences: ["other": 1])
        made.entities = manifest
        made.legacy = ""
        app = made
    }

    private static func table(_ entity: Made, _ entities: [Made]) -> String {
        var columns = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
        var indexes = ""
        for relation in entity.relations {
            let upper = relation.name.uppercased()
            columns.append("Z\(upper) INTEGER")
            if relation.hasNumber { columns.append("Z\(entities[relation.target].number)_\(upper) INTEGER") }
            if relation.isOrdered { columns.append("Z_FOK_\(upper) INTEGER") }
            indexes += "CREATE INDEX \(entity.table)_Z\(upper)_INDEX ON \(entity.table) (Z\(upper));\n"
        }
        columns += entity.attributes.map { "Z\($0.name.uppercased()) \($0.type)" }
        return "CREATE TABLE \(entity.table) (\(columns.joined(separator: ", ")));\n" + indexes
    }

    private static func rows(_ entity: Made, _ entities: [Made], numbers: [Int], _ dice: inout Dice) -> String {
        var sql = ""
        for key in 0..<entity.rows {
            var (columns, values) = (["Z_PK", "Z_ENT", "Z_OPT"], ["\(key + 1)", "\(dice.pick(numbers))", "1"])
            for relation in entity.relations {
                let rows = entities[relation.target].rows
                columns.append("Z\(relation.name.uppercased())")
                values.append(rows == 0 || dice.hits(oneIn: 4) ? "NULL" : "\(1 + dice.roll(rows))")
                guard relation.isOrdered else { continue }
                columns.append("Z_FOK_\(relation.name.uppercased())")
                values.append("\(dice.roll(9000))")
            }
            for attribute in entity.attributes {
                columns.append("Z\(attribute.name.uppercased())")
                values.append(
                    dice.pick([
                        "NULL", "\(dice.roll(1000) - 500)", "\(Double(dice.roll(100_000)) / 64)",
                        "'text \(dice.roll(99))'",
                        "''", "x'00FF'", "x''", "722787770.189348", "9007199254740993", "-0.0", "'12.50'", "1e300",
                    ]))
            }
            sql += "INSERT INTO \(entity.table) (\(columns.joined(separator: ", "))) "
            sql += "VALUES (\(values.joined(separator: ", ")));\n"
        }
        return sql
    }

    /// Columns without a type keep every value as it is.
    private static func schema(_ entity: Made) -> String {
        let columns =
            ["id INTEGER PRIMARY KEY"] + entity.relations.flatMap { [$0.name, $0.name + "Value", $0.name + "Place"] }
            + entity.attributes.map { "c_\($0.name)" }
        return "CREATE TABLE E\(entity.number)(\(columns.joined(separator: ", ")));\n"
    }

    private static func source(_ entity: Made, _ entities: [Made]) -> String {
        var fields = ["id: Z_PK"]
        for relation in entity.relations {
            let target = entities[relation.target]
            let named = relation.hasNumber ? "" : ", entity: \(target.name)"
            fields.append("\(relation.name): { from: \(relation.name).Z_PK\(named) }")
            fields.append("\(relation.name)Value: { from: \(relation.name).\(target.attributes[0].name)\(named) }")
            if relation.isOrdered { fields.append("\(relation.name)Place: Z_FOK_\(relation.name.uppercased())") }
        }
        fields += entity.attributes.map { "c_\($0.name): \($0.name)" }
        return "  E\(entity.number): { key: id, source: { entity: \(entity.name), fields: {\n    "
            + fields.joined(separator: ",\n    ") + " } } }\n"
    }

    private static func query(_ entity: Made, _ entities: [Made]) -> String {
        var columns = ["s.Z_PK"]
        var joins = ""
        for relation in entity.relations {
            let target = entities[relation.target]
            joins +=
                " LEFT JOIN \(target.table) \(relation.name) ON \(relation.name).Z_PK = s.Z\(relation.name.uppercased())"
            columns += [
                "\(relation.name).Z_PK", "\(relation.name).Z\(target.attributes[0].name.uppercased())",
                relation.isOrdered ? "s.Z_FOK_\(relation.name.uppercased())" : "NULL",
            ]
        }
        columns += entity.attributes.map { "s.Z\($0.name.uppercased())" }
        return "SELECT \(columns.joined(separator: ", ")) FROM \(entity.table) s\(joins) ORDER BY s.Z_PK"
    }
}
