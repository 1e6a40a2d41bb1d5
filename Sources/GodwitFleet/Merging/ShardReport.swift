package import GodwitModel

/// What one shard of a fleet came to, as its journal or its report tells it.
package struct ShardReport: Sendable {
    /// The journal or the report.
    package var file: String
    /// `run`, `verify` or `export`.
    package var command: FleetCommand
    /// The manifest's app.
    package var app: String
    /// The folder, glob or list as given.
    package var folder: String
    /// Whether it was only rehearsed.
    package var dryRun: Bool
    /// What decided the pass, as a journal says; nil from a report.
    package var settings: String?
    /// The fleet as a whole; nil from a report of an earlier version.
    package var fleet: FleetIdentity?
    /// Which share of it; nil for everything.
    package var shard: Shard?
    /// The containers that belong to this share, as a journal says; nil from a report.
    package var share: FleetIdentity?
    /// How many shards the report was merged from already.
    package var shards: Int?
    /// When it began.
    package var startedAt: Instant
    /// The clock, if it was set by hand.
    package var clock: SetClock?
    /// How long it took; from a journal the sum of all passes that came to their end.
    package var durationMilliseconds: Int64
    /// How many of the containers an earlier pass had done.
    package var doneEarlier: Int
    /// What came of each container.
    package var entries: [FleetEntry]
    /// Containers that a journal says were done once more after they were done.
    package var doneTwice: [String]

    /// What a report tells; nil where its command is none for fleets.
    package init?(_ report: FleetReport, in file: String) {
        guard let command = FleetCommand(rawValue: report.command) else { return nil }
        self.file = file
        self.command = command
        (app, folder, dryRun) = (report.app, report.folder, report.dryRun)
        (fleet, shard, shards) = (report.fleet, report.shard, report.shards)
        (startedAt, durationMilliseconds) = (report.startedAt, report.durationMilliseconds)
        (doneEarlier, entries) = (report.doneEarlier, report.containers)
        (settings, share, doneTwice) = (nil, nil, [])
        clock = report.clock
    }

    /// What a journal tells; nil where it has no header yet.
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
