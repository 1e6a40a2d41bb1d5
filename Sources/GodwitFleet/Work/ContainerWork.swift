package import Godwit
internal import GodwitFiles
package import GodwitModel
internal import FoundationLite

/// The work on each container of a fleet, the same as the command does on one container.
package struct ContainerWork: Sendable {
    /// The command, with its options that depend on the container.
    package enum Kind: Sendable {
        case run(dryRun: Bool)
        /// - expectations: The folder with an expectation for each container; nil for none.
        case verify(expectations: String?, updating: Bool)
        /// - into: The folder below which each container has a folder of exports.
        case export(into: String, ExportOptions)
    }

    package let migration: Migration
    package let kind: Kind

    package init(_ migration: Migration, _ kind: Kind) {
        (self.migration, self.kind) = (migration, kind)
    }

    package var command: FleetCommand {
        switch kind {
        case .run: .run
        case .verify: .verify
        case .export: .export
        }
    }

    package var isDryRun: Bool {
        switch kind {
        case .run(let dryRun): dryRun
        case .verify: false
        case .export(_, let options): options.isDryRun
        }
    }

    /// Finds the containers and creates or checks the folder for outputs.
    package func containers(
        in source: FleetSource, cancellation: Cancellation
    ) throws(GodwitError) -> FleetContainers {
        var expectations: String?
        if case .verify(let folder, let updating) = kind {
            expectations = folder
            if updating, let folder { try PathText.makeDirectories(folder, mode: 0o777) }
        }
        try migration.requireUsableBackupFolder()
        if case .export(let into, _) = kind, try FileStatus.of(into)?.isDirectory != true {
            throw GodwitError(
                .fleet, .noInput, "no folder `\(into)` for the exports", hint: "Make it first: `mkdir -p \(into)`."
            )
        }
        var found = try FleetContainers.find(source, of: migration, expecting: expectations, cancellation: cancellation)
        // Below a folder, only containers with a file of the app are found.
        if found.root == nil { found = try found.examined(by: migration, cancellation) }
        try requireSeparateOutputs(of: found)
        if let folder = migration.options.backupPath, !isDryRun { try PathText.makeDirectories(folder) }
        return found
    }

    /// Throws (64) if outputs of two containers would have one path, such as `a/b` and `/a/b` of a list.
    private func requireSeparateOutputs(of found: FleetContainers) throws(GodwitError) {
        switch kind {
        case .run where migration.options.backupPath == nil: return
        case .verify(nil, _): return
        case .run, .verify, .export: break
        }
        var known: [[UInt8]: String] = [:]
        for name in found.names {
            guard let inside = try? Self.inside(name),
                let other = known.updateValue(name, forKey: Array(inside.utf8))
            else { continue }
            throw GodwitError(
                .fleet, .usage, "the outputs of `\(other)` and `\(name)` would have the same path: `\(inside)`",
                hint: "List all containers by absolute paths, or all by relative paths.")
        }
    }

    /// SHA-256 over everything that decides what is done: the command, the manifest and its schema files, and options.
    package func settingsDigest(_ options: [String]) -> String {
        let words = [command.rawValue] + migration.definition + resolvedFolders + options
        return sha256Hex(words.flatMap { Array($0.utf8) + [0] })
    }

    /// The folders for outputs and expectations, with links resolved, because a link may change later.
    private var resolvedFolders: [String] {
        switch kind {
        case .run: migration.options.backupPath.map { ["backup \(PathText.real($0) ?? $0)"] } ?? []
        case .verify(nil, _): []
        case .verify(let folder?, _): ["expect \(PathText.real(folder) ?? folder)"]
        case .export(let into, _): ["into \(PathText.real(into) ?? into)"]
        }
    }

    /// Works on one container; every error becomes its result.
    ///
    /// - Parameter since: When the first run began, for a resumed run; values that an import left behind since then are
    ///   reported, because the run that imported them was interrupted before its report.
    package func perform(
        _ name: String, at path: String, since: Instant? = nil, cancellation: Cancellation
    ) -> ContainerResult {
        let start = ContinuousClock.now
        var result: ContainerResult
        var one = migration.at(path)
        do throws(GodwitError) {
            if let folder = migration.options.backupPath {
                one.options.backupPath = try Self.folder(of: name, below: folder)
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
        _ name: String, _ one: Migration, _ since: Instant?, _ cancellation: Cancellation
    ) throws(GodwitError) -> ContainerResult {
        switch kind {
        case .run(let dryRun):
            let report = try one.perform(.run, dryRun: dryRun, cancellation: cancellation)
            if let error = report.stopError { throw error }
            // A plan of a strict run fails where that run would.
            if dryRun, one.options.isStrict, report.isDoubtful { throw report.strictError }
            return ContainerResult(name, command, report, since: since)
        case .verify(nil, _):
            let report = try one.perform(.verify, dryRun: false, cancellation: cancellation)
            return ContainerResult(name, command, report)
        case .verify(let expectations?, let updating):
            let path = PathText.join(expectations, Migration.expectationName(of: try Self.inside(name)))
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
                ? try one.planExport(intoNew: folder, options: options, cancellation: cancellation)
                : try one.export(into: folder, options: options, cancellation: cancellation)
            return ContainerResult(
                entry: FleetEntry(container: name, report: report), report: ContainerResult.json(report))
        }
    }

    /// The folder for the exports or backups of a container: below one folder, with the container's name.
    package static func folder(of name: String, below folder: String) throws(GodwitError) -> String {
        let inside = try inside(name)
        return inside == "." ? folder : PathText.join(folder, inside)
    }

    /// A name as a path below another folder, without leading `/`; throws 64 if it leaves the folder.
    private static func inside(_ name: String) throws(GodwitError) -> String {
        let relative = String(Substring(name.utf8.drop { $0 == 0x2F }))
        guard LexicalPath.parts(of: relative).contains("..") else { return relative.isEmpty ? "." : relative }
        throw GodwitError(
            .fleet, .usage, "`\(name)` leaves the current folder, so its outputs have no path",
            hint: "List containers by paths without `..`, such as absolute paths.")
    }
}

/// The result of a container: its entry in the fleet's report, and its report as one line of JSON, empty for none.
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

    /// A value as JSON on one line; empty for nil.
    static func json(_ value: (some Encodable)?) -> [UInt8] {
        guard let value else { return [] }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { Array($0) } ?? []
    }
}
