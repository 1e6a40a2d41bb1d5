package import Godwit
internal import GodwitFiles
package import GodwitModel
internal import FoundationLite

/// What is done to each container of a fleet: the same as the command does to one.
package struct ContainerWork: Sendable {
    /// The command, with what differs from container to container.
    package enum Kind: Sendable {
        case run(dryRun: Bool)
        /// - expectations: the folder that has an expectation for each container; nil for none.
        case verify(expectations: String?, updating: Bool)
        /// - into: the folder below which each container has a folder of exports.
        case export(into: String, ExportOptions)
    }

    package let pipeline: Pipeline
    package let kind: Kind

    package init(_ pipeline: Pipeline, _ kind: Kind) {
        (self.pipeline, self.kind) = (pipeline, kind)
    }

    package var command: FleetCommand {
        switch kind {
        case .run: .run
        case .verify: .verify
        case .export: .export
        }
    }

    /// Whether containers are only rehearsed on private copies.
    package var isDryRun: Bool {
        switch kind {
        case .run(let dryRun): dryRun
        case .verify: false
        case .export(_, let options): options.isDryRun
        }
    }

    /// The containers that there are to work on, and makes sure of the folder that what is written goes below.
    package func containers(
        in place: FleetSource, cancellation: Cancellation
    ) throws(GodwitError) -> FleetContainers {
        var expectations: String?
        if case .verify(let folder, let updating) = kind {
            expectations = folder
            if updating, let folder { try PathText.makeDirectories(folder, mode: 0o777) }
        }
        try pipeline.requireUsableBackupFolder()
        if case .export(let into, _) = kind, try FileStatus.of(into)?.isDirectory != true {
            throw GodwitError(
                .fleet, .noInput, "There is no folder \(into) for the exports.", hint: "Make it first: mkdir -p \(into)"
            )
        }
        var found = try FleetContainers.find(place, of: pipeline, expecting: expectations, cancellation: cancellation)
        // Below a folder only those are found that have a file.
        if found.root == nil { found = try found.examined(by: pipeline, cancellation) }
        try requirePlaces(of: found)
        if let folder = pipeline.options.backupFolder, !isDryRun { try PathText.makeDirectories(folder) }
        return found
    }

    /// Throws (64) where what is written of two containers would go to one place: `a/b` and `/a/b` of a list.
    private func requirePlaces(of found: FleetContainers) throws(GodwitError) {
        switch kind {
        case .run where pipeline.options.backupFolder == nil: return
        case .verify(nil, _): return
        case .run, .verify, .export: break
        }
        var known: [[UInt8]: String] = [:]
        for name in found.names {
            guard let inside = try? Self.inside(name),
                let other = known.updateValue(name, forKey: Array(inside.utf8))
            else { continue }
            throw GodwitError(
                .fleet, .usage, "\(other) and \(name) would have one place for what is written of them: \(inside).",
                hint: "List all containers by absolute paths, or all by relative ones.")
        }
    }

    /// SHA-256 over all that decides what is done: the command, the manifest and its schema files, and options as words.
    package func settingsDigest(_ options: [String]) -> String {
        let words = [command.rawValue] + pipeline.definition + places + options
        return sha256Hex(words.flatMap { Array($0.utf8) + [0] })
    }

    /// Where is written, or compared with, without links: the same word may lead elsewhere tomorrow.
    private var places: [String] {
        switch kind {
        case .run: pipeline.options.backupFolder.map { ["backup \(PathText.real($0) ?? $0)"] } ?? []
        case .verify(nil, _): []
        case .verify(let folder?, _): ["expect \(PathText.real(folder) ?? folder)"]
        case .export(let into, _): ["into \(PathText.real(into) ?? into)"]
        }
    }

    /// Does the work in one container; whatever goes wrong is its result.
    ///
    /// - Parameter since: when the first pass began, where this one goes on: what an import since then left behind has come of
    ///   this fleet, though the run that did it could not say so any more.
    package func perform(
        _ name: String, at path: String, since: Instant? = nil, cancellation: Cancellation
    ) -> ContainerResult {
        let start = ContinuousClock.now
        var result: ContainerResult
        var one = pipeline.at(path)
        do throws(GodwitError) {
            if let folder = pipeline.options.backupFolder {
                one.options.backupFolder = try Self.folder(of: name, below: folder)
            }
            result = try attempt(name, one, since, cancellation)
        } catch {
            result = ContainerResult(
                entry: FleetEntry(container: name, command: command, error: error),
                report: ContainerResult.json(error.report))
        }
        if !isDryRun, let folder = since.flatMap(one.firstBackup) ?? result.entry.backup?.folder {
            result.entry.backup = FleetBackup(folder: folder, rollback: one.rollbackCommand(to: folder))
        }
        result.entry.durationMilliseconds = start.duration(to: .now).milliseconds
        return result
    }

    private func attempt(
        _ name: String, _ one: Pipeline, _ since: Instant?, _ cancellation: Cancellation
    ) throws(GodwitError) -> ContainerResult {
        switch kind {
        case .run(let dryRun):
            let report = try one.perform(.run, dryRun: dryRun, cancellation: cancellation)
            if let error = report.stopError { throw error }
            return ContainerResult(name, command, report, since: since)
        case .verify(nil, _):
            let report = try one.perform(.verify, dryRun: false, cancellation: cancellation)
            return ContainerResult(name, command, report)
        case .verify(let expectations?, let updating):
            let path = PathText.join(expectations, Pipeline.expectationName(of: try Self.inside(name)))
            if updating {
                try PathText.makeDirectories(PathText.directory(of: path), inside: expectations, mode: 0o777)
            }
            let report = try one.verify(expecting: path, updating: updating, cancellation: cancellation)
            return ContainerResult(name, command, report)
        case .export(let into, let options):
            let folder = try Self.folder(of: name, below: into)
            if !options.isDryRun { try PathText.makeDirectories(folder, inside: into) }
            let isNew = options.isDryRun ? try FileStatus.ofLink(folder) == nil : false
            let report =
                isNew
                ? try one.rehearseExport(intoNew: folder, options: options, cancellation: cancellation)
                : try one.export(into: folder, options: options, cancellation: cancellation)
            return ContainerResult(
                entry: FleetEntry(container: name, report: report), report: ContainerResult.json(report))
        }
    }

    /// Where the exports or backups of a container go: below one folder, at the container's own name.
    package static func folder(of name: String, below folder: String) throws(GodwitError) -> String {
        let inside = try inside(name)
        return inside == "." ? folder : PathText.join(folder, inside)
    }

    /// A name as a path below some other folder: without the `/` it begins with; one that leads out of the folder is refused (64).
    private static func inside(_ name: String) throws(GodwitError) -> String {
        let relative = String(Substring(name.utf8.drop { $0 == 0x2F }))
        guard LexicalPath.parts(of: relative).contains("..") else { return relative.isEmpty ? "." : relative }
        throw GodwitError(
            .fleet, .usage, "\(name) leads out of the current folder: it has no place below another.",
            hint: "List containers by paths without `..`, absolute ones for example.")
    }
}

/// What came of a container: its entry in the fleet's report, and its whole report as one line of JSON, empty where there is none.
package struct ContainerResult: Sendable {
    package var entry: FleetEntry
    package var report: [UInt8]

    package init(entry: FleetEntry, report: [UInt8]) {
        (self.entry, self.report) = (entry, report)
    }

    init(_ name: String, _ command: FleetCommand, _ report: RunReport, since: Instant? = nil) {
        self.init(entry: FleetEntry(container: name, command: command, report: report), report: Self.json(report))
        guard let since, let earlier = report.legacy?.earlier, earlier.completedAt >= since, earlier.lost > 0,
            entry.verdict.isDone
        else { return }
        entry.verdict = .partial
        entry.outcome = .partial
    }

    /// A value as JSON on one line; nothing where there is none.
    static func json(_ value: (some Encodable)?) -> [UInt8] {
        guard let value else { return [] }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { Array($0) } ?? []
    }
}
