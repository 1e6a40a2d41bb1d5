import GodwitModel

/// Current identities of rows whose values change: in a table WITHOUT ROWID or with an INTEGER PRIMARY KEY, a new key
/// or reference changes a row's identity.
struct RowIdentities {
    private struct Row: Hashable {
        let table: [UInt8]
        let identity: [Value]
    }

    private var changed: [Row: [Value]] = [:]

    /// The current identity of a row that was found under an earlier one.
    func current(_ identity: [Value], in table: String) -> [Value] {
        changed[Row(table: Array(table.utf8), identity: identity)] ?? identity
    }

    /// Records the new value of a column; returns the row's new identity.
    @discardableResult
    mutating func note(
        _ column: String, as value: Value, of identity: [Value], in table: String, identifiedBy columns: [String]?
    ) -> [Value] {
        var now = current(identity, in: table)
        guard let place = columns?.firstIndex(where: { $0.isSameName(as: column) }) else { return now }
        now[place] = value
        changed[Row(table: Array(table.utf8), identity: identity)] = now
        return now
    }
}
