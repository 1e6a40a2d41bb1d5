package import GodwitModel

/// Whether records may go into an empty table as they lie in another, with the entries of its indexes, unlooked at.
///
/// SQLite does that for `INSERT INTO t SELECT * FROM s.t` between tables that are made alike: it copies what the files
/// hold, and computes and checks nothing. Source: `xferOptimization` in SQLite's insert.c. Godwit lets it only where
/// there is nothing to check, and where `integrity_check` has held all that is copied against each other, as it does
/// not for what would run the source's own code.
package struct TableTransfer {
    private let source: SQLiteConnection
    private let target: SQLiteConnection

    package init(from source: SQLiteConnection, to target: SQLiteConnection) {
        (self.source, self.target) = (source, target)
    }

    /// Whether this may be done with one table.
    package func isPossible(_ local: EntityTable, _ cloud: EntityTable) throws(GodwitError) -> Bool {
        let (mine, theirs) = (local.shape, cloud.shape)
        guard mine.columns == theirs.columns, !theirs.columns.contains(where: \.isGenerated),
            mine.isWithoutRowid == theirs.isWithoutRowid, mine.isStrict == theirs.isStrict
        else { return false }
        for text in [try Self.words(of: mine, in: source), try Self.words(of: theirs, in: target)] {
            // Also where a column is called so: nothing is lost but time.
            if ["check", "conflict", "references"].contains(where: text.contains) { return false }
        }
        guard try target.first(Self.trigger, [.string(theirs.name)]) == nil, try !hasFilledReferrers(theirs),
            let present = try Self.indexes(of: mine, in: source),
            let wanted = try Self.indexes(of: theirs, in: target)
        else { return false }
        // Rows of a table that has neither an index nor a name for their numbers would be numbered anew.
        let identity = try target.identityColumns(of: theirs)
        return wanted.isSubset(of: present) && (!wanted.isEmpty || identity != nil)
    }

    /// Whether a table that refers to this one has records already.
    ///
    /// SQLite counts those whose parent is not there yet, and counts them off again as it looks at each parent that
    /// comes in. Parents that come in unlooked at count nothing off, and the commit fails:
    /// <https://sqlite.org/foreignkeys.html#fk_deferred>, `sqlite3FkCheck` in fkey.c.
    private func hasFilledReferrers(_ table: TableShape) throws(GodwitError) -> Bool {
        for row in try target.rows(Self.referring) where !row[0].readable.isSameName(as: table.name) {
            let name = quoted(row[0].readable)
            // `PRAGMA foreign_key_list`: id, seq, table, …; <https://sqlite.org/pragma.html#pragma_foreign_key_list>.
            let keys = try target.rows("PRAGMA main.foreign_key_list(\(name))")
            guard keys.contains(where: { $0[2].readable.isSameName(as: table.name) }) else { continue }
            if try target.first("SELECT 1 FROM main.\(name) LIMIT 1") != nil { return true }
        }
        return false
    }

    /// Ordinary tables that may have foreign keys: most stores have none, and are not looked through further.
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

    /// The indexes of a table, each as what it holds and how; nil where one of them computes something.
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
