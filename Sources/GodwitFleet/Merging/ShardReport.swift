package import GodwitModel

/// The result of one shard, from its journal or its report.
package struct ShardReport: Sendable {
    /// The journal or the report.
    package var file: String
    /// `run`, `verify` or `export`.
    package var command: FleetCommand
    package var app: String
    /// The folder, glob or list as given.
    package var folder: String
    package var dryRun: Bool
    /// The digest of the settings, from a journal; nil from a report.
    package var settings: String?
    /// The whole fleet; nil from a report of an earlier version.
    package var fleet: FleetIdentity?
    /// The shard; nil for the whole fleet.
    package var shard: Shard?
    /// The containers of this shard, from a journal; nil from a report.
    package var share: FleetIdentity?
    /// Number of shards from which the report was already merged.
    package var shards: Int?
    package var startedAt: Instant
    /// The clock, if it was set by an option.
    package var clock: SetClock?
    /// Duration; from a journal, the sum of all complete runs.
    package var durationMilliseconds: Int64
    /// Number of containers that an earlier run had done.
    package var doneEarlier: Int
    package var entries: [FleetEntry]
    /// Containers that a journal shows as processed again after they were done.
    package var doneTwice: [String]

    /// Reads a report; nil if its command is not one for fleets.
    package init?(_ report: FleetReport, in file: String) {
        guard let command = FleetCommand(rawValue: report.command) else { return nil }
        (self.file, self.command) = (file, command)
        (app, folder, dryRun) = (report.app, report.folder, report.dryRun)
        (fleet, shard, shards) = (report.fleet, report.shard, report.shards)
        (startedAt, durationMilliseconds) = (report.startedAt, report.durationMilliseconds)
        (doneEarlier, entries) = (report.doneEarlier, report.containers)
        (settings, share, doneTwice) = (nil, nil, [])
        clock = report.clock
    }

    /// Reads a journal; nil if it has no header yet.
    package init?(_ journal: JournalContents, in file: String) {
        guard let header = journal.header else { return nil }
        self.file = file
        (command, app, folder, dryRun) = (header.command, header.app, header.folder, header.dryRun)
        (settings, fleet, shard, share) = (header.settings, header.fleet, header.shard, header.share)
        (startedAt, durationMilliseconds) = (header.startedAt, journal.durationMilliseconds)
        (entries, doneTwice) = (journal.entries, journal.doneTwice)
        (shards, doneEarlier) = (nil, 0)
        clock = header.clock
    }
}
