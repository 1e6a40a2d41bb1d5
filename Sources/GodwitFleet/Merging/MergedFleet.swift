package import GodwitModel

/// The reports of all shards of a fleet as one report.
///
/// Invariant: it has every container of the fleet exactly once, processed by the shard to which it belongs.
package struct MergedFleet: Sendable {
    package let report: FleetReport

    /// Number of reasons that are listed one by one.
    private static let maxListed = 20

    /// Merges the reports of shards.
    ///
    /// Throws 65 with every reason why they are not one fleet. Containers that failed are rows, not reasons.
    package init(_ reports: [ShardReport]) throws(GodwitError) {
        // The result must not depend on the order of the reports.
        let shards = reports.sorted { ($0.shard?.index ?? 0) < ($1.shard?.index ?? 0) }
        let reasons = MergeReasons(of: shards).texts
        guard let first = shards.first, reasons.isEmpty else {
            let shown = reasons.prefix(Self.maxListed).joined(separator: "; ")
            let more = reasons.count > Self.maxListed ? "; and \((reasons.count - Self.maxListed).grouped) more" : ""
            throw GodwitError(
                .fleet, .data,
                reasons.isEmpty
                    ? "no journal or report to merge" : "these reports are not of one fleet: \(shown)\(more)",
                hint: "Merge one journal or report of each shard that has ended.")
        }
        var merged = FleetReport(
            command: first.command, app: first.app, folder: first.folder, godwitVersion: GodwitVersion.current,
            startedAt: shards.map(\.startedAt).min() ?? first.startedAt,
            durationMilliseconds: shards.reduce(0) { $0.addingClamped($1.durationMilliseconds) },
            containers: shards.flatMap(\.entries))
        merged.dryRun = first.dryRun
        // Runs may have several clocks: uses the earliest, as for the start.
        merged.clock = shards.compactMap(\.clock).min { $0.time < $1.time }
        merged.fleet = first.fleet ?? FleetIdentity(of: merged.containers.map(\.container))
        merged.shards = first.shard?.count ?? first.shards
        merged.doneEarlier = shards.reduce(0) { $0.addingClamped($1.doneEarlier) }
        report = merged
    }
}

extension FixedWidthInteger {
    /// The sum, clamped to the largest number; an edited report may have any number, and numbers below 0 count as 0.
    func addingClamped(_ other: Self) -> Self {
        let (sum, isOver) = addingReportingOverflow(Swift.max(0, other))
        return isOver ? .max : sum
    }
}
