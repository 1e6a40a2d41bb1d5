internal import GodwitModel

extension SchemaShape {
    /// Whether schema files list a table or view as left out.
    func leavesOut(_ name: String) -> Bool { leftOut.contains { $0.isSameName(as: name) } }

    /// Whether a trigger of a store belongs to a left-out table, and nothing in the schema files can fire it.
    func leavesOut(_ trigger: SchemaCode, of store: SchemaShape) -> Bool {
        let table = trigger.table
        guard leavesOut(table), self.table(named: table) == nil else { return false }
        // `SQLTokens` converts words to lower case.
        let name = " \(table.lowercased()) "
        let isWritten = code.contains { $0.kind == .trigger && " \($0.text) ".contains(name) }
        let isChanged = store.code.contains { $0.isReference && $0.table.isSameName(as: table) }
        return !isWritten && !isChanged
    }
}
