package import GodwitModel
internal import CSQLiteShim

/// The module of a virtual table, by the statement that made the table: it is never run, since it is code that a
/// foreign store names.
package struct VirtualModule: Sendable, Equatable {
    /// `fts5`, `rtree`, … in lower case.
    package let name: String

    /// Reads `CREATE VIRTUAL TABLE name USING module(…)`: <https://sqlite.org/lang_createvtab.html>.
    package init(of sql: String) {
        name = SQLTokens(sql).words.dropFirst(4).drop { $0 != "using" }.dropFirst().first ?? ""
    }

    package var isFullText: Bool { ["fts3", "fts4", "fts5"].contains(name) }
    package var isTree: Bool { ["rtree", "rtree_i32", "geopoly"].contains(name) }
    /// Whether it only shows the content of other tables, and has no tables of its own:
    /// <https://sqlite.org/fts5.html#the_fts5vocab_virtual_table_module>, fts3.html#fts4aux.
    package var isView: Bool { ["fts5vocab", "fts4aux", "fts3tokenize", "dbstat"].contains(name) }

    /// Whether this SQLite has it; one of an extension of the app's can only be run by the app.
    package var isPresent: Bool { Self.present.contains(name) }

    private static let present: Set<String> = {
        var handle: OpaquePointer?
        defer { sqlite3_close_v2(handle) }
        guard sqlite3_open_v2(":memory:", &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK,
            let handle
        else { return usual }
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        // https://sqlite.org/pragma.html#pragma_module_list
        guard sqlite3_prepare_v2(handle, "PRAGMA module_list", -1, &statement, nil) == SQLITE_OK else { return usual }
        var found: Set<String> = []
        while sqlite3_step(statement) == SQLITE_ROW {
            if let name = sqlite3_column_text(statement, 0) { found.insert(String(cString: name).lowercased()) }
        }
        return found.isEmpty ? usual : found
    }()

    /// For an SQLite that does not say.
    private static let usual: Set<String> = [
        "fts3", "fts3tokenize", "fts4", "fts4aux", "fts5", "fts5vocab", "rtree", "rtree_i32",
    ]

    /// Names of the ordinary tables that it keeps its things in, behind the name of the virtual one and `_`:
    /// <https://sqlite.org/fts5.html#appendix_b>, fts3.html, rtree.html; nil if they are not known.
    var endings: [String]? {
        switch name {
        // With `content=` it makes none for text; but SQLite refuses every write to a table of that name all the same.
        case "fts5": return ["data", "idx", "content", "docsize", "config"]
        case "fts3", "fts4": return ["content", "segments", "segdir", "docsize", "stat"]
        case _ where isTree: return ["node", "rowid", "parent"]
        case _ where isView: return []
        default: return nil
        }
    }
}

/// The ordinary tables in which virtual ones keep their things: they hold no records of the app's own.
///
/// Recognized by name, since `PRAGMA table_list` runs the modules. A table that only begins like a virtual one is the
/// app's: `search_history` next to a full-text table `search`. Of a module that is not known, all tables are its own
/// that are called `<virtual>_…` and that no foreign key joins to a table of the app's.
package struct ShadowTables: Sendable {
    private let names: [String]
    /// The virtual tables whose modules this SQLite has not, each with its tables.
    package let extensions: [ExtensionTable]

    /// - Parameter virtual: names of the virtual tables, each with the statement that made it.
    init(
        of virtual: [(name: String, sql: String)], among tables: [String], _ store: SQLiteConnection
    )
        throws(GodwitError)
    {
        var names: [String] = []
        var extensions: [ExtensionTable] = []
        for (name, sql) in virtual {
            let module = VirtualModule(of: sql)
            var own: [String]
            if let endings = module.endings {
                own = tables.filter { table in endings.contains { table.isSameName(as: "\(name)_\($0)") } }
            } else {
                own = tables.filter { $0.foldedName.starts(with: "\(name)_".foldedName) }
                own = try own.isEmpty ? [] : store.apart(own, from: tables)
            }
            names += own
            if !module.isPresent { extensions.append(ExtensionTable(name: name, module: module.name, tables: own)) }
        }
        (self.names, self.extensions) = (names, extensions)
    }

    /// Reads them from a store.
    package init(of store: SQLiteConnection) throws(GodwitError) {
        let rows = try store.rows("SELECT name, sql, rootpage FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        try self.init(
            of: rows.filter { $0[2] == .integer(0) }.map { ($0[0].readable, $0[1].readable) },
            among: rows.filter { $0[2] != .integer(0) }.map { $0[0].readable }, store)
    }

    package func contains(_ table: String) -> Bool { names.contains { $0.isSameName(as: table) } }
}

extension SQLiteConnection {
    /// Those of some tables that no foreign key joins to any other table.
    fileprivate func apart(_ some: [String], from tables: [String]) throws(GodwitError) -> [String] {
        var joined: [String] = []
        for table in tables {
            let isOne = some.contains { $0.isSameName(as: table) }
            // id, seq, table, …: https://sqlite.org/pragma.html#pragma_foreign_key_list
            for row in try rows("PRAGMA foreign_key_list(\(quoted(table)))") {
                let parent = row[2].readable
                guard isOne != some.contains(where: { $0.isSameName(as: parent) }) else { continue }
                joined.append(isOne ? table : parent)
            }
        }
        return some.filter { table in !joined.contains { $0.isSameName(as: table) } }
    }
}
