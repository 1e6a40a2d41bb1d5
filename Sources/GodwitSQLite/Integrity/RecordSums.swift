internal import GodwitFiles
internal import GodwitModel

/// Sums of records that a reader of whole tables computes for a check that runs at the same time.
///
/// Without them, the check would read each table again. The reader promises tables before the check begins. The check
/// does all other parts, waits for the promised sums, and reads a table itself if a promise was withdrawn.
/// Both must read the same state of the store, as all connections of a `SoundnessCheck` do.
/// Invariant for `@unchecked Sendable`: mutable state is used only inside `monitor.locked`. Every promise is kept or
/// withdrawn at the end (`IntegrityCheck.wait`), so no thread waits forever.
package final class RecordSums: @unchecked Sendable {
    private let monitor = Monitor()
    private var promised: [String]
    private var kept: [(table: String, sums: [EntrySum])] = []

    /// - Parameter tables: names in any spelling.
    package init(promising tables: [String]) { promised = tables }

    /// Whether a sum exists, or will exist unless the promise is withdrawn.
    package func isPromised(_ table: String) -> Bool {
        monitor.locked { promised.contains { $0.isSameName(as: table) } || keptSums(of: table) != nil }
    }

    /// Waits for a promised sum; nil if the promise was withdrawn or never given.
    func wait(for table: String) -> [EntrySum]? {
        monitor.locked {
            while promised.contains(where: { $0.isSameName(as: table) }) { monitor.wait(for: .result) }
            return keptSums(of: table)
        }
    }

    /// Keeps a promise: the table was read to its end.
    package func keep(_ summation: RecordSummation) { keep(summation.table, summation.sums) }

    /// - Parameter sums: one for each index of the table, in the order of its layout.
    func keep(_ table: String, _ sums: [EntrySum]) {
        monitor.locked {
            guard promised.contains(where: { $0.isSameName(as: table) }) else { return }
            kept.append((table, sums))
            promised.removeAll { $0.isSameName(as: table) }
            monitor.announceToAll(.result)
        }
    }

    /// Withdraws the open promises of all tables except these.
    package func withdraw(allBut tables: [String] = []) {
        monitor.locked {
            promised.removeAll { name in !tables.contains { $0.isSameName(as: name) } }
            monitor.announceToAll(.result)
        }
    }

    package func withdraw(_ table: String) {
        monitor.locked {
            promised.removeAll { $0.isSameName(as: table) }
            monitor.announceToAll(.result)
        }
    }

    /// Call it under the lock.
    private func keptSums(of table: String) -> [EntrySum]? { kept.first { $0.table.isSameName(as: table) }?.sums }
}
