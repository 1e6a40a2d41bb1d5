public import GodwitModel
public import FoundationLite

/// The commands for apps.
///
/// The work is done on a thread of its own. The progress is reported where the caller is, so it may change the user
/// interface. Cancelling the task rolls back the current stage. Every error is a `GodwitError`.
extension Migration {
    /// Runs all stages in order.
    ///
    /// - Parameter progress: called with the newest progress.
    /// - Returns: the report of every stage. Throws `GodwitError` with the report of the stages before it. With
    ///   `MigrationOptions.isStrict` it also throws if a plan finds a warning (3), and writes nothing.
    public func run(progress: (RunProgress) async -> Void = { _ in }) async throws -> RunReport {
        try await work(progress) { cancellation, report in
            let done = try perform(.run, dryRun: false, cancellation: cancellation, progress: report)
            guard let error = done.stopError else { return done }
            throw error
        }
    }

    /// Runs all stages on a private copy with the same code; changes nothing in the container.
    public func plan(progress: (RunProgress) async -> Void = { _ in }) async throws -> RunReport {
        try await work(progress) { cancellation, report in
            try perform(.run, dryRun: true, cancellation: cancellation, progress: report)
        }
    }

    /// Whether `run` has work to do: the copy is not complete, a schema file is not applied, or the manifest changed since
    /// the last receipt.
    ///
    /// Reads only. A changed manifest counts until a run writes a receipt; a run with nothing to do ends soon.
    public func isPending() async throws -> Bool {
        try await work { cancellation, _ in try isPending(cancellation) }
    }

    /// The store that the app should open now, and why.
    public func activeStore() async throws -> ActiveStore {
        try await work { cancellation, _ in try activeStore(cancellation) }
    }

    /// Reads the state of the container: stores, copy, sync, pending changes, last runs.
    public func status() async throws -> StatusReport {
        try await work { cancellation, _ in try status(cancellation: cancellation) }
    }

    /// Reads the recorded runs, newest first.
    public func history(limit: Int = .max) async throws -> [HistoryEntry] {
        try await work { cancellation, _ in try history(limit: limit, cancellation: cancellation).runs }
    }

    /// Puts back the records that the dedupe of an earlier run set aside, the references of their children, and the
    /// keys of winners.
    ///
    /// Each store whose ledger has the run is undone in one transaction. All stores are undone, or none. Later changes
    /// stay.
    ///
    /// - Parameters:
    ///   - run: the identifier of the run as a report or the history shows it, a beginning that no other run has, or
    ///     `latest`.
    ///   - progress: called with the newest progress.
    /// - Returns: a report whose `undo` says what went back where; `alreadyDone` if an earlier undo did it.
    ///
    /// Throws `GodwitError` 64 if no run, or more than one, has this identifier; 65, with nothing changed, if a record can't
    /// go back exactly, as when a newer one has its key, the schema lost a column, or a later run went on with it.
    public func undoDedupe(
        run: String, progress: (RunProgress) async -> Void = { _ in }
    ) async throws -> RunReport {
        try await work(progress) { cancellation, report in
            try undoDedupe(of: run, dryRun: false, cancellation: cancellation, progress: report)
        }
    }

    /// Puts the backup of an earlier run back, and renames the present files; removes nothing.
    ///
    /// The app must have no connection to its stores. If a rollback is killed, the same call completes it.
    ///
    /// - Parameters:
    ///   - backup: the folder of the backup, as `RunReport.backup` names it.
    ///   - newer: how many records written since the backup may be only in the renamed files after it; nil for none.
    ///   - acceptsOther: whether the backup may be of another container that still exists.
    ///   - isDryRun: whether it is only tried on a private copy.
    ///   - progress: called with the newest progress.
    /// - Returns: a report whose `rollback` names each file, and the flag as it is then.
    ///
    /// Throws `GodwitError` 66 if there is no backup; 65, with nothing changed, if the backup is damaged, of another
    /// app or of another container that still exists, or if records were written since and `newer` is not their number; 75 if
    /// a store is open elsewhere.
    public func rollback(
        to backup: URL, discardingNewer newer: Int64? = nil, acceptingOtherContainer acceptsOther: Bool = false,
        isDryRun: Bool = false,
        progress: (RunProgress) async -> Void = { _ in }
    ) async throws -> RunReport {
        let path = backup.path
        return try await work(progress) { cancellation, report in
            try rollback(
                to: path, discardingNewer: newer, acceptingOtherContainer: acceptsOther, dryRun: isDryRun,
                cancellation: cancellation, progress: report)
        }
    }

