internal import GodwitFiles
internal import GodwitLedger
internal import GodwitModel
internal import GodwitSQLite
internal import GodwitSchema

/// The rows of past runs in `godwit_run`.
struct RunLedger: RunStep {
    let stores: StoreOpener

    /// Records a run that changed data: in the local store, or in the cloud store if the local store does not exist, is
    /// read-only, or is the source of a copy.
    ///
    /// - Parameters:
    ///   - failure: the error of the run after it had changed data.
    ///   - commit: sets the flag of a finished copy; if the ledger is in the local store, under its write lock, which
    ///     keeps an app from writing records that would not be copied any more.
    func record(
        _ report: RunReport, durationMilliseconds: Int64, failure: GodwitError? = nil, commit: FlagCommit? = nil,
        in environment: RunContext? = nil
    ) throws(GodwitError) {
        try folders.requireInPlace(.status)
        let role = try store(for: report.run.command)
        guard try files[role].exists() else { return }
        let writer = try StoreWriter(
            existing: files[role].path, name: files[role].name, stage: .status, context: environment ?? context)
        var version: Value?
        try writer.transaction(.status) { connection throws(GodwitError) in
            // Before this transaction writes anything itself.
            if role == .local { try commit?.requireUnchanged(files.local.path, name: files.local.name) }
            version = try connection.first(Self.dataVersion)
            try write(report, durationMilliseconds: durationMilliseconds, failure: failure, within: connection)
        }
        if role == .local, let commit {
            // A transaction that only holds the lock: were anything written in it, a run killed after the flag would
            // leave a journal behind. Once the flag is set, it is too late for being cancelled.
            try writer.transaction(.status, isCancellable: false) { connection throws(GodwitError) in
                guard try connection.first(Self.dataVersion) == version else { throw commit.changed(files.local.name) }
                try commit.setFlag()
            }
        }
        try writer.close(.status)
        if role == .cloud { try commit?.setFlag(locking: files.local.path, name: files.local.name) }
    }

    /// Records a run that failed; if recording also fails, the first error counts.
    ///
    /// Changes that were committed before the failure are always recorded. A run that changed nothing is recorded only
    /// in a ledger that exists, in a store that a writing run would open: not in a store that is locked, damaged or of
    /// another schema, and not if a saved plan has the hash of the store. It waits for no lock.
    func recordFailure(_ failure: GodwitError, of report: RunReport, _ durationMilliseconds: Int64) {
        guard report.overallOutcome.hasChanges || isRecordable(failure, report) else { return }
        // A run that changed nothing made no backup, and needs none to say that it failed.
        guard context.backup?.isMade ?? true else { return }
        let impatient = context.with(lockTimeoutMilliseconds: 0, cancellation: Cancellation())
        try? record(report, durationMilliseconds: durationMilliseconds, failure: failure, in: impatient)
    }

    private func isRecordable(_ failure: GodwitError, _ report: RunReport) -> Bool {
        guard failure.code == .data, plan == nil, !report.run.dryRun else { return false }
        do throws(GodwitError) {
            let role = try store(for: report.run.command)
            guard try files[role].exists() else { return false }
            let store = try stores.snapshot(role, .status).connection
            try store.refuseMirrored()
            guard try store.has(.run) else { return false }
            return try schema.plan(store).pending.isEmpty
        } catch {
            return false
        }
    }

    /// Writes a run into the ledger inside a transaction of the caller.
    func write(
        _ report: RunReport, durationMilliseconds: Int64, failure: GodwitError? = nil,
        within connection: SQLiteConnection
    ) throws(GodwitError) {
        let counts = report.counts
        let entry = HistoryEntry(
            id: identifier, command: report.run.command, startedAt: context.now,
            durationMilliseconds: durationMilliseconds, outcome: failure == nil ? report.overallOutcome : .failed,
            summary: report.summary(inOrder: manifest.entities.map(\.name)), counts: counts, error: failure?.message,
            godwitVersion: GodwitVersion.current)
        try connection.record(entry, kept: manifest.historyKept)
    }

    /// Differs after another connection has committed: <https://sqlite.org/pragma.html#pragma_data_version>.
    private static let dataVersion = "PRAGMA data_version"

    /// Where a command's runs are recorded.
    func store(for command: String) throws(GodwitError) -> StoreRole {
        let hasLocal = try files.local.exists()
        return isLocalWritable && command != Command.copy.rawValue && hasLocal ? .local : .cloud
    }

    /// The recorded runs, newest first.
    ///
    /// - Parameter roles: the stores that are read.
    func readRuns(
        limit: Int, from roles: [StoreRole] = [.local, .cloud]
    ) throws(GodwitError) -> [HistoryEntry] {
        var runs: [HistoryEntry] = []
        for role in roles where try files[role].exists() {
            // A store that is never written has no ledger.
            if role == .local, isCoreData { continue }
            let store = try stores.snapshot(role, .status)
            try store.connection.requireOwnBooks()
            runs = Self.merged(runs, try store.connection.readRuns(limit: limit))
        }
        return Array(runs.prefix(limit))
    }

    /// Two lists, newest first, as one; each keeps its own order, and between the two the dates decide.
    private static func merged(_ a: [HistoryEntry], _ b: [HistoryEntry]) -> [HistoryEntry] {
        var (left, right) = (a[...], b[...])
        var merged: [HistoryEntry] = []
        while let mine = left.first, let theirs = right.first {
            if mine.startedAt >= theirs.startedAt {
                merged.append(mine)
                left.removeFirst()
            } else {
                merged.append(theirs)
                right.removeFirst()
            }
        }
        return merged + left + right
    }
}

extension RunReport {
    /// The outcome of the whole, from those of the stages.
    var overallOutcome: Outcome {
        let outcomes = stageOutcomes.compactMap(\.self)
        if verify?.outcome == .failed || outcomes.contains(.failed) { return .failed }
        if outcomes.contains(.partial) { return .partial }
        if outcomes.contains(.done) { return .done }
        if outcomes.contains(.healed) { return .healed }
        if outcomes.contains(.alreadyDone) { return .alreadyDone }
        return verify == nil ? .nothingToDo : outcomes.isEmpty ? .done : .nothingToDo
    }
}
