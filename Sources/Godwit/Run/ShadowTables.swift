internal import GodwitModel
internal import GodwitStore

/// The ordinary tables in which virtual ones keep their things: they hold no records of the app's own.
///
/// Told by name, since `PRAGMA table_list` runs the modules. A table that only begins like a virtual one is the app's:
/// `search_history` beside a full-text table `search`.
struct ShadowTables {
    private let names: [String]

    init(of store: SQLiteConnection) throws(GodwitError) {
        let made = try store.rows(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%'")
        names = made.flatMap { row in Self.endings(of: row[1].readable).map { "\(row[0].readable)_\($0)" } }
    }

    func contains(_ table: String) -> Bool { names.contains { $0.isSameName(as: table) } }

    private static let fullText5 = ["data", "idx", "content", "docsize", "config"]
    private static let fullText4 = ["content", "segments", "segdir", "docsize", "stat"]
    private static let tree = ["node", "rowid", "parent"]

    /// By the module of `CREATE VIRTUAL TABLE name USING module(…)`; all of them, where it is another.
    ///
    /// <https://sqlite.org/fts5.html#appendix_b>, fts3.html, rtree.html.
    private static func endings(of sql: String) -> [String] {
        let behindName = SQLTokens(sql).words.dropFirst(4)
        let module = behindName.drop { $0 != "using" }.dropFirst().first ?? ""
        switch module {
        case "fts5": return fullText5
        case "fts3", "fts4": return fullText4
        case "rtree", "rtree_i32", "geopoly": return tree
        case "fts5vocab", "fts4aux", "fts3tokenize", "dbstat": return []
        default: return fullText5 + fullText4 + tree
        }
    }
}
