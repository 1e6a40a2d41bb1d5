package import GodwitModel

/// The lines of a fleet's journal in JSON Lines: a header for each run, a line for each finished container, and a
/// summary of a complete run.
package enum JournalLine: Sendable {
    case header(JournalHeader)
    case container(FleetEntry)
    case summary(JournalSummary)
}

/// The settings of a fleet run; a later run resumes only with the same settings.
package struct JournalHeader: Sendable, Codable {
    package static let version = 1

    package var journalVersion = Self.version
    package var godwitVersion: String
    package var command: FleetCommand
    package var app: String
    /// WHERE as given.
    package var folder: String
    package var dryRun: Bool
    package var fleet: FleetIdentity
    /// The shard; nil for the whole fleet.
    package var shard: Shard?
    /// The containers of the shard.
    package var share: FleetIdentity
    /// SHA-256 of the manifest, the schema files and the options that decide what is done.
    package var settings: String
    package var startedAt: Instant
    /// The clock, if it was set by an option.
    package var clock: SetClock?

    /// The start of the line, by which a part of a header is recognized.
    package static let beginning = Array(#"{"messageType":"fleet","#.utf8)

    /// The line without its newline.
    package var line: [UInt8] { Self.beginning + ContainerResult.json(self).dropFirst() }

    private enum CodingKeys: String, CodingKey {
        case journalVersion, godwitVersion, command, app, folder, dryRun, fleet, shard, share, settings, startedAt
        case clock
    }

    package init(
        godwitVersion: String = GodwitVersion.current, command: FleetCommand, app: String, folder: String, dryRun: Bool,
        fleet: FleetIdentity, shard: Shard?, share: FleetIdentity, settings: String, startedAt: Instant
    ) {
        (self.godwitVersion, self.command, self.app, self.folder) = (godwitVersion, command, app, folder)
        (self.dryRun, self.fleet, self.shard, self.share) = (dryRun, fleet, shard, share)
        (self.settings, self.startedAt) = (settings, startedAt)
    }

    /// The differences from a run to resume; empty for none.
    ///
    /// The folder may have another spelling, and a later version of Godwit may resume.
    package func differences(from other: JournalHeader) -> [String] {
        var found: [String] = []
        if command != other.command { found.append("the command") }
        if !app.utf8.elementsEqual(other.app.utf8) { found.append("the app") }
        if dryRun != other.dryRun { found.append("--dry-run") }
        if shard != other.shard { found.append("the shard") }
        if fleet.root != other.fleet.root {
            found.append("the folder that names are relative to (\(fleet.root ?? "none"))")
        } else if fleet != other.fleet || share != other.share {
            found.append("the containers")
        }
        if settings != other.settings { found.append("the manifest or the options") }
        return found
    }
}

/// The result of a complete run.
package struct JournalSummary: Sendable, Codable {
    package var messageType = "summary"
    package var counts: [String: Int]
    package var durationMilliseconds: Int64

    package init(counts: [String: Int], durationMilliseconds: Int64) {
        (self.counts, self.durationMilliseconds) = (counts, durationMilliseconds)
    }
}
