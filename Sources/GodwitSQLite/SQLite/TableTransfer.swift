package import GodwitModel

/// Decides if SQLite may copy all records of a table, with their index entries, to an empty table without checking
/// them.
///
/// SQLite does that for `INSERT INTO t SELECT * FROM s.t` if both tables are declared alike: it copies the content of
/// the pages, and computes and checks nothing. Source: `xferOptimization` in SQLite's insert.c. Godwit permits it only
/// if there is nothing to check. It builds the indexes again afterwards, because those of the source were not compared
/// with their table (`rebuildIndexes`).
package struct TableTransfer {
    private let source: SQLiteConnection
    private let target: SQLiteConnection

    package init(from source: SQLiteConnection, to target: SQLiteConnection) {
        (self.source, self.target) = (source, target)
    }

    package func isPossible(_ local: EntityTable, _ cloud: EntityTable) throws(GodwitError) -> Bool {
        let (mine, theirs) = (local.shape, cloud.shape)
        guard mine.columns == theirs.columns, !theirs.columns.contains(where: \.isGenerated),
            mine.isWithoutRowid == theirs.isWithoutRowid, mine.isStrict == theirs.isStrict
        else { return false }
        for text in [try Self.words(of: mine, in: source), try Self.words(of: theirs, in: target)] {
            // Also true if a column has such a name; that costs only time.
            if ["check", "conflict"].contains(where: text.contains) { return false }
            if target.checksForeignKeys, text.contains("references") { return false }
        }
        guard try target.first(Self.trigger, [.string(theirs.name)]) == nil,
            try !hasFilledReferrers(theirs),
            let present = try Self.indexes(of: mine, in: source),
            let wanted = try Self.indexes(of: theirs, in: target)
        else { return false }
        // SQLite would renumber the rows of a table that has no index and no column for its rowids.
        let identity = try target.identityColumns(of: theirs)
        return wanted.isSubset(of: present) && (!wanted.isEmpty || identity != nil)
    }

    /// Whether a table that refers to this one already has records, and SQLite checks foreign keys now.
    ///
    /// SQLite counts records whose parent does not exist yet, and decrements the count when it checks an inserted
    /// parent. Parents that are copied without checks do not decrement it, and the commit fails:
    /// <https://sqlite.org/foreignkeys.html#fk_deferred>, `sqlite3FkCheck` in fkey.c.
    private func hasFilledReferrers(_ table: TableShape) throws(GodwitError) -> Bool {
        guard target.checksForeignKeys else { return false }
        for row in try target.rows(Self.referring) where !row[0].readable.isSameName(as: table.name) {
            let name = quoted(row[0].readable)
            // `PRAGMA foreign_key_list`: id, seq, table, …; <https://sqlite.org/pragma.html#pragma_foreign_key_list>.
            let keys = try target.rows("PRAGMA main.foreign_key_list(\(name))")
            guard keys.contains(where: { $0[2].readable.isSameName(as: table.name) }) else { continue }
            if try target.first("SELECT 1 FROM main.\(name) NOT INDEXED LIMIT 1") != nil { return true }
        }
        return false
    }

    /// Ordinary tables that may have foreign keys; most stores have none.
    private static let referring =
        "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND rootpage <> 0 AND sql LIKE '%references%'"

    private static let trigger =
        "SELECT 1 FROM main.sqlite_schema WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE"

    private static func words(
        of table: TableShape, in store: SQLiteConnection
    ) throws(GodwitError) -> Set<String> {
        let sql = try store.first(
            "SELECT sql FROM main.sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE", [.string(table.name)]
        )
        return Set(SQLTokens(sql?.readable ?? "").words)
    }

    /// The columns and properties of each index of a table; nil if an index computes something.
    ///
    /// `PRAGMA index_list`: seq, name, unique, origin, partial; `index_xinfo`: seqno, cid, name, desc, coll, key.
    /// <https://sqlite.org/pragma.html#pragma_index_xinfo>
    private static func indexes(
        of table: TableShape, in store: SQLiteConnection
    ) throws(GodwitError) -> Set<[Value]>? {
        var found: Set<[Value]> = []
        for index in try store.rows("PRAGMA main.index_list(\(quoted(table.name)))") {
            if index[4] != .integer(0) { return nil }
            var what = [index[2]]
            for part in try store.rows("PRAGMA main.index_xinfo(\(quoted(index[1].readable)))") {
                if part[1] == .integer(-2) { return nil }
                what += [part[1], part[3], part[4]]
            }
            found.insert(what)
        }
        return found
    }
}
