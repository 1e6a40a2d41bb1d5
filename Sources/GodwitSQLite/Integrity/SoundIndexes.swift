package import GodwitModel
internal import Synchronization

/// The tables of one connection whose indexes may be used: `integrity_check` has passed on them, or Godwit built them.
///
/// `quick_check` does not compare an index with its table (<https://sqlite.org/pragma.html#pragma_quick_check>). So an
/// index of a user's store may lack records, or give the wrong ones, and no read may depend on it.
final class SoundIndexes: Sendable {
    private let state = Mutex<(areAll: Bool, tables: Set<[UInt8]>)>((false, []))

    func has(_ table: String) -> Bool {
        state.withLock { $0.areAll || $0.tables.contains(table.foldedName) }
    }

    func add(_ table: String) { state.withLock { _ = $0.tables.insert(table.foldedName) } }

    /// Adds all tables, also those that are made later: of a store that Godwit makes.
    func addAll() { state.withLock { $0.areAll = true } }
}

extension SQLiteConnection {
    /// A table after FROM, quoted, that is read without indexes unless they are known to be sound.
    ///
    /// - Parameters:
    ///   - alias: its name in the statement.
    ///   - store: the store in SQL, such as `main`.
    package func source(
        _ table: String, as alias: String? = nil, in store: String? = nil
    ) throws(GodwitError) -> String {
        let name = (store.map { $0 + "." } ?? "") + quoted(table)
        return try (alias.map { "\(name) AS \($0)" } ?? name) + access(to: table)
    }

    /// What excludes the indexes of a table after its name in SQL; empty if they are known to be sound.
    ///
    /// In a table WITHOUT ROWID, NOT INDEXED has no effect: SQLite may read any index that has all columns. The index of
    /// its primary key is the table itself: <https://sqlite.org/withoutrowid.html>. Even INDEXED BY has no effect on
    /// `count(*)`, but on `count(1)`.
    package func access(to table: String) throws(GodwitError) -> String {
        if soundIndexes.has(table) { return "" }
        return try primaryKey(withoutRowid: table).map { " INDEXED BY \(quoted($0))" } ?? " NOT INDEXED"
    }

    /// The index that contains a table WITHOUT ROWID; nil for a table with rowids.
    func primaryKey(withoutRowid table: String) throws(GodwitError) -> String? {
        for index in try rows("PRAGMA index_list(\(quoted(table)))") where index[3] == .string("pk") {
            let parts = try rows("PRAGMA index_xinfo(\(quoted(index[1].readable)))")
            if !parts.contains(where: { $0[1] == .integer(-1) }) { return index[1].readable }
        }
        return nil
    }

    /// Throws (65) if an index of one of these tables differs from it; later statements may use their indexes.
    ///
    /// Call it before the first write to a user's store. Tables on which `integrity_check` must not run are not checked,
    /// and stay without indexes for reading (`CheckedTable`).
    package func requireSoundIndexes(of tables: [String]) throws(GodwitError) {
        let unknown = tables.filter { !soundIndexes.has($0) }
        guard !unknown.isEmpty else { return }
        let checked = try checkedTables(named: unknown).filter(\.isPlain)
        try ignoringChecks { () throws(GodwitError) in
            // In a table without indexes, `quick_check` has found everything.
            for table in checked where try !rows("PRAGMA index_list(\(quoted(table.name)))").isEmpty {
                try requireSound("integrity_check(\(quoted(table.name)))")
            }
        }
        for table in checked { soundIndexes.add(table.name) }
    }

    /// The same for tables whose records change, and for those that SQLite changes or searches with them: by triggers
    /// and foreign keys.
    package func requireSoundIndexes(changing tables: [String]) throws(GodwitError) {
        let shape = try readShape()
        let references = try readReferences(shape)
        var changed = Set(tables.map(\.foldedName))
        while let child = references.first(where: { changed.contains($0.parent) && !changed.contains($0.table) }) {
            changed.insert(child.table)
        }
        guard try !hasTriggers(on: changed) else { return try requireSoundIndexes() }
        let searched = references.filter { changed.contains($0.table) }.map(\.parent)
        let all = changed.union(searched)
        try requireSoundIndexes(of: shape.tables.map(\.name).filter { all.contains($0.foldedName) })
    }

    private func hasTriggers(on tables: Set<[UInt8]>) throws(GodwitError) -> Bool {
        for schema in isOfApp ? ["main.sqlite_master", "sqlite_temp_master"] : ["main.sqlite_master"] {
            let found = try rows("SELECT tbl_name FROM \(schema) WHERE type = 'trigger'")
            if found.contains(where: { tables.contains($0[0].readable.foldedName) }) { return true }
        }
        return false
    }

    /// The same, before any table may be written.
    package func requireSoundIndexes() throws(GodwitError) {
        try requireSoundIndexes(of: checkedTables().map(\.name))
    }

    /// Uses the indexes of these tables from now on, if they are sound: for many searches on a store that is only read.
    package func useSoundIndexes(of tables: [String]) throws(GodwitError) {
        for table in tables {
            do throws(GodwitError) { try requireSoundIndexes(of: [table]) } catch  where error.isFinding {}
        }
    }

    /// Builds the indexes of a private clone, because their pages came from a store where they were not checked.
    ///
    /// Throws (65) if a unique index cannot be built. Statements may then use all indexes, except those of tables with
    /// expressions or an order that only the app has.
    package func rebuildIndexes() throws(GodwitError) {
        for table in try checkedTables() where table.isPlain {
            do throws(GodwitError) { try rebuildIndexes(of: table.name) } catch {
                throw error.code == .data ? unsound(error.underlying) : error
            }
            soundIndexes.add(table.name)
        }
    }

    /// Builds the indexes of a table from its records; the index that is the table itself stays.
    package func rebuildIndexes(of table: String) throws(GodwitError) {
        let own = try primaryKey(withoutRowid: table)
        for index in try rows("PRAGMA index_list(\(quoted(table)))") where index[1].readable != own {
            try execute("REINDEX main.\(quoted(index[1].readable))")
        }
    }

    /// Runs a body in which SQLite's checks evaluate no CHECK of the store.
    private func ignoringChecks(_ body: () throws(GodwitError) -> Void) throws(GodwitError) {
        // Readers never evaluate them (`SQLiteReader`).
        if owner?.isReader == true { return try body() }
        let before = try first("PRAGMA ignore_check_constraints") == .integer(1)
        try execute("PRAGMA ignore_check_constraints=ON")
        defer { if !before { try? execute("PRAGMA ignore_check_constraints=OFF") } }
        try body()
    }
}
