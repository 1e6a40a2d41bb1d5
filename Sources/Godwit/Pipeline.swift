internal import GodwitCopy
internal import GodwitFiles
internal import GodwitLegacy
internal import GodwitManifest
public import GodwitModel
internal import GodwitPropertyList
internal import GodwitSQLite
internal import GodwitSchema
internal import Logging

/// The pipeline of one app over one container: legacy key-value -> structured store -> one row per key -> cloud store.
///
///     let pipeline = try Pipeline(manifest: .load(from: manifestURL), container: .appSandbox)
///     let report = try await pipeline.run()
///
/// Every command takes the container's lock first, looks at everything, and only then writes. An error is always a
/// `GodwitError`, and carries the report of what had been done before it. The app must have its own connections to the
/// stores closed meanwhile, but for one that it hands in (`PipelineStores`): locks on files belong to the process,
/// <https://sqlite.org/howtocorrupt.html>.
public struct Pipeline: Sendable {
    var manifest: Manifest
    let schemaFiles: SchemaFiles
    /// Where the container is; the same pipeline serves many.
    var location: String
    package var options: PipelineOptions
    /// The cloud store, where the app has it open and handed it in.
    let opened: AppStore?
    /// Preferences that belong to the preferences system; none for files.
    let domains: [any PreferencesDomain]
    private let logger = Logger(label: "godwit")

    /// A pipeline; the schema files are read and tried, and the manifest is checked against them.
    ///
    /// Throws `GodwitError` 65 or 66 for schema files, 78 for a manifest that does not fit them, 64 for a database that is in
    /// no file, for preferences that the system does not have, and for `.appSandbox` without a sandbox.
    public init(
        manifest: Manifest, container: ContainerLocation, preferences: Preferences = .files,
        stores: PipelineStores = .init(), options: PipelineOptions = .init()
    ) throws {
        // Nothing would be read, and nothing lost to all appearance.
        guard manifest.container.localLayout == .sqlite || manifest.entities.contains(where: { $0.source != nil })
        else {
            throw manifest.refusal(
                of: "container.local.layout",
                "The local store is one of Core Data's, but no entity has a `source` in it.",
                hint: "Give the entities that are in it `source: { entity: …, fields: … }`; see docs/manifest.md.")
        }
        self.options = options
        location =
            switch container {
            case .directory(let path): path
            case .appSandbox: try SystemEnvironment.sandbox()
            }
        schemaFiles = try SchemaFiles.load(from: manifest.schemaDirectory)
        try manifest.validate(against: schemaFiles.shape)
        self.manifest = try manifest.storingValues(as: schemaFiles.shape).naming(schemaFiles.referenceColumns)
        opened = try stores.openedCloud()
        domains = try preferences.domains.get()
        self.manifest.container = self.manifest.container.placingFirst(domains)
    }

    /// The manifest's app.
    package var app: String { manifest.app }

    /// The same pipeline with account and network as they are by now.
    package func observing(account: AccountAvailability, network: NetworkState) -> Pipeline {
        var pipeline = self
        (pipeline.options.account, pipeline.options.network) = (account, network)
        return pipeline
    }

