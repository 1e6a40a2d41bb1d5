package import GodwitModel

/// The lines of a fleet's journal, which is JSON lines: a header for each pass, a line for each container as it finishes, and a
/// summary where a pass came to its end.
package enum JournalLine: Sendable {
    case header(JournalHeader)
    case container(FleetEntry)
    case summary(JournalSummary)
}

/// What a pass over a fleet was to do; a later pass goes on only with the very same.
package struct JournalHeader: Sendable, Codable {
    /// Version of the journal's format.
    package static let version = 1

    package var journalVersion = Self.version
    package var godwitVersion: String
    package var command: FleetCommand
    package var app: String
    /// Where the containers are, as given.
    package var folder: String
    package var dryRun: Bool
    /// The fleet as a whole.
    package var fleet: FleetIdentity
    /// Which share of it; nil for everything.
    package var shard: Shard?
    /// The containers of that share.
    package var share: FleetIdentity
    /// SHA-256 of the manifest, the schema files and the options that decide what is done.
    package var settings: String
    package var startedAt: Instant
    /// The clock, if it was set by hand.
    package var clock: SetClock?

    /// What its line begins with, so that half of it is told from half of something else.
    package static let beginning = Array(#"{"messageType":"fleet","#.utf8)

    /// The line, without its newline.
    package var line: [UInt8] { Self.beginning + ContainerResult.json(self).dropFirst() }

    private enum CodingKeys: String, CodingKey {
        case journalVersion, godwitVersion, command, app, folder, dryRun, fleet, shard, share, settings, startedAt
        case clock
    }

    package init(
        godwitVersion: String = GodwitVersion.current, command: FleetCommand, app: String, folder: String, dryRun: Bool,
        fleet: FleetIdentity, shard: Shard?, share: FleetIdentity, settings: String, startedAt: Instant
    ) {
        self.godwitVersion = godwitVersion
        self.command = command
        self.app = app
        self.folder = folder
        self.dryRun = dryRun
        self.fleet = fleet
        self.shard = shard
        self.share = share
        self.settings = settings
        self.startedAt = startedAt
    }

    /// What differs from a pass that is to go on; empty where nothing does.
    ///
    /// The folder may have another spelling, and
    /// a later version of Godwit may go on.
    package func differences(from other: JournalHeader) -> [String] {
        var found: [String] = []
        if command != other.command { found.append("the command") }
        if !app.utf8.elementsEqual(other.app.utf8) { found.append("the app") }
        if dryRun != other.dryRun { found.append("--dry-run") }
        if shard != other.shard { found.append("the shard") }
        if fleet.root != other.fleet.root {
            found.append("the folder that names count from (\(fleet.root ?? "none"))")
        } else if fleet != other.fleet || share != other.share {
            found.append("the containers")
        }
        if settings != other.settings { found.append("the manifest or the options") }
        return found
    }
}

/// How a pass ended that came to its end.
package struct JournalSummary: Sendable, Codable {
    package var messageType = "summary"
    package var counts: [String: Int]
    package var durationMilliseconds: Int64

    package init(counts: [String: Int], durationMilliseconds: Int64) {
        self.counts = counts
        self.durationMilliseconds = durationMilliseconds
    }
}
