package import GodwitLedger
package import GodwitModel

/// Which run is meant by what somebody typed: decided from what books and history hold, without looking at a store.
package enum RunSelection {
    /// How a run is called that set duplicates aside last, whether it was undone or not: asking twice for it must not
    /// undo two.
    package static let latest = "latest"

    /// Runs that a refusal names.
    private static let named = 5

    /// The identifier of the run, from all of it or from a beginning that no other run has; letters of either case.
    ///
    /// Nil for `latest` where no run has set anything aside. Throws (64) where no run, or more than one, begins so: it is
    /// the command line that is wrong, not the data.
    ///
    /// - Parameters:
    ///   - text: what was typed.
    ///   - booked: runs whose dedupe the books know, newest first.
    ///   - recorded: identifiers of all runs of the history, newest first.
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
                .dedupe, .usage, "\(matches.count) runs begin with '\(text)'.",
                hint: "Type more of it: \(matches.prefix(named).joined(separator: ", "))"
                    + (matches.count > named ? ", …" : "."))
        }
        throw GodwitError(.dedupe, .usage, "There is no run '\(text)'.", hint: hint(booked))
    }

    private static func hint(_ booked: [LedgerRun]) -> String {
        let runs = booked.filter { $0.open + $0.undone > 0 }
        guard !runs.isEmpty else { return "No run has set duplicates aside here; see `godwit history`." }
        let list = runs.prefix(named).map { "\($0.id) (\($0.startedAt.iso8601.prefix(10)))" }
        return "Runs that set duplicates aside: \(list.joined(separator: ", "))\(runs.count > named ? ", …" : "")."
    }

    /// The same run in the books of several stores as one, newest first.
    ///
    /// Each store's own order stands: a clock may have been wrong and put right since. Only between runs of different
    /// stores the dates decide.
    package static func joined(_ books: [[LedgerRun]]) -> [LedgerRun] {
        var waiting = books.map { $0[...] }
        var joined: [LedgerRun] = []
        while true {
            let heads = waiting.compactMap(\.first)
            // One that another store's books still have newer runs before must wait for those.
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
            carried: runs.reduce(0) { $0 + $1.carried }, undoneBy: runs.compactMap(\.undoneBy).first)
    }
}
