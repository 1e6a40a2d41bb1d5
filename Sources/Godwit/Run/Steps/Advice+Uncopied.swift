internal import GodwitModel
internal import GodwitSQLite

/// Tables of a local store of plain tables that a copy leaves behind.
extension Advice {
    /// Tables with records that are not an entity of the manifest: the copy leaves them behind.
    ///
    /// - Parameter isLater: whether the app may have used the cloud store since.
    /// - Returns: what is left behind, and notes on search indexes.
    func uncopiedTables(isLater: Bool = false) throws(GodwitError) -> (behind: [RunReport.LeftBehind], notes: [Warning])
    {
        let local = try stores.snapshot(.local, .copy)
        var behind: [RunReport.LeftBehind] = []
        let indexes = try ShadowTables(of: local.connection)
        let cloud = try stores.snapshot(.cloud, .copy).connection.readShape()
        // A new cloud store is given them, another one has those of its own.
        func isInCloud(_ table: TableShape) -> Bool { table.isMigratorsOwn && cloud.table(named: table.name) != nil }
        let localShape = try local.connection.readShape()
        for virtual in indexes.extensions where !manifest.ignore.namesTable(virtual.name) {
            let tables = virtual.tables.isEmpty ? "" : ", with its tables \(virtual.tables.joined(separator: ", "))"
            behind.append(
                RunReport.LeftBehind(
                    .table, virtual.name, count: nil,
                    "`\(virtual.name)` is a virtual table of an extension (\(virtual.module)) and was not "
                        + "copied\(tables)",
                    hint: "Let the app make it in the cloud store: only the extension can."))
        }
        let virtual = try uncopiedVirtualTables(local.connection, localShape, isLater)
        behind += virtual.behind
        for table in localShape.tables
        where !manifest.entities.contains(where: { $0.name.isSameName(as: table.name) }) {
            // Tables of a full-text index hold no records; triggers fill those of the cloud store.
            if indexes.contains(table.name) || isInCloud(table) || manifest.ignore.namesTable(table.name) { continue }
            let count = try local.connection.countRecords(of: table.name)
            guard count > 0 else { continue }
            behind.append(
                RunReport.LeftBehind(
                    .table, table.name, count: count,
                    "table `\(table.name)` (\(count.counted("record"))) is not an entity of the "
                        + "manifest; it stays in the local store",
                    hint: Self.adviceOnUncopied(table)))
        }
        return (behind, virtual.notes)
    }

    private static func adviceOnUncopied(_ table: TableShape) -> String {
        if table.isMigratorsOwn {
            return
                "Let the app's own migrator make it in the cloud store, or make it in a schema file."
        }
        let key = table.columns.filter { $0.primaryKeyIndex > 0 }.sorted { $0.primaryKeyIndex < $1.primaryKeyIndex }
        guard key.count > 1 else {
            return "Add it under `entities:` and run again to copy it."
        }
        return
            "Add it under `entities:` only if one column of its primary key "
            + "(\(key.map(\.name).joined(separator: ", "))) identifies a record on every device."
    }

    /// Virtual tables with records that no other table has, and search indexes that are not filled in the cloud store.
    ///
    /// If a schema file makes the table, and triggers or the file fill it, no data is left behind.
    private func uncopiedVirtualTables(
        _ local: SQLiteConnection, _ shape: SchemaShape, _ isLater: Bool
    ) throws(GodwitError) -> (behind: [RunReport.LeftBehind], notes: [Warning]) {
        let own = try local.readVirtualTables(shape).filter {
            !shape.isOfExtension($0.name) && !manifest.ignore.namesTable($0.name)
        }
        guard !own.isEmpty else { return ([], []) }
        let cloud = try stores.snapshot(.cloud, .copy).connection
        let cloudShape = try cloud.readShape()
        let there = try cloud.readVirtualTables(cloudShape)
        var (behind, notes): ([RunReport.LeftBehind], [Warning]) = ([], [])
        for table in own {
            let copy = there.first { $0.name.isSameName(as: table.name) }
            let isFed = copy?.isFilled == true && (isLater || cloudShape.hasTrigger(naming: table.name))
            guard !isFed else { continue }
            var missing: Int64?
            if let copy, copy.isFilled {
                missing = try local.textsMissing(of: table, shape, in: cloud, cloudShape, context.cancellation)
            }
            if let left = table.leftBehind(besideCopy: copy, lacking: missing) { behind.append(left) }
            if let note = table.note(besideCopy: copy) { notes.append(note) }
        }
        return (behind, notes)
    }
}

extension SchemaShape {
    /// Whether a trigger names a table, as one does that feeds an index.
    fileprivate func hasTrigger(naming table: String) -> Bool {
        code.contains { code in
            code.kind == .trigger && code.text.split(separator: " ").contains { String($0).isSameName(as: table) }
        }
    }
}

extension VirtualTable {
    /// Whether it has records, or covers some.
    fileprivate var isFilled: Bool { mayLoseRecords || indexed ?? 0 > 0 }

    /// The records of the table that a copy leaves behind.
    ///
    /// - Parameters:
    ///   - copy: the table of its name in the cloud store.
    ///   - missing: records whose texts the copy lacks; nil to compare the numbers of records.
    func leftBehind(besideCopy copy: VirtualTable?, lacking missing: Int64?) -> RunReport.LeftBehind? {
        switch holding {
        case .records(let count):
            var there: Int64 = 0
            if case .records(let number)? = copy?.holding { there = number }
            let missing = missing ?? max(0, count - there)
            guard missing > 0 else { return nil }
            let what = there == 0 ? "has none of them" : "lacks \(missing.grouped) of them"
            return RunReport.LeftBehind(
                .table, name, count: missing,
                "table `\(name)` (\(count.counted("record"))) is \(kind), which can't be an entity; the "
                    + "cloud store \(what)",
                hint:
                    "Fill the table of the cloud store in a schema file, by a trigger on an entity, or in "
                    + "the app.")
        case .notKnown:
            return RunReport.LeftBehind(
                .table, name, count: nil,
                "table `\(name)` is \(kind), which can't be an entity; its contents are not known",
                hint: "Let the app fill the table of the cloud store.")
        case .nothing: return nil
        }
    }

    /// That a search index of the cloud store covers fewer records.
    func note(besideCopy copy: VirtualTable?) -> Warning? {
        guard case .nothing = holding, let indexed, indexed > copy?.indexed ?? 0 else { return nil }
        let covered = copy?.indexed ?? 0
        let number =
            copy == nil ? "is not in the cloud store" : "\(covered == 0 ? "none" : covered.grouped) of the cloud store"
        return Warning(
            "indexNotFilled",
            "the search index `\(name)` covers \(indexed.counted("record")) of the local store, and \(number)",
            hint: rebuilding)
    }

    /// How to fill it: <https://sqlite.org/fts5.html#the_rebuild_command>.
    private var rebuilding: String {
        guard let content, !content.isEmpty else { return "Let the app fill it again." }
        return
            "Rebuild it in the app: `INSERT INTO \(quoted(name))(\(quoted(name))) VALUES('rebuild')`."
    }
}
