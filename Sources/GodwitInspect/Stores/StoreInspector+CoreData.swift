internal import GodwitCoreData
internal import GodwitModel
internal import GodwitSQLite

/// Inspects the entities, relations and join tables of Core Data.
extension StoreInspector {
    func inspect(
        _ model: CoreDataModel, _ connection: SQLiteConnection, _ found: inout StoreInspection
    ) throws(GodwitError) {
        found.model = model
        found.report.layout = .coreData
        found.report.isMirrored = model.isMirrored
        let others = model.otherTables
        let shadows = try ShadowTables(of: connection)
        found.tablesBehind = Set(others.foreign.filter(shadows.contains).map(\.foldedName))
        found.report.otherTables = others.bookkeeping + others.history + others.mirroring + others.foreign
        found.report.coreData = facts(model, found.shape)
        let inspector = TableInspector(
            connection: connection, now: context.now, showsValues: showsValues, limits: limits)
        for (index, entity) in model.entities.prefix(limits.tables).enumerated() {
            context.progress(RunProgress(stage: .inspect, completed: Int64(index), total: Int64(model.entities.count)))
            try context.cancellation.check(.inspect)
            guard let source = RecordSelection(entity, in: found.shape) else {
                found.tables.append(
                    TableInspection(
                        entity: InspectedEntity(name: entity.name, table: "", superEntity: entity.superName)))
                continue
            }
            var table = try inspector.inspect(source, allowsNatural: false)
            table.entity.superEntity = entity.superName
            for index in table.entity.columns.indices {
                table.entity.columns[index].correct(by: entity.attributes[index].kind)
            }
            if table.entity.key == nil || table.entity.keyEvidence == .name {
                // A column that sounds like a key but repeats is reported.
                if let name = table.entity.key, table.entity.duplicates > 0 {
                    table.repeatedKey = (name, table.entity.duplicates)
                }
                // Core Data numbers the records of each store independently.
                table.entity.key = "Z_PK"
                table.entity.keyEvidence = .rowNumber
                table.entity.duplicates = 0
            }
            table.entity.relations = try relations(of: entity, source, model, connection, found.shape)
            found.tables.append(table)
        }
        found.report.entities = found.tables.map(\.entity)
        found.tablesWithRepeatedKeys = try repeatedKeys(model, found, connection)
    }

    /// The tables whose key is unique inside each entity, but not across entities.
    ///
    /// A reference may name any entity of the table, so such a key would match several records.
    private func repeatedKeys(
        _ model: CoreDataModel, _ found: StoreInspection, _ connection: SQLiteConnection
    ) throws(GodwitError) -> Set<[UInt8]> {
        var repeated: Set<[UInt8]> = []
        let filled = zip(model.entities, found.tables).filter {
            $0.0.count > 0 && $0.1.entity.keyEvidence != .rowNumber
        }
        for (name, kinds) in Dictionary(grouping: filled, by: { $0.0.table?.foldedName ?? [] }) where kinds.count > 1 {
            let columns = Set(kinds.map { kind in kind.0.attributes.first { $0.name == kind.1.entity.key }?.column })
            guard columns.count == 1, let column = columns.first.flatMap(\.self),
                let source = RecordSelection(kinds.map(\.0), in: found.shape)
            else { continue }
            let count = try connection.count(source)
            // Beyond the limit of records nothing is proven.
            let isProven = try count > limits.records ? false : connection.countDistinct(column, source) == count
            if !isProven { repeated.insert(name) }
        }
        return repeated
    }

    private func facts(_ model: CoreDataModel, _ shape: SchemaShape) -> CoreDataFacts {
        var metadata: [String: String] = [:]
        if let known = model.metadata {
            if !known.modelIdentifiers.isEmpty {
                metadata["modelVersions"] = known.modelIdentifiers.joined(separator: ", ")
            }
            if let version = known.frameworkVersion { metadata["frameworkVersion"] = String(version) }
            metadata["hashedEntities"] = String(known.versionHashes.count)
        }
        return CoreDataFacts(
            metadata: metadata, hasModelCache: shape.table(named: "Z_MODELCACHE") != nil,
            hasHistory: !model.otherTables.history.isEmpty, hiddenMetadata: model.metadata?.hiddenKeys ?? 0)
    }

