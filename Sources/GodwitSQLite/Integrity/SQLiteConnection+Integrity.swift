package import GodwitModel

/// How much of a store SQLite checks.
package enum IntegrityDepth: Sendable {
    /// `quick_check`: pages and records, but not the contents of indexes.
    case quick
    /// `integrity_check`: also compares each index with its table, which may need a random read for each record.
    case whole

    /// The fact that such a check proves.
    package var fact: StoreStateCache.Fact { self == .quick ? .sound : .soundWithIndexes }
}

/// Checks a store before any of it is trusted.
extension SQLiteReader {
    /// Throws (65) if the store claims more pages than its files can contain.
    ///
    /// A `-wal` file or journal of 600 bytes can set the size to four billion pages, and SQLite's checks first allocate
    /// a table of all of them: half a gigabyte. The limit has a margin, because every page of a valid store is in one
    /// of its files.
    borrowing func requirePages(within bytes: Int64) throws(GodwitError) {
        guard case .integer(let size)? = try connection.first("PRAGMA page_size"), size > 0,
            case .integer(let pages)? = try connection.first("PRAGMA page_count"), pages > 2 * (bytes / size) + 16
        else { return }
        throw connection.unsound("its header states \(pages.counted("page")), more than its files have")
    }

    /// Throws (65) if the store is not sound.
    package borrowing func checkIntegrity(_ depth: IntegrityDepth = .quick) throws(GodwitError) {
        try connection.checkIntegrity(depth)
    }
}

/// A table, and the checks that may run on it.
///
/// `integrity_check` evaluates generated columns and expressions of indexes to compare them. These are the store's own
/// code: it must not run, and if it fails, the stored records can still be valid.
struct CheckedTable {
    let name: String
    /// Whether not even `quick_check` may run: it evaluates virtual columns, and compares the keys of tables WITHOUT
    /// ROWID, perhaps in an order that only the app knows.
    let isComputed: Bool
    /// Whether `integrity_check` may run.
    let isPlain: Bool
    /// Whether `quick_check` may wrongly find NULL (`isMisread`).
    let isMisread: Bool

    fileprivate init(_ name: String, in store: SQLiteConnection) throws(GodwitError) {
        self.name = name
        isMisread = try store.isMisread(name)
        let isOrderedByApp = try store.isOrderedByApp(name)
        var isComputed = try store.computesColumns(name)
        if !isComputed, isOrderedByApp, let key = try store.primaryKey(withoutRowid: name) {
            isComputed = try store.isOrderedByApp(index: key)
        }
        self.isComputed = isComputed
        let isComputing = try store.computesExpressions(name)
        isPlain = !isComputing && !isMisread && !isOrderedByApp && !Self.isNumber(name)
    }

    /// The pragmas treat a name that begins like a number as the maximum number of findings.
    fileprivate static func isNumber(_ table: String) -> Bool {
        table.utf8.first.map { (0x30...0x39).contains($0) || $0 == 0x2B || $0 == 0x2D } ?? false
    }
}

extension SQLiteConnection {
    func checkIntegrity(_ depth: IntegrityDepth) throws(GodwitError) {
        let tables = try checkedTables()
        if depth == .whole, tables.allSatisfy(\.isPlain) { return try requireSound("integrity_check(3)") }
        if tables.contains(where: \.isComputed) {
            for table in tables {
                if table.isComputed || CheckedTable.isNumber(table.name) {
                    try readThrough(table.name)
                } else {
                    try requireStructure(quoted(table.name), tables)
                }
            }
        } else {
            try requireStructure("\(Self.mostFindings)", tables)
        }
        guard depth == .whole else { return }
        for table in tables where table.isPlain { try requireSound("integrity_check(\(quoted(table.name)))") }
    }

    /// All tables, or those of some names.
    func checkedTables(named names: [String]? = nil) throws(GodwitError) -> [CheckedTable] {
        try rows("SELECT name FROM main.sqlite_schema WHERE type = 'table' AND rootpage > 0").map { $0[0].readable }
            .filter { name in names?.contains { $0.isSameName(as: name) } ?? true }
            .map { name throws(GodwitError) in try CheckedTable(name, in: self) }
    }

    /// Maximum number of findings that are read when some of them may be wrong.
    private static let mostFindings = 1000

    func requireSound(_ check: String) throws(GodwitError) {
        let cursor = try prepare("PRAGMA main.\(check)")
        var findings: [String] = []
        while try cursor.step() { findings.append(cursor.value(0).readable) }
        guard findings == ["ok"] else { throw unsound(findings.first) }
    }

    /// Throws (65) if `quick_check` finds an error, except NULL in a table that it misreads.
    private func requireStructure(_ argument: String, _ tables: [CheckedTable]) throws(GodwitError) {
        let findings = try prepare("PRAGMA main.quick_check(\(argument))")
        while try findings.step() {
            let finding = findings.value(0).readable
            let isWrong = tables.contains { $0.isMisread && finding.hasPrefix("NULL value in \($0.name).") }
            guard finding == "ok" || isWrong else { throw unsound(finding) }
        }
    }

    /// Reads all records of a table on which not even `quick_check` may run.
    private func readThrough(_ table: String) throws(GodwitError) {
        let stored = try rows("PRAGMA table_xinfo(\(quoted(table)))").filter {
            $0[6] == .integer(0) || $0[6] == .integer(3)
        }
        let list = stored.map { quoted($0[1].readable) }.joined(separator: ", ")
        let records = try prepare("SELECT \(list) FROM \(source(table))")
        // Reading the last column makes SQLite parse and check the whole record.
        while try records.step() { _ = records.type(stored.count - 1) }
    }

    /// Whether a table has virtual generated columns (2 in `hidden`), which `quick_check` evaluates too.
    fileprivate func computesColumns(_ table: String) throws(GodwitError) -> Bool {
        try rows("PRAGMA table_xinfo(\(quoted(table)))").contains { $0[6] == .integer(2) }
    }

    /// Whether `integrity_check` would evaluate something for this table: virtual generated columns, partial indexes,
    /// or expressions in indexes (-2 instead of a column).
    fileprivate func computesExpressions(_ table: String) throws(GodwitError) -> Bool {
        if try computesColumns(table) { return true }
        for index in try rows("PRAGMA index_list(\(quoted(table)))") {
            if index[4] == .integer(1) { return true }
            let columns = try rows("PRAGMA index_xinfo(\(quoted(index[1].readable)))")
            if columns.contains(where: { $0[1] == .integer(-2) }) { return true }
        }
        return false
    }

    /// Whether SQLite's checks may wrongly find NULL in this table.
    ///
    /// SQLite 3.40 expects the columns of a table WITHOUT ROWID in the order of their declaration, but the key's
    /// columns are stored first: <https://sqlite.org/withoutrowid.html>,
    /// <https://sqlite.org/fileformat2.html#representation_of_sql_tables>.
    fileprivate func isMisread(_ table: String) throws(GodwitError) -> Bool {
        guard let key = try primaryKey(withoutRowid: table) else { return false }
        let columns = try rows("PRAGMA index_xinfo(\(quoted(key)))").filter { $0[5] == .integer(1) }.map { $0[1] }
        return columns != columns.indices.map { .integer(Int64($0)) }
    }

    func unsound(_ finding: String?) -> GodwitError {
        GodwitError(
            stage, .data, "`\(name)` is not a usable SQLite store",
            hint: "Restore it from a backup, or repair it with sqlite3's .recover into a new file.",
            underlying: finding?.split(separator: "\n").joined(separator: "; "))
    }
}
