import Godwit
import GodwitModel
import GodwitRender
import Foundation
import GodwitFleet
import GodwitPipelineSupport
import GodwitTestSupport

/// A folder of containers of one app, and runs of `--all` on it, with workers in this process.
final class FleetScene: Sendable {
    let folder: TemporaryFolder
    private let app: TrainLog

    init() throws {
        folder = try TemporaryFolder()
        try folder.makeFolder("fleet")
        app = try TrainLog(.empty)
    }

    /// Copies a container into the folder.
    func add(_ app: TrainLog, as name: String) throws {
        let target = URL(filePath: folder["fleet/" + name])
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: URL(filePath: app.container), to: target)
        // The date of the file says when values were set, and a copy loses it.
        let preferences = "fleet/" + name + TrainLog.preferences.dropFirst("container".count)
        if folder.exists(preferences) {
            try folder.setModified(seconds: TrainLog.preferencesWritten, of: preferences)
        }
    }

    /// A container after a complete run.
    static func finished() throws -> TrainLog {
        let app = try TrainLog(.container)
        try app.perform()
        return app
    }

    func migration(_ change: (inout MigrationOptions) -> Void = { _ in }) throws -> Migration {
        try app.migration(change)
    }

    /// The inputs of a pass over the fleet, except the command.
    struct Pass {
        var below = "fleet"
        var journal: String?
        var jobs = 2
        var cancellation = Cancellation()
        var settings: [String] = []
        var progress: @Sendable (RunProgress) -> Void = { _ in }
        /// Called with each container's name before it begins.
        var before: @Sendable (String) throws(GodwitError) -> Void = { _ throws(GodwitError) in }
    }

    /// Runs one pass; the journal is a name in the folder.
    func perform(
        _ kind: ContainerWork.Kind, _ pass: Pass = Pass(), _ change: (inout MigrationOptions) -> Void = { _ in }
    ) throws -> FleetReport {
        let work = ContainerWork(try migration(change), kind)
        let containers = try work.containers(in: FleetSource(folder[pass.below]), cancellation: pass.cancellation)
        let header = JournalHeader(
            command: work.command, app: work.migration.app, folder: folder[pass.below], dryRun: work.isDryRun,
            fleet: containers.identity, shard: nil, share: containers.identity,
            settings: work.settingsDigest(pass.settings), startedAt: .sampleNow)
        let journal = try pass.journal.map {
            try FleetJournal(folder[$0], header, lockTimeoutMilliseconds: 0, cancellation: pass.cancellation)
        }
        let run = FleetRun(header: header, containers: containers, journal: journal, jobs: pass.jobs)
        return try run.perform(cancellation: pass.cancellation, progress: pass.progress) {
            WatchedWorker(LocalWorker(work, cancellation: pass.cancellation), before: pass.before)
        }
    }

    /// The lines of a journal, read back.
    func journal(_ name: String) throws -> JournalContents { try JournalContents(of: folder[name]) }
}

/// A worker that reports what it begins.
private final class WatchedWorker: FleetWorker {
    private let worker: LocalWorker
    private let before: @Sendable (String) throws(GodwitError) -> Void

    init(_ worker: LocalWorker, before: @escaping @Sendable (String) throws(GodwitError) -> Void) {
        (self.worker, self.before) = (worker, before)
    }

    func perform(_ name: String, at path: String, since: Instant?) throws(GodwitError) -> ContainerResult {
        try before(name)
        return try worker.perform(name, at: path, since: since)
    }
}

extension FleetReport {
    /// The report as JSON without what differs between runs.
    var withoutTime: String {
        get throws {
            var report = self
            report.durationMilliseconds = 0
            report.slowest = []
            for index in report.containers.indices { report.containers[index].durationMilliseconds = nil }
            return String(decoding: try JSONReport.encode(report), as: UTF8.self)
        }
    }

    /// The verdict of each container, by name.
    var verdicts: [String: FleetVerdict] {
        Dictionary(uniqueKeysWithValues: containers.map { ($0.container, $0.verdict) })
    }
}
