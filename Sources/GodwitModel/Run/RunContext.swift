import Synchronization

/// The environment of a run, which tests can replace: clock, identifiers, cancellation, faults.
package struct RunContext: Sendable {
    /// The date of everything in the run; read once.
    package let now: Instant
    /// Makes identifiers: upper-case UUID text.
    package let makeIdentifier: @Sendable () -> String
    /// Checked between batches; a cancelled run rolls back and throws.
    package private(set) var cancellation: Cancellation
    /// Longest wait for the lock of the container, or for a store that another process uses, in milliseconds.
    package private(set) var lockTimeoutMilliseconds: Int
    package private(set) var progress: @Sendable (RunProgress) -> Void
    /// Called at named points between two steps; tests throw or stop there.
    package let faultPoint: @Sendable (FaultPoint) throws(GodwitError) -> Void
    /// Checked before an existing store is written, in a run that must agree with a plan.
    package var planned: (any PlannedStores)?
    /// Checked before a commit to a store, if stores that are read are still being checked.
    package var watched: (any WatchedStores)?
    /// Facts about stores that this run has found.
    package var known = StoreStateCache()
    /// A store that the app has open, written through the app's connection; nil for none.
    package var opened: (any OpenedStore)?
    /// The backup to make before the first write; nil if none was requested.
    package var backup: (any BackupBeforeWriting)?

    package init(
        now: Instant,
        makeIdentifier: @escaping @Sendable () -> String,
        cancellation: Cancellation = Cancellation(),
        lockTimeoutMilliseconds: Int = 30_000,
        progress: @escaping @Sendable (RunProgress) -> Void = { _ in },
        faultPoint: @escaping @Sendable (FaultPoint) throws(GodwitError) -> Void = { _ throws(GodwitError) in }
    ) {
        (self.now, self.makeIdentifier, self.cancellation) = (now, makeIdentifier, cancellation)
        (self.lockTimeoutMilliseconds, self.progress, self.faultPoint) = (lockTimeoutMilliseconds, progress, faultPoint)
    }
}

extension RunContext {
    /// The same context, which also reports its progress to a listener.
    package func with(progress listener: @escaping @Sendable (RunProgress) -> Void) -> RunContext {
        var context = self
        context.progress = { [progress] in
            progress($0)
            listener($0)
        }
        return context
    }

    /// The same context with another lock timeout, and another cancellation if one is given.
    package func with(lockTimeoutMilliseconds: Int, cancellation: Cancellation? = nil) -> RunContext {
        var context = self
        context.lockTimeoutMilliseconds = lockTimeoutMilliseconds
        if let cancellation { context.cancellation = cancellation }
        return context
    }

    /// Returns the context for a private store: commits there have no lasting effect yet.
    package var unwatched: RunContext {
        var context = self
        context.watched = nil
        return context
    }
}

/// Checks for a run that must agree with a plan, before it writes to a store.
package protocol PlannedStores: Sendable {
    /// Throws (65) if the store at a path differs from the plan's input; returns false if the run itself already writes
    /// to that store.
    func requireUnwritten(_ path: String, stage: GodwitError.Stage) throws(GodwitError) -> Bool
    /// Ends the checks of a store, because the run itself writes to it now.
    func letGo(of path: String)
}

/// A store that the app has open in this process.
package protocol OpenedStore: AnyObject, Sendable {}

/// Checks of stores that run in parallel with a run, before it commits.
package protocol WatchedStores: Sendable {
    /// Waits for the checks, and throws (65) if a store is damaged.
    func requireSound() throws(GodwitError)
}

/// The points between two durable steps where a test can fail a run.
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

/// The progress of a run.
public struct RunProgress: Sendable {
    /// The current stage.
    public let stage: GodwitError.Stage
    /// Records done in this stage.
    public let completed: Int64
    /// Records to do in this stage; nil if not known yet.
    public let total: Int64?

    /// Progress of one stage.
    public init(stage: GodwitError.Stage, completed: Int64, total: Int64?) {
        (self.stage, self.completed, self.total) = (stage, completed, total)
    }

    /// Progress of the stage from 0 to 1; 0 if the total is not known.
    public var fraction: Double {
        guard let total, total > 0 else { return 0 }
        return min(1, Double(completed) / Double(total))
    }
}

/// A request to stop; safe to raise from a signal handler's thread.
package final class Cancellation: Sendable {
    private let signal = Atomic<Int32>(0)

    /// Not cancelled yet.
    package init() {}

    /// Asks the run to stop; the process then exits with the code.
    package func cancel(_ code: GodwitError.Code = .interrupted) {
        signal.store(code.rawValue, ordering: .relaxed)
    }

    /// Whether a stop was requested.
    package var isCancelled: Bool { signal.load(ordering: .relaxed) != 0 }

    /// The exit code for the requested stop; nil if none was requested.
    package var code: GodwitError.Code? {
        let raised = signal.load(ordering: .relaxed)
        return raised == 0 ? nil : GodwitError.Code(rawValue: raised) ?? .interrupted
    }

    /// Throws if a stop was requested.
    package func check(_ stage: GodwitError.Stage) throws(GodwitError) {
        guard let code else { return }
        throw GodwitError(
            stage, code, "cancelled; this stage was rolled back",
            hint: "Run the same command again: it continues where it stopped.")
    }
}
