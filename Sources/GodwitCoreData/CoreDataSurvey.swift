internal import GodwitModel

/// Combines the schema and `Z_PRIMARYKEY` to a model.
struct CoreDataSurvey {
    /// Maximum number of entities: more than any model has, and few enough to search in a list.
    static let mostEntities = 2000
    /// Maximum depth of inheritance: more than any model has.
    static let deepestInheritance = 100
    /// The smallest number of entities of history and mirroring.
    static let firstAncillaryNumber: Int64 = 16_000

    struct Number {
        let number: Int64
        let name: String
        let parent: Int64?
        let highestKey: Int64
    }

    let shape: SchemaShape
    let numbers: [Number]
    /// In upper case.
    let indexes: Set<String>
    /// By table: number of records by `Z_ENT`.
    var counts: [String: [Int64?: Int64]] = [:]
    var joinCounts: [String: Int64] = [:]
    private var byNumber: [Int64: Number] = [:]
    /// By the number of an entity: the name of its table.
    private var tables: [Int64: String] = [:]
    private var ancillary: Set<Int64> = []
    private(set) var joins: [CoreDataJoin] = []

    init(shape: SchemaShape, numbers: [Number], indexes: Set<String>) {
        (self.shape, self.numbers, self.indexes) = (shape, numbers, indexes)
        byNumber = Dictionary(numbers.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    }

    var entityTables: [String] { Array(Set(tables.values)).sorted() }
    var joinTables: [String] { joins.map(\.table) }

    /// Finds the table of each entity, which is that of its outermost ancestor.
    mutating func placeEntities(damaged: (String) -> GodwitError) throws(GodwitError) {
        for entity in numbers {
            var line = [entity]
            while let parent = line.last?.parent.flatMap({ byNumber[$0] }) {
                guard line.count < Self.deepestInheritance else { throw damaged("an entity inherits from itself") }
                line.append(parent)
            }
            if entity.number >= Self.firstAncillaryNumber, shape.table(named: "A" + entity.name.uppercased()) != nil {
                ancillary.insert(entity.number)
                continue
            }
            let table = line.reversed().compactMap { shape.table(named: $0.name.coreDataName) }.first
            if let table {
                tables[entity.number] = table.name
            } else if entity.number >= Self.firstAncillaryNumber {
                ancillary.insert(entity.number)
            }
        }
        joins = shape.tables.compactMap { join($0) }
    }

    private func join(_ table: TableShape) -> CoreDataJoin? {
        let bytes = Array(table.name.utf8)
        guard table.name.asciiUppercased.hasPrefix("Z_"), CoreDataColumn.leadingNumber(bytes.dropFirst(2)) != nil else {
            return nil
        }
        var ends: [(column: String, relation: String, entity: Int64)] = []
        var orders: [String: String] = [:]
        var (reflexive, reflexiveOrder): (String?, String?)
        for column in table.storedColumns {
            switch CoreDataJoinColumn(column.name) {
            case .end(let relation, let entity): ends.append((column.name, relation, entity))
            case .order(let name): orders[name.asciiUppercased] = column.name
            case .reflexive: reflexive = column.name
            case .reflexiveOrder: reflexiveOrder = column.name
            case .foreign: break
            }
        }
        if let reflexive, let only = ends.first, ends.count == 1 {
            ends.append((reflexive, only.relation, only.entity))
        }
        guard ends.count == 2 else { return nil }
        let made = ends.map { end in
            CoreDataJoinEnd(
                column: end.column, entity: byNumber[end.entity]?.name, relation: end.relation.lowercased(),
                orderColumn: end.column == reflexive
                    ? reflexiveOrder : orders[CoreDataColumn.text(end.column.utf8.dropFirst(2)).asciiUppercased])
        }
        return CoreDataJoin(table: table.name, first: made[0], second: made[1], count: joinCounts[table.name] ?? 0)
    }

    // MARK: The model

    var model: CoreDataModel {
        var stray: Int64 = 0
        for (table, byNumber) in counts {
            // A record whose number belongs to an entity of another table is in no query.
            for (number, count) in byNumber where number.map({ tables[$0] != table }) ?? true { stray += count }
        }
        let properties = Dictionary(
            entityTables.compactMap { name in
                let isShared = tables.values.count { $0 == name } > 1
                return shape.table(named: name).map { (name, CoreDataProperties($0, isShared: isShared, self)) }
            },
            uniquingKeysWith: { first, _ in first })
        var entities: [CoreDataEntity] = []
        for entity in numbers where !ancillary.contains(entity.number) {
            let table = tables[entity.number]
            var count = table.flatMap { counts[$0]?[entity.number] } ?? 0
            // A table without numbers can belong only to one entity.
            if let table, shape.table(named: table)?.column(named: "Z_ENT") == nil, entity.parent == nil {
                count = counts[table]?[nil] ?? 0
                stray -= count
            }
            let own = table.flatMap { properties[$0] }
            entities.append(
                CoreDataEntity(
                    name: entity.name, number: entity.number, superNumber: entity.parent,
                    superName: entity.parent.flatMap { byNumber[$0]?.name }, table: table, count: count,
                    highestKey: entity.highestKey, attributes: own?.attributes ?? [], relations: own?.relations ?? []))
        }
        let counted = joins.map { join in
            CoreDataJoin(
                table: join.table, first: join.first, second: join.second, count: joinCounts[join.table] ?? 0)
        }
        return CoreDataModel(entities: entities, joins: counted, otherTables: otherTables, strayRecords: stray)
    }

    func entityName(_ number: Int64) -> String? { byNumber[number]?.name }

    private var otherTables: CoreDataOtherTables {
        let known = Set(tables.values).union(joins.map(\.table))
        var others = CoreDataOtherTables()
        for table in shape.tables.map(\.name) where !known.contains(table) {
            let upper = table.asciiUppercased
            if upper.hasPrefix("ANSCK") {
                others.mirroring.append(table)
            } else if ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"].contains(upper) {
                others.history.append(table)
            } else if [CoreDataTable.primaryKey, CoreDataTable.metadata, CoreDataTable.modelCache].contains(upper) {
                others.bookkeeping.append(table)
            } else if numbers.contains(where: { ancillary.contains($0.number) && upper.isSameName(as: "A" + $0.name) })
            {
                others.bookkeeping.append(table)
            } else {
                others.foreign.append(table)
            }
        }
        return others
    }
}

