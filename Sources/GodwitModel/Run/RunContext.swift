import Synchronization

/// What a run takes from the world, injected so that tests can fix it: clock, identifiers, cancellation, faults.
package struct RunContext: Sendable {
    /// The time the run is dated with; read once, so that all of a run has one date.
    package let now: Instant
    /// Makes identifiers: upper-case UUID text.
    package let makeIdentifier: @Sendable () -> String
    /// Asked between batches; a cancelled run rolls back and throws.
    package let cancellation: Cancellation
    /// How long to wait for the container's lock and for a store another process holds, in milliseconds.
    package let lockTimeoutMilliseconds: Int
    /// Told how far the run is.
    package let progress: @Sendable (RunProgress) -> Void
    /// Called at named places between two steps; tests throw or stop there.
    package let faultPoint: @Sendable (FaultPoint) throws(GodwitError) -> Void
    /// Asked before an existing store is written, in a run that is held to a plan.
    package var planned: (any PlannedStores)?
    /// Asked before a store is committed to, where those that are read are still being checked.
    package var watched: (any WatchedStores)?
    /// What has been found out about stores so far.
    package var known = StoreStateCache()
    /// A store that the app itself has open, and that is written through the app's connection; nil where there is none.
    package var opened: (any OpenedStore)?
    /// The backup to be made before anything is written; nil if none was asked for.
    package var backup: (any BackupBeforeWriting)?

    /// A context; only the clock has no default.
    package init(
        now: Instant,
        makeIdentifier: @escaping @Sendable () -> String,
        cancellation: Cancellation = Cancellation(),
        lockTimeoutMilliseconds: Int = 30_000,
        progress: @escaping @Sendable (RunProgress) -> Void = { _ in },
        faultPoint: @escaping @Sendable (FaultPoint) throws(GodwitError) -> Void = { _ throws(GodwitError) in }
    ) {
        self.now = now
        self.makeIdentifier = makeIdentifier
        self.cancellation = cancellation
        self.lockTimeoutMilliseconds = lockTimeoutMilliseconds
        self.progress = progress
        self.faultPoint = faultPoint
    }
}

extension RunContext {
    /// The same context, whose progress is told to one more.
    package func telling(_ listener: @escaping @Sendable (RunProgress) -> Void) -> RunContext {
        let progress = progress
        var context = RunContext(
            now: now, makeIdentifier: makeIdentifier, cancellation: cancellation,
            lockTimeoutMilliseconds: lockTimeoutMilliseconds,
            progress: {
                progress($0)
                listener($0)
            }, faultPoint: faultPoint)
        context.planned = planned
        context.watched = watched
        context.known = known
        context.opened = opened
        context.backup = backup
        return context
    }

    /// The same context for a private store: what is committed there is of no consequence yet.
    package var unwatched: RunContext {
        var context = self
        context.watched = nil
        return context
    }
}

/// What a run that is held to a plan asks before it writes to a store.
package protocol PlannedStores: Sendable {
    /// Throws (65) where the store at a path is no longer what the plan was made of; false where that is not asked any
    /// more, because the run itself writes to it.
    func requireUnwritten(_ path: String, stage: Stage) throws(GodwitError) -> Bool
    /// From here on the run writes to the store itself.
    func letGo(of path: String)
}

/// A store that the app has open in this process.
package protocol OpenedStore: AnyObject, Sendable {}

/// What a run that checks stores beside its work asks before it commits to one.
package protocol WatchedStores: Sendable {
    /// Waits for the checks, and throws (65) where a store is damaged.
    func requireSound() throws(GodwitError)
}

/// The places between two durable steps where a test may fail a run.
package enum FaultPoint: String, Sendable, CaseIterable {
    case afterPlanComparison
    case afterBackup
    case beforeReopenCommit, afterReopenCommit
    case afterRollbackMove, beforeRollbackRename, afterRollbackFile
    case beforeSchemaCommit, beforeLegacyCommit, beforeDedupeCommit
    case beforeUndoCommit, afterUndoCommit
    case beforeCopyCommit, afterCopyCommit, beforeRenameIntoPlace, beforeFlag, afterFlag
    case beforeExportRename
    case beforeImportCommit, afterImportCommit, beforeImportRename
}

/// How far a run is.
public struct RunProgress: Sendable {
    /// The stage at work.
    public let stage: Stage
    /// Records done in this stage.
    public let completed: Int64
    /// Records to do in this stage; nil where not known yet.
    public let total: Int64?

    /// Progress of one stage.
    public init(stage: Stage, completed: Int64, total: Int64?) {
        self.stage = stage
        self.completed = completed
        self.total = total
    }

    /// How far the stage is, from 0 to 1; 0 where the total is not known.
    public var fractionCompleted: Double {
        guard let total, total > 0 else { return 0 }
        return min(1, Double(completed) / Double(total))
    }
}

/// A request to stop, safe to raise from a signal handler's thread.
public final class Cancellation: Sendable {
    private let signal = Atomic<Int32>(0)

    /// Not cancelled yet.
    public init() {}

    /// Asks the run to stop; the code is what the process then exits with.
    public func cancel(_ code: ExitCode = .interrupted) {
        signal.store(code.rawValue, ordering: .relaxed)
    }

    /// Whether somebody asked.
    public var isCancelled: Bool { signal.load(ordering: .relaxed) != 0 }

    /// What the process exits with because somebody asked; nil where nobody did.
    package var code: ExitCode? {
        let raised = signal.load(ordering: .relaxed)
        return raised == 0 ? nil : ExitCode(rawValue: raised) ?? .interrupted
    }

    /// Throws when somebody asked.
    package func check(_ stage: Stage) throws(GodwitError) {
        guard let code else { return }
        throw GodwitError(
            stage, code, "Cancelled; this stage was rolled back.",
            hint: "Run the same command again: it goes on from where it was.")
    }
}
