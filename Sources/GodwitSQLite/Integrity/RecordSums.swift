internal import GodwitFiles
internal import GodwitModel

/// What somebody who reads whole tables anyway finds out for a check beside it: the sums of their records.
///
/// The check would read each table once more for them. The reader promises tables before the check begins; the check does
/// all else, then waits for what was promised, and reads a table itself where the promise was taken back.
///
/// Both must read one state of the store, as all connections of a `SoundnessCheck` do.
///
/// Invariant, for `@unchecked Sendable`: what may change is touched only inside `monitor.locked`. A promise is kept or
/// taken back in the end (`IntegrityCheck.wait`), so that nobody waits for ever.
package final class RecordSums: @unchecked Sendable {
    private let monitor = Monitor()
    private var promised: [String]
    private var kept: [(table: String, sums: [EntrySum])] = []

    /// - Parameter tables: by whatever spelling of their names.
    package init(promising tables: [String]) { promised = tables }

    /// Whether there is a sum, or will be, unless the promise is taken back.
    package func isPromised(_ table: String) -> Bool {
        monitor.locked { promised.contains { $0.isSameName(as: table) } || keptSums(of: table) != nil }
    }

    /// Waits for what was promised; nil where it was taken back, or never given.
    func wait(for table: String) -> [EntrySum]? {
        monitor.locked {
            while promised.contains(where: { $0.isSameName(as: table) }) { monitor.wait(for: .result) }
            return keptSums(of: table)
        }
    }

    /// Keeps a promise: for a table that was read to its end.
    package func keep(_ summation: RecordSummation) { keep(summation.table, summation.sums) }

    /// - Parameter sums: for each index of the table, in the order of its layout.
    func keep(_ table: String, _ sums: [EntrySum]) {
        monitor.locked {
            guard promised.contains(where: { $0.isSameName(as: table) }) else { return }
            kept.append((table, sums))
            promised.removeAll { $0.isSameName(as: table) }
            monitor.announceToAll(.result)
        }
    }

    /// Takes back what was promised of all tables but these, and was not kept.
    package func withdraw(allBut tables: [String] = []) {
        monitor.locked {
            promised.removeAll { name in !tables.contains { $0.isSameName(as: name) } }
            monitor.announceToAll(.result)
        }
    }

    /// Takes back what was promised of one table.
    package func withdraw(_ table: String) {
        monitor.locked {
            promised.removeAll { $0.isSameName(as: table) }
            monitor.announceToAll(.result)
        }
    }

    /// Under the lock.
    private func keptSums(of table: String) -> [EntrySum]? { kept.first { $0.table.isSameName(as: table) }?.sums }
}