    private func relations(
        of entity: CoreDataEntity, _ source: RecordSelection, _ model: CoreDataModel, _ connection: SQLiteConnection,
        _ shape: SchemaShape
    ) throws(GodwitError) -> [InspectedRelation] {
        var all: [InspectedRelation] = []
        for relation in entity.relations {
            let column = quoted(relation.column)
            let count = try connection.number("SELECT count(\(column)) FROM \(source.from(connection))", source.values)
            var orphans: Int64 = 0
            if let records = Self.records(of: relation.target, model, shape) {
                orphans = try connection.number(
                    "SELECT count(*) FROM "
                        + source.from(
                            connection, and: "\(column) IS NOT NULL AND \(column) NOT IN (\(records))"),
                    source.values)
            }
            all.append(
                InspectedRelation(
                    name: relation.name, target: relation.target, kind: relation.isHiddenInverse ? "toMany" : "toOne",
                    isOrdered: relation.orderColumn != nil, count: count, orphans: orphans, evidence: "coreData"))
        }
        for join in model.joins where join.first.entity == entity.name {
            all.append(
                InspectedRelation(
                    name: join.second.relation, target: join.second.entity, kind: "manyToMany",
                    isOrdered: join.ends.contains { $0.orderColumn != nil }, count: join.count,
                    orphans: try orphans(of: join, model, connection, shape), evidence: "coreData"))
        }
        return all
    }

    /// The row numbers of all records to which a relation may refer, as SQL; nil if the entity has no table.
    private static func records(of entity: String?, _ model: CoreDataModel, _ shape: SchemaShape) -> String? {
        guard let found = entity.flatMap({ model.entity(named: $0) }),
            let table = found.table.flatMap(shape.table(named:)),
            table.column(named: "Z_PK") != nil
        else { return nil }
        // A table has records of several entities; the relation may refer only to those of its own family.
        let numbers = model.family(of: found.name).map { "\($0.number)" }
        let hasNumbers = table.column(named: "Z_ENT").map { !$0.isGenerated } ?? false
        return "SELECT Z_PK FROM \(quoted(table.name)) NOT INDEXED"
            + (hasNumbers ? " WHERE \(quoted("Z_ENT")) IN (\(numbers.joined(separator: ", ")))" : "")
    }

    /// Number of pairs with a missing record on one or both sides.
    private func orphans(
        of join: CoreDataJoin, _ model: CoreDataModel, _ connection: SQLiteConnection, _ shape: SchemaShape
    ) throws(GodwitError) -> Int64 {
        let conditions = join.ends.map { end in
            let column = quoted(end.column)
            // An entity without a table has no records.
            guard let records = Self.records(of: end.entity, model, shape) else { return "1" }
            return "\(column) IS NULL OR \(column) NOT IN (\(records))"
        }
        return try connection.number(
            "SELECT count(*) FROM \(connection.source(join.table)) WHERE \(conditions.joined(separator: " OR "))")
    }
}

extension RecordSelection {
    /// The records of one Core Data entity; nil if it has no table.
    init?(_ entity: CoreDataEntity, in shape: SchemaShape) {
        guard let name = entity.table, let table = shape.table(named: name) else { return nil }
        let hasNumbers = table.column(named: "Z_ENT").map { !$0.isGenerated } ?? false
        self.init(
            name: entity.name, table: table.name,
            columns: entity.attributes.map { attribute in
                let isDate = attribute.kind == .date || attribute.declaredType.isSameName(as: "TIMESTAMP")
                return Column(
                    name: attribute.name, column: attribute.column, declaredType: attribute.declaredType,
                    encoding: isDate ? .coreData : nil)
            },
            condition: hasNumbers ? ("\(quoted("Z_ENT")) = ?", [.integer(entity.number)]) : nil)
    }

    /// The records of several entities with one table; nil if they have several, or nothing distinguishes their
    /// records.
    fileprivate init?(_ kinds: [CoreDataEntity], in shape: SchemaShape) {
        guard let first = kinds.first, let one = RecordSelection(first, in: shape), one.condition != nil else {
            return nil
        }
        let placeholders = kinds.map { _ in "?" }.joined(separator: ", ")
        self.init(
            name: first.name, table: one.table, columns: one.columns,
            condition: ("\(quoted("Z_ENT")) IN (\(placeholders))", kinds.map { .integer($0.number) }))
    }
}

extension InspectedColumn {
    /// Corrects the kind by the app's own model, which is more reliable than the values.
    fileprivate mutating func correct(by known: CoreDataAttributeKind?) {
        guard kind != .none, kind != .mixed else { return }
        switch known {
        case .boolean? where kind == .integer: kind = .boolean
        case .integer16?, .integer32?, .integer64?: if kind == .boolean { kind = .integer }
        case .string? where kind == .json || kind == .uuid: break
        case .uuid? where kind == .data: kind = .uuid
        default: break
        }
    }
}