    /// Makes the copy pending again, so that the next run copies the records that its receipt does not cover.
    ///
    /// - Parameters:
    ///   - all: whether the next run copies every record, also those that were deleted in the cloud store.
    ///   - isDryRun: whether it is only tried on a private copy.
    ///   - progress: called with the newest progress.
    /// - Returns: a report whose `reopen` says which copy was reopened, and the flag as it is then.
    ///
    /// Throws `GodwitError` 66 if there is no local store to copy from.
    public func reopen(
        all: Bool = false, isDryRun: Bool = false, progress: (RunProgress) async -> Void = { _ in }
    ) async throws -> RunReport {
        try await work(progress) { cancellation, report in
            try reopen(all: all, dryRun: isDryRun, cancellation: cancellation, progress: report)
        }
    }

    /// Checks, read-only, that every record was copied and every legacy value arrived.
    ///
    /// - Parameters:
    ///   - isDeep: whether each index of both stores is compared with its table as well (`PRAGMA integrity_check`); that
    ///     takes about 10 s for a million records with random keys.
    ///   - progress: called with the newest progress.
    public func verify(
        deep isDeep: Bool = false, progress: (RunProgress) async -> Void = { _ in }
    ) async throws -> RunReport {
        var migration = self
        migration.options.verifiesDeeply = isDeep
        return try await work(progress) { [migration] cancellation, report in
            try migration.perform(.verify, dryRun: false, cancellation: cancellation, progress: report)
        }
    }

    /// Exports the active store as versioned JSON into a new file.
    public func export(
        to url: URL, _ options: ExportOptions = .init(), progress: (RunProgress) async -> Void = { _ in }
    ) async throws -> ExportReport {
        let path = url.path
        return try await work(progress) { cancellation, report in
            try export(to: path, options: options, cancellation: cancellation, progress: report)
        }
    }

    /// Builds a new store from an export, and checks that it gives the export back; no file is replaced.
    ///
    /// - Parameters:
    ///   - export: the file of the export.
    ///   - url: the new store; nothing may exist there.
    ///   - isDryRun: whether the store is only built and checked in a private folder, and then removed.
    ///   - progress: called with the newest progress.
    public func restore(
        from export: URL, to url: URL, isDryRun: Bool = false, progress: (RunProgress) async -> Void = { _ in }
    ) async throws -> RestoreReport {
        let (document, path) = (export.path, url.path)
        return try await work(progress) { cancellation, report in
            try restore(
                from: document, to: path, isDryRun: isDryRun, cancellation: cancellation, progress: report)
        }
    }

    private func work<Value: Sendable>(
        _ progress: (RunProgress) async -> Void = { _ in },
        _ body: @escaping @Sendable (Cancellation, @escaping @Sendable (RunProgress) -> Void) throws -> Value
    ) async throws -> Value {
        let (cancellation, events) = (Cancellation(), WorkEvents<Value>())
        return try await withTaskCancellationHandler {
            WorkThread.start(cancellation) {
                events.end(Result { try body(cancellation) { events.report($0) } })
            }
            while true {
                switch await events.next() {
                case .progress(let newest): await progress(newest)
                case .end(let result): return try result.get()
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
    }
}

extension ActiveStore {
    /// The file of the store; nil if there is no store.
    public var url: URL? { path.map { URL(filePath: $0) } }
}
