internal import GodwitFiles
package import GodwitModel

/// Findings of a check about indexes, for code that would otherwise read the indexes again.
///
/// Findings are available before the check has ended, when an index may still prove damaged. Before a caller uses a
/// result, it must require that the store is sound.
/// Invariant for `@unchecked Sendable`: mutable state is used only inside `monitor.locked`. Every check calls `end`, so
/// no thread waits forever.
package final class IndexFindings: @unchecked Sendable {
    private let known: StoreStateCache
    private let state: [UInt8]?
    private let monitor = Monitor()
    /// Number of indexes that are still to be read; nil before the check knows it.
    private var left: Int?

    /// - Parameter state: the state of the store; nil to keep no findings.
    package init(_ known: StoreStateCache, of state: [UInt8]?) { (self.known, self.state) = (known, state) }

    func begin(_ parts: [IntegrityPlan.Part]) {
        monitor.locked { leave(parts.count(where: \.isOfIndex)) }
    }

    /// Records the outcome of a part, on any thread.
    func take(_ outcome: IntegrityPlan.Outcome, of part: IntegrityPlan.Part) {
        guard case .entries(let index, let table) = part else { return }
        if case .entries(let found) = outcome, found.areDistinctAtFirst, let first = index.columns.first {
            known.note(.distinct(table: table.name, column: first.name), of: state)
        }
        monitor.locked { if let left { leave(left - 1) } }
    }

    /// Marks that there will be no more findings.
    func end() { monitor.locked { leave(0) } }

    /// Waits until all findings are known.
    func wait() {
        monitor.locked {
            while left != 0 { monitor.wait(for: .result) }
        }
    }

    /// Call it under the lock.
    private func leave(_ count: Int) {
        left = count
        if count == 0 { monitor.announceToAll(.result) }
    }
}

extension SQLiteConnection {
    /// Whether the check of a large store also finds out if an entity has a key twice.
    package func isToldByChecks(ofKeysIn table: EntityTable) throws(GodwitError) -> Bool {
        try summedLayout(of: table.shape.name)?.indexes.contains { $0.columns.first?.name == table.keyColumn } ?? false
    }
}
