package import GodwitModel
internal import CSQLiteShim

/// Foreign keys while a schema changes.
extension SQLiteConnection {
    /// Runs a body with foreign keys off, and refuses (65) what it did if more of them point nowhere than before.
    ///
    /// SQLite's own recipe for changing a table makes a new one and drops the old. With foreign keys on, DROP TABLE
    /// first deletes every row, and ON DELETE CASCADE takes the children along, without a word:
    /// <https://sqlite.org/foreignkeys.html#fk_schemacommands>, <https://sqlite.org/lang_altertable.html#otheralter>.
    /// The pragma does nothing inside a transaction; the same switch by `sqlite3_db_config` does.
    ///
    /// - Parameter isLast: false where another change follows, which may make sense of foreign keys that make none yet.
    package func withForeignKeysOff(
        isLast: Bool = true, _ body: () throws(GodwitError) -> Void
    ) throws(GodwitError) {
        let before = try? danglingReferences()
        try withForeignKeysUnchecked(body)
        // A store whose foreign keys made no sense before can't be held to them now.
        guard let before else { return }
        guard let after = try isLast ? danglingReferences() : try? danglingReferences(), after > before else { return }
        throw GodwitError(
            stage, .data,
            "\(name) would have \(after.counted("foreign key")) that \(after == 1 ? "points" : "point") nowhere; "
                + "it had \(before.grouped).",
            hint: "See PRAGMA foreign_key_check.")
    }

    /// Runs a body that changes records, with foreign keys held as `PRAGMA foreign_key_check` judges them.
    ///
    /// SQLite refuses every change of a REAL column that refers to an INTEGER PRIMARY KEY, since the 1.0 that is stored there
    /// is no 1 to `sqlite3FkCheck`, while the check finds nothing wrong. In a store with such a foreign key the records are
    /// checked when all is done; elsewhere nothing is different.
    package func withForeignKeysJudged<R>(_ body: () throws(GodwitError) -> R) throws(GodwitError) -> R {
        guard try hasMisjudgedReference() else { return try body() }
        var result: R?
        try withForeignKeysOff { () throws(GodwitError) in result = try body() }
        guard let result else { throw GodwitError(stage, .bug, "A change of records ended without a result.") }
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

    /// Runs a body with foreign keys off, whatever it leaves behind: for restoring what was so before.
    package func withForeignKeysUnchecked<R>(_ body: () throws(GodwitError) -> R) throws(GodwitError) -> R {
        let wereOn = try first("PRAGMA foreign_keys") == .integer(1)
        _ = godwit_sqlite_set_option(handle, SQLITE_DBCONFIG_ENABLE_FKEY, 0)
        defer { _ = godwit_sqlite_set_option(handle, SQLITE_DBCONFIG_ENABLE_FKEY, wereOn ? 1 : 0) }
        return try body()
    }

    /// How many foreign keys point nowhere; fails where one names a column that can't be referred to.
    package func countDanglingReferences() throws(GodwitError) -> Int { try danglingReferences() }

    private func danglingReferences() throws(GodwitError) -> Int {
        let cursor = try prepare("PRAGMA foreign_key_check")
        var count = 0
        while try cursor.step() { count += 1 }
        return count
    }
}
