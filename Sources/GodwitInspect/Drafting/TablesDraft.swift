internal import GodwitModel
internal import GodwitSQLite

/// Entities and schema files that adopt a store of ordinary tables unchanged.
struct TablesDraft {
    var entities: [EntityDraft] = []
    var schemaFiles: [(name: String, text: String)] = []
    var leftOut: [Warning] = []
    /// Left-out tables and entities that may have records.
    private(set) var tablesLeft: [String] = []

    init(_ local: StoreInspection, cloud: StoreInspection?, refused: [String: String]) throws(GodwitError) {
        let text = try SchemaText(local, cloud: cloud)
        // If the local store has no records that show a key, the cloud store's records do.
        var known = local.tables.map { table in
            guard table.entity.key == nil, table.repeatedKey == nil,
                let other = cloud?.tables.first(where: { $0.entity.name.isSameName(as: table.entity.name) })
            else { return table }
            var table = table
            (table.entity.key, table.entity.keyEvidence) = (other.entity.key, other.entity.keyEvidence)
            return table
        }
        // Tables of only the cloud store become entities too; the local store has no records of them yet.
        for table in cloud?.tables ?? []
        where !known.contains(where: { $0.entity.name.isSameName(as: table.entity.name) }) {
            var added = table
            added.entity.count = 0
            known.append(added)
        }
        for table in known {
            let shape = local.shape.table(named: table.entity.name) ?? cloud?.shape.table(named: table.entity.name)
            take(table, refused: refused[table.entity.name] ?? text.reasonAgainst(table, shape))
        }
        for table in local.virtualTables where table.mayLoseRecords {
            guard let loss = table.loss else { continue }
            tablesLeft.append(table.name)
            leftOut.append(
                Warning(
                    "noEntity", "\(table.name) is \(loss)",
                    hint: "Fill it by triggers on other tables: the cloud store gets none of its records."))
        }
        leftOut += local.migratorTables.map(Self.migrators)
        entities = EntityDraft.withoutCircles(entities)
        let carried = DraftSubject.parted(entities).0.prefix(1000).map(\.name)
        let made = try text.files(entities: carried, tables: known)
        schemaFiles = made.files
        leftOut += made.leftOut
    }

    private mutating func take(_ table: TableInspection, refused: String?) {
        let entity = table.entity
        let lowered = entity.name.foldedName
        let isReserved = lowered.starts(with: "godwit_".utf8) || lowered.starts(with: "sqlite_".utf8)
        guard let key = entity.key, !isReserved, refused == nil else {
            let several =
                table.primaryKey.count > 1 ? " (its primary key is \(table.primaryKey.joined(separator: ", ")))" : ""
            let repeated = table.repeatedKey.map {
                ": \($0.records.counted("record")) \($0.records == 1 ? "repeats" : "repeat") another's \($0.column)"
            }
            let none = "no single column is different in each of its records\(repeated ?? several)"
            let reason = refused ?? (isReserved ? "its name is reserved" : none)
            return leave(entity, "\(reason); \(Self.stay(entity))", isKeyless: refused == nil && !isReserved)
        }
        let missing = entity.columns.first { $0.name == key }?.missing ?? 0
        guard missing == 0 else {
            return leave(
                entity,
                "\(key) is its only likely key, and \(missing.counted("record")) have none; "
                    + "\(Self.stay(entity))")
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

    private static func migrators(_ table: String, _ isCarried: Bool) -> Warning {
        isCarried
            ? Warning(
                Draft.migratorCode,
                "\(table) is the table of the app's own migrator; a new cloud store gets it as it is, once")
            : Warning(
                "noEntity",
                "\(table) is the table of the app's own migrator, with rules that only the migrator can make",
                hint: "Let the app's migrator make it in the cloud store.")
    }

    private static func stay(_ entity: InspectedEntity) -> String {
        "its \(entity.count.counted("record")) \(entity.count == 1 ? "stays" : "stay") in the local store"
    }

    private mutating func leave(_ entity: InspectedEntity, _ reason: String, isKeyless: Bool = true) {
        // Without records, nothing is lost.
        let hint =
            "For these records in the cloud store, "
            + (isKeyless ? "give the table a key of one column" : "correct that") + " in the app first."
        leftOut.append(Warning("noEntity", "\(entity.name): \(reason)", hint: entity.count > 0 ? hint : nil))
        if entity.count > 0 { tablesLeft.append(entity.name) }
    }

    private func take(_ relation: InspectedRelation, of entity: InspectedEntity, _ draft: inout EntityDraft) {
        guard let target = relation.target else {
            draft.comments.append("\(relation.name) refers to a table that does not exist.")
            return
        }
        guard relation.name != draft.key || target == entity.name else { return }
        if !draft.belongsTo.contains(where: { $0.column.isSameName(as: relation.name) }) {
            draft.belongsTo.append((relation.name, target, by: relation.targetColumn))
            guard relation.orphans > 0 else { return }
            draft.orphaned.insert(relation.name)
            draft.comments.append(
                "\(relation.orphans.counted("record")) \(relation.orphans == 1 ? "refers" : "refer") by \(relation.name) to a "
                    + "\(target) that does not exist. `missing: keep` copies them as they are; `refuse` ends the run, `setNull` "
                    + "and `setAside` keep the old value or record in the ledger.")
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
        let column = entity.columns.first { $0.name == key }
        let isNumber = column?.kind == .integer || (column?.kind == .date && column?.encoding != .iso8601)
        return switch entity.keyEvidence {
        case .primaryKey? where isNumber || entity.count == 0:
            "\(key) is the primary key. Where SQLite itself counts it up, two devices count alike: "
                + "records of both would pass for the same."
        case .primaryKey?: "\(key) is the primary key."
        case .uniqueIndex?: "\(key) has a unique index."
        case .values?: "no two records have the same \(key), though nothing enforces it."
        default: "\(key) is called like a key; nothing enforces that it is one."
        }
    }
}
