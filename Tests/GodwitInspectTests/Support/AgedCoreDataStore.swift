import GodwitModel
import GodwitTestSupport

/// A Core Data store of a random model, and a cached model that is older or newer, damaged, or missing.
///
/// Entities inherit over up to three levels. The cache renames, lacks and adds entities and properties, and has other
/// types or owners for some.
struct AgedCoreDataStore {
    private(set) var sql = CoreDataSample.bookkeeping
    /// Nil if the store has no cache.
    private(set) var cache: [LegacyPair]?

    /// One entity of the store.
    struct Kind {
        let name: String
        let number: Int
        let parent: Int?
        let root: Int
        /// Name and declared type, or the index of a relation's target entity.
        var properties: [(name: String, type: String, target: Int?)] = []
        /// By the name of a property, own or inherited.
        var columns: [String: String] = [:]
    }

    private(set) var kinds: [Kind] = []
    private var dice: Dice

    private static let pool = [
        ("title", "VARCHAR"), ("size", "INTEGER"), ("createdAt", "TIMESTAMP"), ("isOn", "INTEGER"), ("photo", "BLOB"),
        ("weight", "FLOAT"), ("title1", "VARCHAR"), ("homeAddress", "VARCHAR"), ("cost", "DECIMAL"),
    ]

    init(seed: UInt64) {
        dice = Dice(seed: seed)
        makeKinds()
        for index in kinds.indices where kinds[index].parent == nil { makeTable(of: index) }
        if !dice.hits(oneIn: 10) { cache = makeCache() }
    }

    func table(of kind: Kind) -> String { "Z" + kinds[kind.root].name.uppercased() }

    private mutating func makeKinds() {
        let numbers = Array(1...40).shuffled(using: &dice)
        let names = ["Car", "Racer", "Truck", "Item", "Note", "Übung", "Photo", "Draft", "List", "Entry", "Tag", "Log"]
            .shuffled(using: &dice)
        for index in 0..<1 + dice.roll(9) {
            let possible = kinds.indices.filter { depth(of: $0) < 2 }
            let parent = possible.isEmpty || dice.hits(oneIn: 4) ? nil : dice.pick(Array(possible))
            kinds.append(
                Kind(
                    name: names[index], number: numbers[index], parent: parent,
                    root: parent.map { kinds[$0].root } ?? index))
        }
        for index in kinds.indices {
            let inherited = Set(line(of: index).dropFirst().flatMap { kinds[$0].properties.map(\.name) })
            for (name, type) in Self.pool.shuffled(using: &dice).prefix(dice.roll(5)) where !inherited.contains(name) {
                kinds[index].properties.append((name, type, nil))
            }
            if dice.hits(oneIn: 3), !inherited.contains("owner") {
                kinds[index].properties.append(("owner", "INTEGER", dice.roll(kinds.count)))
            }
        }
    }

    private func depth(of index: Int) -> Int { line(of: index).count - 1 }

    private func line(of index: Int) -> [Int] {
        var line = [index]
        while let parent = line.last.flatMap({ kinds[$0].parent }) { line.append(parent) }
        return line
    }

    // MARK: The store

    private mutating func makeTable(of root: Int) {
        let family = kinds.indices.filter { kinds[$0].root == root }
        var columns: [(name: String, type: String)] = []
        for index in family.shuffled(using: &dice) {
            for property in kinds[index].properties {
                let base = "Z" + property.name.uppercased()
                var (name, number) = (base, 1)
                while columns.contains(where: { $0.name == name }) {
                    name = base + "\(number)"
                    number += 1
                }
                columns.append((name, property.type))
                kinds[index].columns[property.name] = name
            }
        }
        if dice.hits(oneIn: 4) { columns.append(("Z_FOK_OWNER", "INTEGER")) }
        if dice.hits(oneIn: 6) { columns.append(("remark", "VARCHAR")) }
        let table = table(of: kinds[root])
        let list = columns.map { ", \($0.name) \($0.type)" }.joined()
        sql += "CREATE TABLE \(table) (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER\(list));\n"
        var key = 0
        for index in family {
            let parent = kinds[index].parent.map { kinds[$0].number } ?? 0
            sql += "INSERT INTO Z_PRIMARYKEY VALUES (\(kinds[index].number), '\(kinds[index].name)', \(parent), 0);\n"
            let own = Set(line(of: index).flatMap { kinds[$0].columns.values })
            for _ in 0..<dice.roll(4) {
                key += 1
                let values = columns.map { column in
                    let isSet = own.contains(column.name) ? !dice.hits(oneIn: 3) : dice.hits(oneIn: 9)
                    return ", " + (isSet ? value(of: column.type) : "NULL")
                }
                sql += "INSERT INTO \(table) VALUES (\(key), \(kinds[index].number), 1\(values.joined()));\n"
            }
        }
    }

    private mutating func value(of type: String) -> String {
        switch type {
        case "VARCHAR": "'text \(dice.roll(99))'"
        case "BLOB": "x'00FF'"
        case "FLOAT", "TIMESTAMP": "\(Double(1 + dice.roll(100_000)) / 64)"
        default: "\(1 + dice.roll(5))"
        }
    }

    // MARK: The cache

    private static let types: [String: Int64] = [
        "VARCHAR": 700, "INTEGER": 200, "TIMESTAMP": 900, "BLOB": 1000, "FLOAT": 500, "DECIMAL": 400,
    ]

    private mutating func makeCache() -> [LegacyPair] {
        var old = kinds.map { dice.hits(oneIn: 4) ? "Old" + $0.name : $0.name }
        if old.count > 2, dice.hits(oneIn: 8) { old.swapAt(0, old.count - 1) }
        var entities: [(name: String, parent: String?)] = []
        var attributes: [(owner: String, name: String, type: Int64)] = []
        var relations: [(owner: String, name: String, target: String)] = []
        for (index, kind) in kinds.enumerated() where !dice.hits(oneIn: 8) {
            let parent = dice.hits(oneIn: 10) ? nil : kind.parent.map { old[$0] }
            entities.append((old[index], parent))
            let isRepeating = dice.hits(oneIn: 3)
            for owner in isRepeating ? line(of: index) : [index] {
                for property in kinds[owner].properties where !dice.hits(oneIn: 6) {
                    let name = dice.hits(oneIn: 9) ? "former" + property.name : property.name
                    if let target = property.target, !dice.hits(oneIn: 9) {
                        relations.append((old[index], name, old[target]))
                    } else {
                        let type = dice.hits(oneIn: 9) ? dice.pick([700, 900, 2100]) : Self.types[property.type] ?? 0
                        attributes.append((old[index], name, type))
                    }
                }
            }
            if dice.hits(oneIn: 5) { attributes.append((old[index], dice.pick(Self.pool).0, 700)) }
        }
        if dice.hits(oneIn: 6) { entities.append(("Gone", nil)) }
        let pairs = CoreDataArchiveSample(
            entities: entities, attributes: attributes, toOne: relations, toMany: []
        ).pairs
        return dice.hits(oneIn: 5) ? damaged(pairs) : pairs
    }

    /// The archive without some of its objects.
    private mutating func damaged(_ pairs: [LegacyPair]) -> [LegacyPair] {
        var pairs = pairs
        guard case .array(var objects) = pairs[1].value else { return pairs }
        for index in objects.indices.dropFirst() where dice.hits(oneIn: 8) { objects[index] = .string("lost") }
        pairs[1] = LegacyPair(key: pairs[1].key, value: .array(objects))
        return pairs
    }
}
