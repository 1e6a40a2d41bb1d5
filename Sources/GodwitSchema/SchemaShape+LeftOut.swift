internal import GodwitModel

extension SchemaShape {
    /// Whether schema files name a table or view that they don't make.
    func leavesOut(_ name: String) -> Bool { leftOut.contains { $0.isSameName(as: name) } }

    /// Whether a trigger of a store belongs to a table that schema files leave out, and nothing that they make can start it.
    func leavesOut(_ trigger: SchemaCode, of store: SchemaShape) -> Bool {
        let table = trigger.table
        guard leavesOut(table), self.table(named: table) == nil else { return false }
        // The words of SQL are lower-cased, as `SQLTokens` has them.
        let name = " \(table.lowercased()) "
        let isWritten = code.contains { $0.kind == .trigger && " \($0.text) ".contains(name) }
        let isChanged = store.code.contains { $0.isReference && $0.table.isSameName(as: table) }
        return !isWritten && !isChanged
    }
}
