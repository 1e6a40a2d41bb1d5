internal import GodwitFiles
internal import GodwitLedger
internal import GodwitModel
internal import GodwitSQLite

/// Stores of a container that the manifest does not name.
struct OtherStores {
    private let files: ContainerFiles
    private let context: RunContext
    /// Names of entities and of Core Data's entities, as SQLite compares names.
    private let names: [[UInt8]: String]

    init(_ files: ContainerFiles, _ manifest: Manifest, _ context: RunContext) {
        (self.files, self.context) = (files, context)
        let pairs = manifest.entities.flatMap { entity in
            [entity.name, entity.source?.origin.entity].compactMap(\.self).map { ($0.foldedName, entity.name) }
        }
        names = Dictionary(pairs) { first, _ in first }
    }

    struct Found {
        let store: String
        let entities: [String]
        let records: Int64
        /// Whether it has the receipt of a copy.
        let isCopied: Bool
    }

    /// The first store with records in tables, or in entities of Core Data, that are called like the manifest's.
    ///
    /// - Parameter isCopied: whether only one with the receipt of a copy counts.
    func first(isCopied: Bool = false) throws(GodwitError) -> Found? {
        for place in files.container.places {
            var walk = ContainerWalk(cancellation: context.cancellation)
            try walk.walk(place)
            for store in walk.result.stores where try isUnnamed(store) {
                if let found = try read(store), found.isCopied || !isCopied { return found }
            }
        }
        return nil
    }

    /// Whether it is neither named in the manifest nor a copy that Godwit made on the way back.
    private func isUnnamed(_ store: ContainerWalk.Found) throws(GodwitError) -> Bool {
        if store.name.contains(OwnFiles.rollbackEnding) { return false }
        for named in [files.local, files.cloud]
        where try FileStatus.of(named.path)?.isSameFile(as: store.status) == true {
            return false
        }
        // A rehearsal has copies of the named ones, under the same names.
        return ![files.local.name, files.cloud.name].contains { $0.utf8.elementsEqual(store.name.utf8) }
    }

    /// What it has of the app; nil also for a store that can't be read.
    private func read(_ store: ContainerWalk.Found) throws(GodwitError) -> Found? {
        do throws(GodwitError) {
            let snapshot = try StoreSnapshot(
                of: store.path, name: store.name, stage: .container, context: context, checkingIntegrity: false)
            return try count(in: snapshot.connection, store.name)
        } catch {
            try context.cancellation.check(.container)
            return nil
        }
    }

    private func count(in store: SQLiteConnection, _ name: String) throws(GodwitError) -> Found? {
        let shape = try store.readShape()
        var tables = shape.tables.compactMap { table in names[table.name.foldedName].map { (table.name, $0) } }
        if shape.table(named: "Z_PRIMARYKEY") != nil {
            for row in try store.rows("SELECT Z_NAME FROM Z_PRIMARYKEY") {
                guard let entity = names[row[0].readable.foldedName],
                    let table = shape.table(named: "Z" + row[0].readable.uppercased())
                else { continue }
                tables.append((table.name, entity))
            }
        }
        var (entities, records) = ([String](), Int64(0))
        for (table, entity) in tables {
            let count = try store.countRecords(of: table)
            guard count > 0 else { continue }
            if !entities.contains(entity) { entities.append(entity) }
            records += count
        }
        let isCopied = try store.readReceipt(.copy) != nil
        return records > 0 ? Found(store: name, entities: entities, records: records, isCopied: isCopied) : nil
    }
}
