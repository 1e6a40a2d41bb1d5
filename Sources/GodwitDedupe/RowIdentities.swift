import GodwitModel

/// What tells rows from all others while their values change: in a table WITHOUT ROWID, or with an INTEGER PRIMARY KEY,
/// a new key or reference makes a row another one to SQL.
struct RowIdentities {
    private struct Row: Hashable {
        let table: [UInt8]
        let identity: [Value]
    }

    private var changed: [Row: [Value]] = [:]

    /// What identifies a row now that was found under an identity.
    func current(_ identity: [Value], in table: String) -> [Value] {
        changed[Row(table: Array(table.utf8), identity: identity)] ?? identity
    }

    /// Notes that a column of a row has a new value; returns what identifies the row from now on.
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
