package import GodwitLedger
package import GodwitModel

/// Finds the run that a user's text means, from the ledger and the history only.
package enum RunSelection {
    /// Means the last run that set duplicates aside, even if it was undone: repeating the command must not undo a
    /// second run.
    package static let latest = "latest"

    /// Maximum number of runs in an error message.
    private static let named = 5

    /// The identifier of the run, from all of it or from a unique prefix; ignores case.
    ///
    /// Nil for `latest` if no run has set anything aside. Throws (64) if no run, or more than one, matches, because
    /// that is a mistake on the command line.
    ///
    /// - Parameters:
    ///   - booked: runs in the ledger that deduped, newest first.
    ///   - recorded: identifiers of all runs in the history, newest first.
    package static func select(
        _ text: String, among booked: [LedgerRun], recorded: [String] = []
    ) throws(GodwitError) -> String? {
        let wanted = text.uppercased()
        if wanted == latest.uppercased() { return booked.first { $0.open + $0.undone > 0 }?.id }
        var known = booked.map(\.id)
        known += recorded.filter { !known.contains($0) }
        if let exact = known.first(where: { $0.uppercased() == wanted }) { return exact }
        let matches = wanted.isEmpty ? [] : known.filter { $0.uppercased().hasPrefix(wanted) }
        if matches.count == 1 { return matches[0] }
        guard matches.isEmpty else {
            throw GodwitError(
                .dedupe, .usage, "\(matches.count) runs begin with '\(text)'",
                hint: "Write more of it: \(matches.prefix(named).joined(separator: ", "))"
                    + (matches.count > named ? ", …" : "."))
        }
        throw GodwitError(.dedupe, .usage, "no run '\(text)'", hint: hint(booked))
    }

    private static func hint(_ booked: [LedgerRun]) -> String {
        let runs = booked.filter { $0.open + $0.undone > 0 }
        guard !runs.isEmpty else {
            return "Choose a run of \(name: .history); none in this store has set duplicates aside."
        }
        let list = runs.prefix(named).map { "\($0.id) (\($0.startedAt.iso8601.prefix(10)))" }
        return "Name a run that set duplicates aside: "
            + "\(list.joined(separator: ", "))\(runs.count > named ? ", …" : "")."
    }

    /// Merges the runs of several ledgers, newest first.
    ///
    /// The order within each store is kept, because a clock may have been wrong. Dates decide only between runs of
    /// different stores.
    package static func joined(_ books: [[LedgerRun]]) -> [LedgerRun] {
        var waiting = books.map { $0[...] }
        var joined: [LedgerRun] = []
        while true {
            let heads = waiting.compactMap(\.first)
            // Wait while another store's ledger has newer runs before this one.
            let free = heads.filter { head in
                waiting.allSatisfy { $0.first?.id == head.id || !$0.contains { $0.id == head.id } }
            }
            let next = (free.isEmpty ? heads : free).max { ($0.startedAt, $1.id) < ($1.startedAt, $0.id) }
            guard let next else { return joined }
            let same = waiting.compactMap { books in books.first { $0.id == next.id } }
            joined.append(Self.one(of: same, next))
            for place in waiting.indices { waiting[place].removeAll { $0.id == next.id } }
        }
    }

    private static func one(of runs: [LedgerRun], _ first: LedgerRun) -> LedgerRun {
        LedgerRun(
            id: first.id, startedAt: runs.map(\.startedAt).max() ?? first.startedAt,
            open: runs.reduce(0) { $0 + $1.open }, undone: runs.reduce(0) { $0 + $1.undone },
            carried: runs.reduce(0) { $0 + $1.carried }, carriedRecords: runs.reduce(0) { $0 + $1.carriedRecords },
            undoneBy: runs.compactMap(\.undoneBy).first)
    }
}
