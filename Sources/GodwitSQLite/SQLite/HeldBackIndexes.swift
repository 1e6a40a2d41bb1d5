package import GodwitModel

/// Indexes that are dropped while a new store gets its records, and are built afterwards from all of them at once.
///
/// Inserting into an index record by record reads and writes another page each time; sorted entries are written in
/// order. `sqlite3 .dump` also creates its indexes last
/// (<https://sqlite.org/cli.html#converting_an_entire_database_to_a_text_file>).
/// Only indexes that cannot reject a record: for UNIQUE, expressions and conditions, an error should name the record.
/// Only if the store has no triggers left, because a trigger may name an index.
package struct HeldBackIndexes {
    private let indexes: [(name: String, statement: String)]

    /// Drops them in a store that is being made.
    package init(_ store: SQLiteConnection) throws(GodwitError) {
        guard try store.rows("SELECT 1 FROM main.sqlite_schema WHERE type = 'trigger' LIMIT 1").isEmpty else {
            indexes = []
            return
        }
        var found: [(name: String, statement: String)] = []
        for row in try store.rows(
            "SELECT name, tbl_name, sql FROM main.sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY rowid"
        )
        where try Self.takesAnyRecord(row[0], of: row[1].readable, in: store) {
            found.append((row[0].readable, row[2].readable))
        }
        indexes = found
        for index in indexes { try store.execute("DROP INDEX main.\(quoted(index.name))") }
    }

    private static func takesAnyRecord(
        _ index: Value, of table: String, in store: SQLiteConnection
    ) throws(GodwitError) -> Bool {
        // seq, name, unique, origin, partial: https://sqlite.org/pragma.html#pragma_index_list
        let kind = try store.rows("PRAGMA main.index_list(\(quoted(table)))").first { $0[1] == index }
        guard let kind, kind[2] == .integer(0), kind[4] == .integer(0) else { return false }
        // seqno, cid (-2: an expression), name: https://sqlite.org/pragma.html#pragma_index_info
        return try store.rows("PRAGMA main.index_info(\(quoted(index.readable)))").allSatisfy { $0[1] != .integer(-2) }
    }

    package var names: [String] { indexes.map(\.name) }

    /// Builds them with the statements of the app's own schema files, as SQLite keeps them.
    package func putBack(into store: SQLiteConnection) throws(GodwitError) {
        for index in indexes {
            do throws(GodwitError) {
                try store.execute(index.statement)
            } catch {
                throw error.aboutBuilding(index.name, of: store)
            }
        }
    }
}

extension GodwitError {
    /// An error about disk space: SQLite does not say if the store's volume is full, or the one where it sorts.
    ///
    /// Where SQLite sorts: <https://sqlite.org/tempfiles.html#temporary_file_storage_locations>
    fileprivate func aboutBuilding(_ index: String, of store: SQLiteConnection) -> GodwitError {
        guard code == .io, underlying?.contains("disk is full") == true else { return self }
        var error = self
        error.message = "no space left to build the index \(index) of `\(store.name)`"
        error.hint =
            "Free some space in TMPDIR (default: /var/tmp) and next to the store, or set TMPDIR to a "
            + "folder with more space; then run the same command again."
        return error
    }
}
