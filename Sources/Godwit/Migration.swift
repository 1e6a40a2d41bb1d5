internal import GodwitCopy
internal import GodwitFiles
internal import GodwitLegacy
internal import GodwitManifest
public import GodwitModel
internal import GodwitPropertyList
internal import GodwitSQLite
internal import GodwitSchema
internal import Logging

/// The migration of one app in one container: legacy values -> structured store -> one record per key -> cloud store.
///
///     let migration = try Migration(
///         manifest: .init(contentsOf: manifestURL), container: .app(), preferences: .userDefaults(.standard))
///     let report = try await migration.run()
///
/// Every command takes the lock of the container first, reads everything, and only then writes. An error is always a
/// `GodwitError`, and has the report of what was done before it. The app must close its own connections to the stores
/// during the run, except one that it hands in (`CloudStore.database`): locks on files belong to the process,
/// <https://sqlite.org/howtocorrupt.html>.
public struct Migration: Sendable {
    var manifest: Manifest
    let schemaFiles: SchemaFiles
    /// The path of the container; the same migration serves many.
    var location: String
    package var options: MigrationOptions
    /// The cloud store, where the app has it open and handed it in.
    let opened: AppStore?
    /// Preferences that belong to the preferences system; none for files.
    let domains: [any PreferencesDomain]
    let logger = Logger(label: "godwit")

    /// A migration; the schema files are read and tried, and the manifest is checked against them.
    ///
    /// Throws `GodwitError` 65 or 66 for schema files, 78 for a manifest that does not fit them, 64 for a database that is in
    /// no file, for preferences that the system does not have, and for `.app()` without a sandbox.
    public init(
        manifest: Manifest, container: ContainerLocation, preferences: Preferences = .files,
        cloud: CloudStore = .file, options: MigrationOptions = .init()
    ) throws {
        // Nothing would be read, and nothing lost to all appearance.
        guard manifest.container.localLayout == .sqlite || manifest.entities.contains(where: { $0.source != nil })
        else {
            throw manifest.refusal(
                of: "container.local.layout",
                "the local store is a Core Data store, but no entity has a `source` in it",
                hint: "Give its entities `source: { entity: …, fields: … }`, as docs/manifest.md describes it.")
        }
        self.options = options
        let folders = try container.folders()
        location = folders.container
        self.options.groupContainers += folders.groups
        schemaFiles = try SchemaFiles.load(from: manifest.schemaDirectory)
        try manifest.validate(against: schemaFiles.shape)
        self.manifest = try manifest.storingValues(as: schemaFiles.shape).naming(schemaFiles.referenceColumns)
        opened = try cloud.opened()
        domains = try preferences.domains.get()
        self.manifest.container = self.manifest.container.placingFirst(domains)
    }

    /// The manifest's app.
    package var app: String { manifest.app }

    /// The same migration with account and network as they are by now.
    package func observing(account: Freshness.Account, network: Freshness.Network) -> Migration {
        var migration = self
        (migration.options.account, migration.options.network) = (account, network)
        return migration
    }

    /// Runs a command, for real or on a private copy; synchronous, for the command line.
    ///
    /// A strict run makes a dry run first; where that finds a warning, its report is given back, with `stoppedBy`.
    ///
    /// - Parameters:
    ///   - plan: what the run is held to: 65 where an input changed since, before anything is written.
    ///   - cancellation: raise it from a signal handler; the stage at work is then rolled back.
    package func perform(
        _ command: Command, dryRun: Bool, following plan: SavedPlan? = nil, cancellation: Cancellation = Cancellation(),
        progress: @escaping @Sendable (RunProgress) -> Void = { _ in },
        faultPoint: @escaping @Sendable (FaultPoint) throws(GodwitError) -> Void = { _ throws(GodwitError) in }
    ) throws(GodwitError) -> RunReport {
        let name = dryRun && command == .run ? "plan" : command.rawValue
        let context = makeContext(cancellation, progress, faultPoint)
        return try strictly(dryRun: dryRun || !command.writes) { isDryRun throws(GodwitError) in
            let isDry = dryRun || isDryRun
            // What a test lets fail is to fail in the run itself.
            let context = isDryRun ? makeContext(cancellation, progress) : context
            return try report(
                named: name, writes: command.writes, dryRun: isDry, following: plan, backingUp: command.writtenRoles,
                checking: command, context
            ) {
                stores, start, report throws(GodwitError) in
                try walk(stores, command, start, &report)
            }
        }
    }

    /// Does work that writes; a strict run makes a dry run first, and stops there if that finds a warning.
    ///
    /// - Parameter work: given whether it is to be done on a private copy.
    func strictly(
        dryRun: Bool, _ work: (_ isDryRun: Bool) throws(GodwitError) -> RunReport
    ) throws(GodwitError) -> RunReport {
        guard options.isStrict, !dryRun else { return try work(false) }
        var trial = try work(true)
        guard trial.isDoubtful || trial.outcome == .failed else { return try work(false) }
        trial.stoppedBy = .strict
        trial.nextSteps = []
        return trial
    }

