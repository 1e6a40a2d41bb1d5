internal import GodwitModel
internal import GodwitStore

/// Entities and schema files for a store of plain tables: it is adopted as it is.
struct TablesDraft {
    var entities: [EntityDraft] = []
    var schemaFiles: [(name: String, text: String)] = []
    var leftOut: [Warning] = []

    init(_ local: StoreInspection, cloud: StoreInspection?, refused: [String: String]) throws(GodwitError) {
        schemaFiles = [
            ("V0001__adopt_store.sql", try Self.file(local, besides: nil, leftOut: &leftOut))
        ]
        if let cloud, cloud.shape.tables.count > local.shape.tables.count {
            schemaFiles.append(
                ("V0002__bring_up_to_cloud_store.sql", try Self.file(cloud, besides: local, leftOut: &leftOut)))
        }
        // Where the local store has no records yet that would show a key, those of the cloud store do.
        var known = local.tables.map { table in
            guard table.entity.key == nil,
                let other = cloud?.tables.first(where: { $0.entity.name.isSameName(as: table.entity.name) })
            else { return table }
            var table = table
            (table.entity.key, table.entity.keyEvidence) = (other.entity.key, other.entity.keyEvidence)
            return table
        }
        // What only the cloud store has is an entity as well, which the local store has no records of yet.
        for table in cloud?.tables ?? []
        where !known.contains(where: { $0.entity.name.isSameName(as: table.entity.name) }) {
            var added = table
            added.entity.count = 0
            known.append(added)
        }
        for table in known { take(table, refused: refused[table.entity.name]) }
        entities = EntityDraft.withoutCircles(entities)
    }

    private mutating func take(_ table: TableInspection, refused: String?) {
        let entity = table.entity
        let lowered = entity.name.foldedName
        let isReserved = lowered.starts(with: "godwit_".utf8) || lowered.starts(with: "sqlite_".utf8)
        guard let key = entity.key, !isReserved, refused == nil else {
            let several =
                table.primaryKey.count > 1 ? " (its primary key is \(table.primaryKey.joined(separator: ", ")))" : ""
            let reason =
                refused ?? (isReserved ? "its name is reserved" : "no single column tells its records apart\(several)")
            return leave(entity, "\(reason); its \(entity.count.counted("record")) stay in the local store")
        }
        let missing = entity.columns.first { $0.name == key }?.missing ?? 0
        guard missing == 0 else {
            return leave(
                entity,
                "\(key) is its only likely key, and \(missing.counted("record")) have none; "
                    + "its \(entity.count.counted("record")) stay in the local store")
        }
        var draft = EntityDraft(name: entity.name, count: entity.count, key: key, evidence: entity.keyEvidence)
        draft.comments = ["\(entity.count.counted("record")); \(Self.words(entity, key, table))"]
        if entity.duplicates > 0 {
            draft.comments.append(
                "\(entity.duplicates.counted("record")) repeat the key of another: dedupe keeps one of each and sets the "
                    + "others aside in godwit_removed.")
        }
        draft.modified = Self.modified(entity)
        for relation in entity.relations { take(relation, of: entity, &draft) }
        if entity.isSingleton {
            draft.comments.append(
                "There is one record. If there is never more than one, add `singleton:` with its fixed key.")
        }
        entities.append(draft)
    }

    private mutating func leave(_ entity: InspectedEntity, _ reason: String) {
        leftOut.append(Warning("noEntity", "\(entity.name): \(reason)."))
    }

    private func take(_ relation: InspectedRelation, of entity: InspectedEntity, _ draft: inout EntityDraft) {
        guard let target = relation.target else {
            draft.comments.append("\(relation.name) refers to a table that is not there.")
            return
        }
        guard relation.name != draft.key || target == entity.name else { return }
        if let column = relation.targetColumn {
            draft.comments.append(
                "belongsTo leaves out \(relation.name): it names \(target).\(column), which is not that entity's key.")
        } else if relation.orphans > 0 {
            draft.comments.append(
                "belongsTo leaves out \(relation.name): \(relation.orphans.counted("reference")) to \(target) lead nowhere, "
                    + "which the copy refuses without --allow-orphans.")
        } else if !draft.belongsTo.contains(where: { $0.column.isSameName(as: relation.name) }) {
            draft.belongsTo.append((relation.name, target))
        }
    }

    private static func modified(_ entity: InspectedEntity) -> (String, InstantEncoding?)? {
        guard let name = entity.modified, let column = entity.columns.first(where: { $0.name == name }) else {
            return nil
        }
        switch column.encoding {
        case .unixMilliseconds?, .coreData?: return (name, column.encoding)
        default: return (name, nil)
        }
    }

    private static func words(_ entity: InspectedEntity, _ key: String, _ table: TableInspection) -> String {
        switch entity.keyEvidence {
        case .primaryKey? where entity.columns.first { $0.name == key }?.kind == .integer || entity.count == 0:
            "\(key) is the primary key. Where SQLite itself counts it up, two devices count alike: "
                + "records of both would pass for the same."
        case .primaryKey?: "\(key) is the primary key."
        case .uniqueIndex?: "\(key) has a unique index."
        case .values?: "no two records have the same \(key), though nothing enforces it."
        default: "\(key) is called like a key; nothing enforces that it is one."
        }
    }

    // MARK: Schema files

    /// The statements that made a store, each tried on an empty one in memory; besides those of another store.
    private static func file(
        _ store: StoreInspection, besides earlier: StoreInspection?, leftOut: inout [Warning]
    ) throws(GodwitError) -> String {
        var lines = [
            "-- The store as the app made it: every table, index, view and trigger that was found in it.",
            "-- A store that equals this is adopted at this version; a new cloud store is made from it.",
            "-- Once shipped it is never edited: a change is a new file with the next number.",
        ]
        if !store.report.triggers.isEmpty {
            lines.append("-- Read the triggers: they run on what is written.")
        }
        let memory = try MemoryStore(stage: .inspect)
        for statement in earlier?.statements ?? [] { _ = memory.takes(statement) }
        let made = earlier?.statements.map { $0.name.foldedName } ?? []
        for statement in store.statements where !made.contains(statement.name.foldedName) {
            if store.report.otherTables.contains(where: { $0.isSameName(as: statement.table) }), !statement.isVirtual {
                continue
            }
            guard memory.takes(statement) else {
                leftOut.append(
                    Warning(
                        "notInSchema",
                        "\(statement.type) \(statement.name): its SQL can't be run on an empty store here.",
                        hint: "Write it into the schema file by hand, or adopt the store with --baseline 1."))
                continue
            }
            lines += ["", statement.sql + (statement.sql.contains("--") ? "\n;" : ";")]
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension MemoryStore {
    /// Whether this store takes a statement, as a schema file of it alone.
    ///
    /// It must be one CREATE and nothing behind it: what a foreign store keeps as its schema may be anything.
    fileprivate borrowing func takes(_ statement: SchemaStatement) -> Bool {
        let words = SQLTokens(statement.sql).words
        guard words.first == "create", !["temp", "temporary"].contains(words.dropFirst().first ?? ""),
            statement.sql.utf8.count < 1 << 19, !statement.sql.utf8.contains(0),
            !statement.sql.contains("/*") || statement.sql.hasSuffix(")")
        else { return false }
        do throws(GodwitError) {
            try connection.execute(statement.sql)
            return true
        } catch {
            return false
        }
    }
}
