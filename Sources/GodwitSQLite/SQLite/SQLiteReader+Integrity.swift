package import GodwitModel

/// Checks a store before any of it is trusted.
///
/// `integrity_check` evaluates generated columns and expressions of indexes to compare them. These are the store's own
/// code: it must not run, and if it fails, the stored records can still be valid. A table with such expressions is
/// checked differently; see `SQLiteConnection.requireEntries`.
extension SQLiteReader {
    /// Throws (65) if the store claims more pages than its files can contain.
    ///
    /// A log or journal of 600 bytes can set the size to four billion pages, and `integrity_check` first allocates a
    /// table of all of them: half a gigabyte. The limit has a margin, because every page of a valid store is in one of
    /// its files.
    borrowing func requirePages(within bytes: Int64) throws(GodwitError) {
        guard case .integer(let size)? = try connection.first("PRAGMA page_size"), size > 0,
            case .integer(let pages)? = try connection.first("PRAGMA page_count"), pages > 2 * (bytes / size) + 16
        else { return }
        throw connection.unsound("its header states \(pages.counted("page")), more than its files have")
    }

    /// Throws (65) if the store is not sound; uses only this connection, unlike `SoundnessCheck`.
    ///
    /// - Parameter size: the smallest size of a large store, in bytes; see `IntegrityPlan`.
    /// - Returns: the tables that scans have proven, without `integrity_check`.
    @discardableResult
    package borrowing func checkIntegrity(
        largeFrom size: Int64 = SoundnessCheck.large
    ) throws(GodwitError) -> [String] {
        let plan = try IntegrityPlan(connection, largeFrom: size)
        var outcomes: [IntegrityPlan.Outcome] = []
        for part in plan.parts { outcomes.append(try connection.perform(part)) }
        return try connection.settle(plan, outcomes)
    }
}

extension SQLiteConnection {
    /// Runs the remaining checks after a proof failed, and returns the tables that scans have proven.
    func settle(
        _ plan: IntegrityPlan, _ outcomes: [IntegrityPlan.Outcome]
    ) throws(GodwitError) -> [String] {
        for doubt in plan.doubts(outcomes) { _ = try perform(doubt) }
        return plan.proven(outcomes)
    }

    func requireSound(_ check: String) throws(GodwitError) {
        let cursor = try prepare("PRAGMA \(check)")
        var findings: [String] = []
        while try cursor.step() { findings.append(cursor.value(0).readable) }
        guard findings == ["ok"] else { throw unsound(findings.first) }
    }

    /// Throws (65) if `quick_check` finds an error, for tables that `integrity_check` must not read.
    ///
    /// - Returns: `undecided` if it found only NULL in tables WITHOUT ROWID: SQLite 3.40 wrongly finds it if the key is
    ///   not the first columns.
    func requireStructure(_ argument: String) throws(GodwitError) -> IntegrityPlan.Outcome {
        let findings = try prepare("PRAGMA quick_check(\(argument))")
        var isDoubtful = false
        while try findings.step() {
            let finding = findings.value(0).readable
            if finding == "ok" { continue }
            guard try isNullWithoutRowid(finding) else { throw unsound(finding) }
            isDoubtful = true
        }
        return isDoubtful ? .undecided : .sound
    }

    private func isNullWithoutRowid(_ finding: String) throws(GodwitError) -> Bool {
        for table in try rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0") {
            let name = table[0].readable
            if finding.hasPrefix("NULL value in \(name)."), try primaryKey(withoutRowid: name) != nil { return true }
        }
        return false
    }

    /// Whether a table has virtual generated columns (2 in `hidden`), which `quick_check` evaluates too.
    func computesColumns(_ table: String) throws(GodwitError) -> Bool {
        try rows("PRAGMA table_xinfo(\(quoted(table)))").contains { $0[6] == .integer(2) }
    }

    /// Whether `integrity_check` would evaluate something for this table: virtual generated columns, partial indexes,
    /// or expressions in indexes (-2 instead of a column).
    func computesExpressions(_ table: String) throws(GodwitError) -> Bool {
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
    func isMisread(_ table: String) throws(GodwitError) -> Bool {
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
