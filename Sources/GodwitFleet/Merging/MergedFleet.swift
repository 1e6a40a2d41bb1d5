package import GodwitModel

/// The reports of all shards of a fleet as one.
///
/// Invariant: every container of the fleet is in it exactly once, and was done by the shard that it belongs to.
package struct MergedFleet: Sendable {
    /// The whole.
    package let report: FleetReport

    /// Reasons that are told one by one.
    private static let listed = 20

    /// Joins what shards came to.
    ///
    /// Throws 65 with every reason why they don't make up one fleet. Containers that failed are rows, and no reason.
    package init(_ reports: [ShardReport]) throws(GodwitError) {
        // The same reports are the same whole, in whatever order they are given.
        let shards = reports.sorted { ($0.shard?.index ?? 0) < ($1.shard?.index ?? 0) }
        let reasons = MergeReasons(of: shards).texts
        guard let first = shards.first, reasons.isEmpty else {
            let shown = reasons.prefix(Self.listed).joined(separator: "; ")
            let more = reasons.count > Self.listed ? "; and \((reasons.count - Self.listed).grouped) more" : ""
            throw GodwitError(
                .fleet, .data,
                reasons.isEmpty
                    ? "There is nothing to merge." : "These reports don't make up one fleet: \(shown)\(more).",
                hint: "Merge one journal or report of each shard, each of which has come to its end.")
        }
        var merged = FleetReport(
            command: first.command, app: first.app, folder: first.folder, godwitVersion: GodwitVersion.current,
            startedAt: shards.map(\.startedAt).min() ?? first.startedAt,
            durationMilliseconds: shards.reduce(0) { $0.addingClamped($1.durationMilliseconds) },
            containers: shards.flatMap(\.entries))
        merged.dryRun = first.dryRun
        // Shards may have been given several times: the earliest, as with the time at which they began.
        merged.clock = shards.compactMap(\.clock).min { $0.time < $1.time }
        merged.fleet = first.fleet ?? FleetIdentity(of: merged.containers.map(\.container))
        merged.shards = first.shard?.count ?? first.shards
        merged.doneEarlier = shards.reduce(0) { $0.addingClamped($1.doneEarlier) }
        report = merged
    }
}

extension FixedWidthInteger {
    /// The sum, or the largest number where it is larger: a report that was edited may hold any; none counts below 0.
    func addingClamped(_ other: Self) -> Self {
        let (sum, isOver) = addingReportingOverflow(Swift.max(0, other))
        return isOver ? .max : sum
    }
}
