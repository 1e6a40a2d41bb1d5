package import GodwitModel
package import GodwitStore

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
        _ text: String, among booked: [BookedRun], recorded: [String] = []
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

    private static func hint(_ booked: [BookedRun]) -> String {
        let runs = booked.filter { $0.open + $0.undone > 0 }
        guard !runs.isEmpty else { return "No run has set duplicates aside here; see `godwit history`." }
        let list = runs.prefix(named).map { "\($0.id) (\($0.startedAt.iso8601.prefix(10)))" }
        return "Runs that set duplicates aside: \(list.joined(separator: ", "))\(runs.count > named ? ", …" : "")."
    }

    /// The same run in the books of two stores as one.
    package static func joined(_ books: [[BookedRun]]) -> [BookedRun] {
        var found: [String: BookedRun] = [:]
        for run in books.joined() {
            guard let before = found[run.id] else {
                found[run.id] = run
                continue
            }
            found[run.id] = BookedRun(
                id: run.id, startedAt: max(run.startedAt, before.startedAt), open: run.open + before.open,
                undone: run.undone + before.undone, carried: run.carried + before.carried,
                undoneBy: run.undoneBy ?? before.undoneBy)
        }
        return found.values.sorted { ($1.startedAt, $0.id) < ($0.startedAt, $1.id) }
    }
}