    /// Runs a command, for real or on a private copy; synchronous, for the command line.
    ///
    /// A strict run rehearses first; where that finds a warning, its report is given back, with `stoppedBy`.
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
        return try strictly(dryRun: dryRun || !command.writes) { isRehearsal throws(GodwitError) in
            let isDry = dryRun || isRehearsal
            // What a test lets fail is to fail in the run itself.
            let context = isRehearsal ? makeContext(cancellation, progress) : context
            return try report(
                named: name, writes: command.writes, dryRun: isDry, following: plan, backingUp: command.writtenRoles,
                checking: command, context
            ) {
                stores, start, report throws(GodwitError) in
                try walk(stores, command, start, &report)
            }
        }
    }

    /// Does work that writes; a strict run rehearses it first, and stops there if that finds a warning.
    ///
    /// - Parameter work: given whether it is to be rehearsed on a private copy.
    func strictly(
        dryRun: Bool, _ work: (_ isRehearsal: Bool) throws(GodwitError) -> RunReport
    ) throws(GodwitError) -> RunReport {
        guard options.isStrict, !dryRun else { return try work(false) }
        var rehearsal = try work(true)
        guard rehearsal.isDoubtful || rehearsal.outcome == .failed else { return try work(false) }
        rehearsal.stoppedBy = .strict
        rehearsal.nextSteps = []
        return rehearsal
    }

    /// Opens a session on the locked container, or on a private copy of it, and fills in the report of what is done there.
    func report(
        named name: String, writes: Bool, dryRun: Bool, following plan: SavedPlan? = nil,
        backingUp roles: [FileRole] = [], checking command: Command? = nil, _ context: RunContext,
        _ work: (StoreOpener, ContinuousClock.Instant, inout RunReport) throws(GodwitError) -> Void
    ) throws(GodwitError) -> RunReport {
        let identifier = context.makeIdentifier()
        var report = RunReport(
            run: RunIdentity(
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
            try requireUsableBackupFolder()
            // Also before a rehearsal: what a run would be refused for is not found out on a copy.
            try requireOpened(in: container, writes: writes, context)
            var copy: RehearsalCopy?
            if dryRun {
                let made = try RehearsalCopy(
                    of: container, manifest: manifest, domains: domains,
                    resumesRollback: name == Stage.rollback.rawValue, context: context)
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
                let told = note.map { note in context.with { note.note($0) } } ?? context
                try place.explainingFailures { () throws(GodwitError) in
                    let files = try ContainerFiles(
                        manifest, in: container, domains: copy?.domains ?? domains,
                        resumesRollback: name == Stage.rollback.rawValue)
                    let (basis, held) = try hold(files, to: plan, dryRun: dryRun, told)
                    report.plan = basis
                    let context = held?.guarding(told) ?? told
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
                    defer { addBackup(backup, to: &report) }
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

    /// A command's steps in their order, under the lock.
    func walk(
        _ stores: StoreOpener, _ command: Command, _ start: ContinuousClock.Instant, _ report: inout RunReport
    ) throws(GodwitError) {
        let survey: ContainerSurvey
        var isRecorded = false
        do throws(GodwitError) {
            survey = try SurveyReading(stores).read(checkingIntegrity: stores.watch == nil && command != .verify)
            logger.debug("looked around", metadata: survey.metadata)
            try Admission(stores).requireReady(for: command, survey)
            do throws(GodwitError) {
                try work(stores, command, survey, start, &report, &isRecorded)
                try stores.watch?.requireSound()
            } catch {
                // A damaged store is not written to.
                try stores.watch?.requireSound(after: error)
                if command.writes, !isRecorded {
                    RunLedger(stores).recordFailure(error, of: report, start.duration(to: .now).milliseconds)
                }
                throw error
            }
        } catch {
            try stores.watch?.requireSound(after: error)
            throw error
        }
        report = try Advice(stores).concluded(report, survey)
    }

    /// The stages in their order, and the ledger.
    private func work(
        _ stores: StoreOpener, _ command: Command, _ survey: ContainerSurvey, _ start: ContinuousClock.Instant,
        _ report: inout RunReport, _ isRecorded: inout Bool
    ) throws(GodwitError) {
        let ledger = RunLedger(stores)
        report.take(
            try report.taking { () throws(GodwitError) in
                try StructuredStep(stores).run(command.structuredStages, survey, copiesNext: command.copies)
            })
        logger.debug("structured store is up to date")
        if command.copies {
            let isRecordedLocally = try ledger.store(for: report.run.command) == .local
            let copy = try report.taking { () throws(GodwitError) in
                try CopyStep(stores).run(survey, isRecordedLocally: isRecordedLocally)
            }
            report.take(copy.stages)
            if let commit = copy.commit {
                try record(report, start, commit, ledger)
                isRecorded = true
                report.copy?.flag = try stores.scope.flag.state()
            }
            logger.debug("copy: \(report.copy?.outcome.rawValue ?? "not asked for")")
        }
        let verify = VerifyStep(stores)
        if command == .verify { report.verify = try verify.verifyUnmigrated(survey) }
        if command.verifies, report.verify == nil {
            report.verify = try verify.verify(command.proof(after: report))
        }
        let isToBeMended = isRecorded && report.verify?.outcome == .failed
        if command.writes, report.overallOutcome.hasChanges && !isRecorded || isToBeMended {
            try ledger.record(report, durationMilliseconds: start.duration(to: .now).milliseconds)
            isRecorded = true
        }
    }

    /// Records a copy, then sets its flag.
    private func record(
        _ report: RunReport, _ start: ContinuousClock.Instant, _ commit: FlagCommit, _ ledger: RunLedger
    ) throws(GodwitError) {
        do throws(GodwitError) {
            try ledger.record(report, durationMilliseconds: start.duration(to: .now).milliseconds, seal: commit)
        } catch {
            // If the flag is set, the copy is complete, and the error is not about it.
            throw (try? commit.flag.state())?.isSet == true ? error : error.afterCopyCommit
        }
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
    /// The same error with paths below a root written from there on: a rehearsal's private paths mean nothing to
    /// anybody.
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
