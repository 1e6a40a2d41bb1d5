internal import GodwitJSON
internal import GodwitModel
internal import CSQLiteShim

/// The two sides of the proof that an index holds what its table holds: one scan of each.
///
/// Both say nothing (nil) where something is out of order, or SQLite would not read the way that the proof needs.
extension SQLiteConnection {
    /// What each index of a table has to hold, by one scan of the table, which must be in the order of its primary key
    /// where it has no rowid.
    func sumRecords(of table: TableLayout) throws(GodwitError) -> [EntrySum]? {
        let columns = table.columns
        // NOT INDEXED would let SQLite take any index of a table WITHOUT ROWID.
        let way = table.primaryKey.map { "INDEXED BY \(quoted($0.name))" } ?? "NOT INDEXED"
        let source = "\(quoted(table.name)) \(way)"
        let query = "SELECT \(columns.joined(separator: ", ")) FROM \(source)"
        guard let plan = plan(of: query), plan.hasPrefix("SCAN "), !plan.contains(" USING ") else { return nil }
        guard let summation = RecordSummation(of: table, at: { columns.firstIndex(of: $0) }) else { return nil }
        var order = EntryOrder(table.primaryKey)
        // The key's columns come first.
        let keyCount = table.primaryKey?.keyCount ?? 0
        let isRead = try scan(columns, from: source) { record throws(GodwitError) in
            summation.add(record)
            guard keyCount > 0 else { return true }
            for place in 0..<keyCount { order.add(EntryValue(record[place])) }
            return order.ascends()
        }
        return isRead ? summation.sums : nil
    }

    /// What an index holds, by one scan of it, which must be in its order.
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
            // Not with ||, which forgets the type of what is thrown.
            return summation.requiresSeek(of: entry) ? try seeking.finds(entry) : true
        }
        return isRead ? summation.entries : nil
    }

    /// The one step that SQLite takes for a query; nil where it takes more, or does not take the query.
    ///
    /// <https://sqlite.org/eqp.html> promises nothing of the wording. Where it is another, `integrity_check` decides, and
    /// it also meets again whatever error this one was.
    private func plan(of query: String) -> String? {
        guard let steps = try? rows("EXPLAIN QUERY PLAN \(query)"), steps.count == 1 else { return nil }
        return steps[0][3].readable
    }
}

extension SQLiteCursor {
    /// Whether an entry is found where SQLite seeks it.
    ///
    /// An index made for other columns, of a schema edited since, could pass for sound but for a few seeks.
    fileprivate borrowing func finds(_ entry: RowValues) throws(GodwitError) -> Bool {
        for place in 0..<entry.count { try bind(entry[place], at: place + 1) }
        defer { reset() }
        return try step()
    }

    /// Binds a value of a row of a store in UTF-8, which must stay as it is until the next `reset`.
    private borrowing func bind(_ value: RowValue, at place: Int) throws(GodwitError) {
        switch value {
        case .null: try bindNull(at: place)
        case .integer(let number): try bind(integer: number, at: place)
        case .real(let number): try bind(real: number, at: place)
        case .text(let bytes): try bind(text: bytes, at: place)
        case .blob(let bytes): try bind(blob: bytes, at: place)
        }
    }
}
