internal import GodwitJSON
internal import GodwitModel
internal import CSQLiteShim

/// Proves with two scans that an index has the entries of its table: one scan of each.
///
/// Both return nil if an entry is out of order, or if SQLite would use another query plan than the proof needs.
extension SQLiteConnection {
    /// The required content of each index of a table, from one scan of the table; a table WITHOUT ROWID must be in the
    /// order of its primary key.
    func sumRecords(of table: TableLayout) throws(GodwitError) -> [EntrySum]? {
        let columns = table.columns
        // NOT INDEXED would allow SQLite to use any index of a table WITHOUT ROWID.
        let way = table.primaryKey.map { "INDEXED BY \(quoted($0.name))" } ?? "NOT INDEXED"
        let source = "\(quoted(table.name)) \(way)"
        let query = "SELECT \(columns.joined(separator: ", ")) FROM \(source)"
        guard let plan = plan(of: query), plan.hasPrefix("SCAN "), !plan.contains(" USING ") else { return nil }
        guard let summation = RecordSummation(of: table, at: { columns.firstIndex(of: $0) }) else { return nil }
        var order = EntryOrder(table.primaryKey)
        let keyCount = table.primaryKey?.keyCount ?? 0
        let isRead = try scan(columns, from: source) { record throws(GodwitError) in
            summation.add(record)
            guard keyCount > 0 else { return true }
            for column in 0..<keyCount { order.add(EntryValue(record[column])) }
            return order.ascends()
        }
        return isRead ? summation.sums : nil
    }

    /// The content of an index, from one scan of it; the entries must be in order.
    func sumEntries(of index: IndexLayout, in table: TableLayout) throws(GodwitError) -> IndexEntries? {
        let columns = index.columns.map(\.name)
        let source = "\(quoted(table.name)) INDEXED BY \(quoted(index.name))"
        let query = "SELECT \(columns.joined(separator: ", ")) FROM \(source)"
        let conditions = columns.enumerated().map { "\($1) IS ?\($0 + 1)" }.joined(separator: " AND ")
        let seek = "SELECT 1 FROM \(source) WHERE \(conditions)"
        guard plan(of: query)?.hasSuffix(" USING COVERING INDEX \(index.name)") == true, plan(of: seek) != nil else {
            return nil
        }
        let summation = EntrySummation(index)
        let seeking = try prepare(seek)
        let isRead = try scan(columns, from: source) { entry throws(GodwitError) in
            guard summation.add(entry) else { return false }
            // Not `||`, which loses the type of the error.
            return summation.requiresSeek(of: entry) ? try seeking.finds(entry) : true
        }
        return isRead ? summation.entries : nil
    }

    /// The query plan, if it has exactly one step; nil otherwise, or after an error.
    ///
    /// <https://sqlite.org/eqp.html> does not guarantee the wording. If it differs, `integrity_check` decides, and an
    /// error occurs there again.
    private func plan(of query: String) -> String? {
        guard let steps = try? rows("EXPLAIN QUERY PLAN \(query)"), steps.count == 1 else { return nil }
        return steps[0][3].readable
    }
}

extension SQLiteCursor {
    /// Whether a seek finds an entry.
    ///
    /// An index that was created for other columns, in a schema that was edited later, could pass all tests except some
    /// seeks.
    fileprivate borrowing func finds(_ entry: RowValues) throws(GodwitError) -> Bool {
        for index in 0..<entry.count { try bind(entry[index], at: index + 1) }
        defer { reset() }
        return try step()
    }

    /// Binds a value of a row of a store in UTF-8; the value must stay valid until the next `reset`.
    private borrowing func bind(_ value: RowValue, at index: Int) throws(GodwitError) {
        switch value {
        case .null: try bindNull(at: index)
        case .integer(let number): try bind(integer: number, at: index)
        case .real(let number): try bind(real: number, at: index)
        case .text(let bytes): try bind(text: bytes, at: index)
        case .blob(let bytes): try bind(blob: bytes, at: index)
        }
    }
}
