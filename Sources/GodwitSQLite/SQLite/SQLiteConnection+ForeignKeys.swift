package import GodwitModel
internal import CSQLiteShim

/// Foreign keys during a change of the schema.
extension SQLiteConnection {
    /// Runs a body with foreign keys off, and throws (65) if more of them are broken afterwards.
    ///
    /// SQLite's own recipe for changing a table creates a new one and drops the old one. With foreign keys on, DROP
    /// TABLE first deletes every row, and ON DELETE CASCADE silently deletes the children too:
    /// <https://sqlite.org/foreignkeys.html#fk_schemacommands>, <https://sqlite.org/lang_altertable.html#otheralter>.
    /// The pragma has no effect inside a transaction; `sqlite3_db_config` does.
    ///
    /// - Parameter isLast: false if another change follows, which may make invalid foreign keys valid.
    package func withForeignKeysOff(
        isLast: Bool = true, _ body: () throws(GodwitError) -> Void
    ) throws(GodwitError) {
        let before = try? danglingReferences()
        try withForeignKeysUnchecked(body)
        // If the foreign keys were invalid before, they cannot be checked now.
        guard let before else { return }
        guard let after = try isLast ? danglingReferences() : try? danglingReferences(), after > before else { return }
        throw GodwitError(
            stage, .data,
            "\(after.counted("foreign key")) of `\(name)` would refer to "
                + "\(after == 1 ? "a record" : "records") that \(after == 1 ? "does" : "do") not exist (before: "
                + "\(before.grouped))",
            hint: "Correct the references that `PRAGMA foreign_key_check` lists.")
    }

    /// Runs a body that changes records, and judges foreign keys as `PRAGMA foreign_key_check` does.
    ///
    /// SQLite refuses every change of a REAL column that refers to an INTEGER PRIMARY KEY, because the stored 1.0 is
    /// not equal to 1 in `sqlite3FkCheck`; the pragma finds no error. In a store with such a foreign key, records are
    /// checked after the body. In all others nothing is different.
    package func withForeignKeysJudged<R>(_ body: () throws(GodwitError) -> R) throws(GodwitError) -> R {
        guard try hasMisjudgedReference() else { return try body() }
        var result: R?
        try withForeignKeysOff { () throws(GodwitError) in result = try body() }
        guard let result else { throw GodwitError(stage, .bug, "a change of records ended without a result") }
        return result
    }

    private func hasMisjudgedReference() throws(GodwitError) -> Bool {
        let shape = try readShape()
        for key in try readReferenceColumns(shape) {
            guard let child = shape.table(named: key.table), let parent = shape.table(named: key.parent),
                child.column(named: key.column)?.affinity(inStrict: child.isStrict) == .real, !parent.isWithoutRowid,
                let own = try identityColumns(of: parent)?.first, own.isSameName(as: key.parentColumn)
            else { continue }
            return true
        }
        return false
    }

    /// Runs a body with foreign keys off and checks nothing; to restore an earlier state.
    package func withForeignKeysUnchecked<R>(_ body: () throws(GodwitError) -> R) throws(GodwitError) -> R {
        let wereOn = checksForeignKeys
        _ = godwit_sqlite_set_option(handle, SQLITE_DBCONFIG_ENABLE_FKEY, 0)
        defer { _ = godwit_sqlite_set_option(handle, SQLITE_DBCONFIG_ENABLE_FKEY, wereOn ? 1 : 0) }
        return try body()
    }

    /// Whether SQLite enforces foreign keys now.
    var checksForeignKeys: Bool { godwit_sqlite_option(handle, SQLITE_DBCONFIG_ENABLE_FKEY) == 1 }

    /// Number of broken foreign keys; throws if one names columns that cannot be referred to.
    package func countDanglingReferences() throws(GodwitError) -> Int { try danglingReferences() }

    private func danglingReferences() throws(GodwitError) -> Int {
        let cursor = try prepare("PRAGMA foreign_key_check")
        var count = 0
        while try cursor.step() { count += 1 }
        return count
    }
}
