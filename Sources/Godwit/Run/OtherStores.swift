internal import GodwitFiles
internal import GodwitLedger
internal import GodwitModel
internal import GodwitSQLite

/// Stores of a container that neither the manifest nor its `ignore` names.
struct OtherStores: RunStep {
    let stores: StoreOpener
    /// Names of entities and of Core Data's entities, as SQLite compares names.
    private let names: [[UInt8]: String]

    init(stores: StoreOpener) {
        self.stores = stores
        let pairs = stores.scope.manifest.entities.flatMap { entity in
            [entity.name, entity.source?.origin.entity].compactMap(\.self).map { ($0.foldedName, entity.name) }
        }
        names = Dictionary(pairs) { first, _ in first }
    }

    struct Found {
        let store: String
        /// Entities of the manifest that it has records of, in tables or entities of Core Data of these names.
        var entities: [String] = []
        /// The number of these records.
        var records: Int64 = 0
        /// How many other tables have records; counted only if it has none of the manifest's entities.
        var otherTables = 0
        /// Whether it has the receipt of a copy.
        var isCopied = false
    }

    /// The first store with records in tables, or in entities of Core Data, that are called like the manifest's.
    ///
    /// - Parameter isCopied: whether only one with the receipt of a copy counts.
    func first(isCopied: Bool = false) throws(GodwitError) -> Found? {
        for store in try unnamed() {
            if let found = try read(store), found.records > 0, found.isCopied || !isCopied { return found }
        }
        return nil
    }

    /// All stores with records; those with records of the manifest's entities first.
    func withRecords() throws(GodwitError) -> [Found] {
        var (ofApp, others): ([Found], [Found]) = ([], [])
        for store in try unnamed() {
            guard let found = try read(store) else { continue }
            if found.records > 0 { ofApp.append(found) } else if found.otherTables > 0 { others.append(found) }
        }
        return ofApp + others
    }

    /// Stores that the manifest does not name, that are not copies by Godwit, and not stores of the system; sorted by
    /// name.
    private func unnamed() throws(GodwitError) -> [ContainerWalk.Found] {
        var found: [ContainerWalk.Found] = []
        for store in try stores.walk().stores where try isUnnamed(store) { found.append(store) }
        return found.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    private func isUnnamed(_ store: ContainerWalk.Found) throws(GodwitError) -> Bool {
        if store.name.contains(OwnFiles.rollbackEnding) || OwnFiles.isTemporary(store.name) { return false }
        if isOfSystem(store.name) || manifest.ignore.namesStore(store.name) { return false }
        for named in [files.local, files.cloud] {
            // A dry run has copies of the named ones, and walks through the original.
            if named.name.utf8.elementsEqual(store.name.utf8) { return false }
            for path in [named.path] + files.container.places.map({ PathText.join($0, named.name) })
            where try FileStatus.of(path)?.isSameFile(as: store.status) == true {
                return false
            }
        }
        return true
    }

    /// Whether the system writes such a store for every app: the cache of URLSession, or anything of Apple's frameworks.
    private func isOfSystem(_ name: String) -> Bool {
        let parts = name.split(separator: "/")
        return parts.last == "Cache.db" || parts.contains { $0.hasPrefix("com.apple.") }
    }

    /// The content of the store; nil if it cannot be read.
    private func read(_ store: ContainerWalk.Found) throws(GodwitError) -> Found? {
        do throws(GodwitError) {
            let snapshot = try StoreSnapshot(
                of: store.path, name: store.name, stage: .container, context: context, checkingIntegrity: false)
            return try examine(snapshot.connection, store.name)
        } catch {
            try context.cancellation.check(.container)
            return nil
        }
    }

    private func examine(_ store: SQLiteConnection, _ name: String) throws(GodwitError) -> Found {
        let shape = try store.readShape()
        var found = Found(store: name)
        for (table, entity) in try tablesOfApp(store, shape) {
            let count = try store.countRecords(of: table)
            guard count > 0 else { continue }
            if !found.entities.contains(entity) { found.entities.append(entity) }
            found.records += count
        }
        if found.records == 0 { found.otherTables = try countFilledTables(store, shape) }
        found.isCopied = try store.readReceipt(.copy) != nil
        return found
    }

    /// The tables that are called like an entity, or that Core Data has for an entity of that name.
    private func tablesOfApp(
        _ store: SQLiteConnection, _ shape: SchemaShape
    ) throws(GodwitError) -> [(table: String, entity: String)] {
        var tables = shape.tables.compactMap { table in
            names[table.name.foldedName].map { (table: table.name, entity: $0) }
        }
        guard shape.table(named: "Z_PRIMARYKEY") != nil else { return tables }
        for row in try store.rows("SELECT Z_NAME FROM Z_PRIMARYKEY") {
            guard let entity = names[row[0].readable.foldedName],
                let table = shape.table(named: "Z" + row[0].readable.uppercased())
            else { continue }
            tables.append((table.name, entity))
        }
        return tables
    }

    /// How many tables have records, besides those in which SQLite's extensions, migrators and Core Data keep their own.
    private func countFilledTables(_ store: SQLiteConnection, _ shape: SchemaShape) throws(GodwitError) -> Int {
        let shadows = try ShadowTables(of: store)
        let isCoreData = shape.table(named: "Z_PRIMARYKEY") != nil
        var count = 0
        for table in shape.tables where !table.isMigratorsOwn && !shadows.contains(table.name) {
            if isCoreData, Self.isOfCoreData(table.name) { continue }
            if try store.first("SELECT 1 FROM \(store.source(table.name)) LIMIT 1") != nil { count += 1 }
        }
        return count
    }

    /// Whether Core Data keeps its metadata, its history or its mirroring in it.
    private static func isOfCoreData(_ table: String) -> Bool {
        ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE", "ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"].contains(table)
            || table.hasPrefix("ANSCK")
    }
}
