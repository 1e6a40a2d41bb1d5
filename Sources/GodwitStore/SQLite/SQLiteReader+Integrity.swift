package import GodwitModel

/// Whether a store is sound, asked before any of it is trusted.
///
/// `integrity_check` computes generated columns, and expressions of indexes, to compare them. Those are the store's own
/// code: it must not run, and where it fails the stored records are none the worse. A table with such expressions is
/// read through instead, and its other indexes must count as many records as it has.
extension SQLiteReader {
    /// Throws (65) where the store claims more pages than its files can hold.
    ///
    /// A log or a journal of 600 bytes can set the size to four billion pages, and `integrity_check` makes a table of all
    /// of them first: half a gigabyte. Every page of a sound store is in one of its files, so there is room to spare.
    borrowing func requirePages(within bytes: Int64) throws(GodwitError) {
        guard case .integer(let size)? = try connection.first("PRAGMA page_size"), size > 0,
            case .integer(let pages)? = try connection.first("PRAGMA page_count"), pages > 2 * (bytes / size) + 16
        else { return }
        throw connection.unsound("it claims \(pages.counted("page")), more than its files hold")
    }

    /// Throws (65) unless the store is sound, on this connection alone; see `SoundnessCheck` for more of them.
    ///
    /// - Parameter size: the bytes from which on a store is large; see `IntegrityPlan`.
    /// - Returns: the tables that were proven by scans, without `integrity_check`.
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
    /// Asks `integrity_check` where a proof failed, and returns the tables for which none did.
    func settle(
        _ plan: IntegrityPlan, _ outcomes: [IntegrityPlan.Outcome]
    ) throws(GodwitError) -> [String] {
        let doubts = plan.doubts(outcomes)
        for argument in doubts { try requireSound("integrity_check(\(argument))") }
        return doubts == ["3"] ? [] : plan.tables.filter { !doubts.contains(quoted($0)) }
    }

    func requireSound(_ check: String) throws(GodwitError) {
        let cursor = try prepare("PRAGMA \(check)")
        var findings: [String] = []
        while try cursor.step() { findings.append(cursor.value(0).readable) }
        guard findings == ["ok"] else { throw unsound(findings.first) }
    }

    /// Whether `integrity_check` would compute something for this table: virtual generated columns (2 in `hidden`),
    /// partial indexes, and expressions in indexes (-2 instead of a column).
    func computesExpressions(_ table: String) throws(GodwitError) -> Bool {
        if try rows("PRAGMA table_xinfo(\(quoted(table)))").contains(where: { $0[6] == .integer(2) }) { return true }
        for index in try rows("PRAGMA index_list(\(quoted(table)))") {
            if index[4] == .integer(1) { return true }
            let columns = try rows("PRAGMA index_xinfo(\(quoted(index[1].readable)))")
            if columns.contains(where: { $0[1] == .integer(-2) }) { return true }
        }
        return false
    }

    /// Reads every stored value of a table, and counts its records once more through each plain index.
    func readThrough(_ table: String) throws(GodwitError) {
        let stored = try rows("PRAGMA table_xinfo(\(quoted(table)))").filter {
            $0[6] == .integer(0) || $0[6] == .integer(3)
        }
        let columns = stored.map { quoted($0[1].readable) }.joined(separator: ", ")
        let records = try prepare("SELECT \(columns) FROM \(quoted(table)) NOT INDEXED")
        var count: Int64 = 0
        while try records.step() {
            count += 1
            // Asking for the last column makes SQLite parse and check the whole record.
            _ = records.type(stored.count - 1)
        }
        for index in try rows("PRAGMA index_list(\(quoted(table)))") where index[4] == .integer(0) {
            let name = index[1].readable
            let parts = try rows("PRAGMA index_xinfo(\(quoted(name)))")
            if parts.contains(where: { $0[1] == .integer(-2) }) { continue }
            let found = try first("SELECT count(*) FROM \(quoted(table)) INDEXED BY \(quoted(name))")
            guard found == .integer(count) else { throw unsound("wrong # of entries in index \(name)") }
        }
    }

    func unsound(_ finding: String?) -> GodwitError {
        GodwitError(
            stage, .data, "\(name) is not a usable SQLite store.",
            hint: "It is damaged; restore it from a backup, or repair it with sqlite3's .recover into a new file.",
            underlying: finding?.split(separator: "\n").joined(separator: "; "))
    }
}