/// The columns of an entity's table, classified by names and indexes.
struct CoreDataProperties {
    var attributes: [CoreDataAttribute] = []
    var relations: [CoreDataRelation] = []

    /// - Parameter isShared: whether several entities share the table. Then columns of properties with the same name
    ///   have numbers, and a companion column without a number may belong to any of them, so it is assigned to none.
    init(_ table: TableShape, isShared: Bool, _ survey: CoreDataSurvey) {
        let columns = table.columnsInFile.filter { !$0.isGenerated }
        let names = columns.map { CoreDataColumn.text($0.name.utf8.dropFirst()).asciiUppercased }
        var orders: [String: String] = [:]
        var targets: [String: (column: String, entity: Int64)] = [:]
        for column in columns {
            switch CoreDataColumn(column.name) {
            case .order(let name): orders[name.asciiUppercased] = column.name
            case .targetNumber(let name, let entity): targets[name.asciiUppercased] = (column.name, entity)
            default: break
            }
        }
        var strayOrders: [(name: String, column: String)] = []
        if isShared {
            for name in Set(names).sorted() {
                let namesakes = names.filter { $0 != name && $0.isSameName(asNumbered: name) }
                if namesakes.contains(where: { targets[$0] == nil && orders[$0] == nil }) {
                    if let order = orders[name] { strayOrders.append((name, order)) }
                    (targets[name], orders[name]) = (nil, nil)
                }
            }
        }
        for (column, key) in zip(columns, names) {
            switch CoreDataColumn(column.name) {
            case .hiddenInverse(let relation, let entity):
                relations.append(
                    CoreDataRelation(
                        name: relation.lowercased(), column: column.name, target: survey.entityName(entity),
                        targetNumberColumn: targets[key]?.column, orderColumn: orders[key], isHiddenInverse: true,
                        evidence: .columns))
            case .property(let name):
                let index = "\(table.name)_\(column.name)_INDEX".asciiUppercased
                let hasIndex = survey.indexes.contains(index) && column.type.isSameName(as: "INTEGER")
                let hasCompanions = targets[key] != nil || orders[key] != nil
                guard hasIndex || hasCompanions else {
                    attributes.append(
                        CoreDataAttribute(name: name.lowercased(), column: column.name, declaredType: column.type))
                    continue
                }
                relations.append(
                    CoreDataRelation(
                        name: name.lowercased(), column: column.name,
                        target: targets[key].flatMap { survey.entityName($0.entity) },
                        targetNumberColumn: targets[key]?.column, orderColumn: orders[key],
                        evidence: hasCompanions ? .columns : .index))
            default: break
            }
        }
        // An order column without a known owner is still data.
        attributes += strayOrders.map {
            CoreDataAttribute(name: "fok_" + $0.name.lowercased(), column: $0.column, declaredType: "INTEGER")
        }
    }
}