    /// Locks the container, or a private copy of it, opens its stores for the work, and returns the report of the work.
    func report(
        named name: String, writes: Bool, dryRun: Bool, following plan: SavedPlan? = nil,
        backingUp roles: [RunReport.Backup.Role] = [], checking command: Command? = nil, _ context: RunContext,
        _ work: (StoreOpener, ContinuousClock.Instant, inout RunReport) throws(GodwitError) -> Void
    ) throws(GodwitError) -> RunReport {
        let identifier = context.makeIdentifier()
        var report = RunReport(
            run: RunReport.Identity(
                id: identifier, command: name, app: manifest.app, container: location,
                godwitVersion: GodwitVersion.current, dryRun: dryRun, startedAt: context.now))
        report.run.clock = options.clock
        let start = ContinuousClock.now
        var root = ""
        do throws(GodwitError) {
            // Before the lock: the system may grant an app no time to begin.
            try context.cancellation.check(.container)
            var container = try Container(location, groups: options.groupContainers)
            root = container.root
            // A plan of it changes nothing.
            if writes, !dryRun { try requireNoBackup(container) }
            try requireUsableBackupFolder()
            // Also before a dry run: what a run would be refused for is not found out on a copy.
            try requireOpened(in: container, writes: writes, context)
            var copy: DryRunCopy?
            if dryRun {
                let made = try DryRunCopy(
                    of: container, manifest: manifest, domains: domains,
                    resumesRollback: name == GodwitError.Stage.rollback.rawValue, context: context)
                container = made.container
                root = made.container.root
                copy = made
            }
            try withExtendedLifetime(copy) { () throws(GodwitError) in
                // Before anything is decided, which files there are included.
                let lock = try ContainerLock(
                    container, mode: writes ? .exclusive : .shared, context: context)
                let place = lock.place
                let note = writes && !dryRun ? try ProgressFile(of: container, report.run, options) : nil
                // While the lock is still held.
                defer { note?.takeAway() }
                let reporting = note.map { note in context.with { note.note($0) } } ?? context
                try place.explainingFailures { () throws(GodwitError) in
                    let files = try ContainerFiles(
                        manifest, in: container, domains: copy?.domains ?? domains,
                        resumesRollback: name == GodwitError.Stage.rollback.rawValue)
                    let (basis, held) = try hold(files, to: plan, dryRun: dryRun, reporting)
                    report.plan = basis
                    let context = held?.guarding(reporting) ?? reporting
                    let backup = try makeBackup(of: roles, files, report.run, context)
                    var scope = RunScope(
                        manifest: manifest, schemaFiles: schemaFiles, files: files, folders: place, options: options,
                        context: context, identifier: identifier, plan: held)
                    scope.context.backup = backup?.maker
                    if writes { scope.removeLeftovers() }
                    let stores = try StoreOpener(
                        scope,
                        command.flatMap { command throws(GodwitError) in
                            try BackgroundStoreCheck(scope, for: command)
                        })
                    // Also of a run that fails: what it had changed by then can be taken back.
                    defer { addBackup(backup, of: stores, to: &report) }
                    do throws(GodwitError) {
                        try work(stores, start, &report)
                    } catch {
                        throw stores.named(error)
                    }
                    if let held { report.warnings += held.warnings(about: report) }
                }
                // What found nothing in a container that was moved away has not shown that there is nothing to do.
                try place.requireInPlace(.container)
                _ = consume lock
            }
            report.run.durationMilliseconds = start.duration(to: .now).milliseconds
            return report
        } catch {
            var failure = error.namingInside(root)
            // SQLite only knows that it was interrupted, not by which signal.
            if failure.code == .interrupted, let code = context.cancellation.code { failure.code = code }
            report.outcome = .failed
            if failure.report?.backup == nil { failure.report?.backup = report.backup }
            report.run.durationMilliseconds = start.duration(to: .now).milliseconds
            if failure.report == nil { failure.report = report }
            throw failure
        }
    }

    /// What the command works with, hashed where it is to be saved, and held to a plan where there is one.
    private func hold(
        _ files: ContainerFiles, to plan: SavedPlan?, dryRun: Bool, _ context: RunContext
    ) throws(GodwitError) -> (basis: PlanBasis?, held: PlanGuard?) {
        let inputs = PlanInputs(
            manifest: manifest, schemaFiles: schemaFiles, options: options, context: context)
        let held = try plan.map { plan throws(GodwitError) in try PlanGuard(plan, inputs, files) }
        if held != nil { try context.faultPoint(.afterPlanComparison) }
        return (dryRun && options.keepsBasis ? try inputs.measure(files) : nil, held)
    }

    func makeContext(
        _ cancellation: Cancellation, _ progress: @escaping @Sendable (RunProgress) -> Void,
        _ faultPoint: @escaping @Sendable (FaultPoint) throws(GodwitError) -> Void = { _ throws(GodwitError) in }
    ) -> RunContext {
        var context = RunContext(
            now: options.now ?? SystemEnvironment.now, makeIdentifier: { SystemEnvironment.makeIdentifier() },
            cancellation: cancellation,
            lockTimeoutMilliseconds: options.lockTimeoutMilliseconds, progress: progress, faultPoint: faultPoint)
        context.opened = opened
        return context
    }
}

extension GodwitError {
    /// The same error with paths relative to a root: the private paths of a plan are gone after it.
    func namingInside(_ root: String) -> GodwitError { root.isEmpty ? self : naming(root + "/", as: "") }

    /// The same error with a path, or the beginning of one, written otherwise.
    func naming(_ path: String, as name: String) -> GodwitError {
        var error = self
        error.message = message.replacingBytes(of: path, with: name)
        error.hint = hint?.replacingBytes(of: path, with: name)
        error.underlying = underlying?.replacingBytes(of: path, with: name)
        return error
    }
}
