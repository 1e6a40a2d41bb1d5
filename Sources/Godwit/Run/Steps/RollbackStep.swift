internal import GodwitFiles
internal import GodwitModel
internal import GodwitBackup
internal import GodwitCopy

/// A rollback under the container's lock: checks the backup, counts the records that it would hide, puts the files
/// back.
struct RollbackStep {
    let stores: StoreOpener
    let backup: StoredBackup
    /// How many newer records the user agreed to have in renamed files only; nil for none.
    let accepted: Int64?
    /// Whether the backup may be of another container.
    let acceptsOtherContainer: Bool

    private var scope: RunScope { stores.scope }
    private var context: RunContext { scope.context }

    /// The report of the step, and its next steps.
    struct Done {
        var report: RunReport.Rollback
        var activeStore: StoreRole?
        var warnings: [Warning] = []
        var nextSteps: [String] = []
    }

    func run(isDryRun: Bool) throws(GodwitError) -> Done {
        var notes: [Warning] = []
        let changes = try ChangesSinceBackup(stores: stores, backup: backup)
        let stage = changes.stage
        let interrupted = try RollbackMarker.find(in: stage.folders)?.marker
        if let interrupted { try requireSame(interrupted) }
        let other = try otherContainer()
        if let other {
            guard acceptsOtherContainer || interrupted != nil else { throw refusal(of: other) }
            notes.append(Warning("otherContainer", "the backup is of another container: `\(other)`"))
        }
        try backup.requireWhole(context)
        var rollback = RunReport.Rollback(
            backup: backup.folder, madeAt: backup.document.createdAt, runId: backup.document.runId)
        let stamps = try changes.stamps()
        let holders = try changes.fill(&rollback, &notes)
        let newer = rollback.newer.values.reduce(0, +)
        try requireAccepted(newer, rollback.newer, interrupted)
        do throws(GodwitError) {
            rollback.files = try stage.putBack(newer: newer, interrupted: interrupted) { () throws(GodwitError) in
                guard try changes.stamps() == stamps else { throw Self.written }
            }
        } catch {
            throw (try? RollbackMarker.find(in: stage.folders)) == nil ? error : error.duringRollback
        }
        let isDone = interrupted == nil && rollback.files.allSatisfy { $0.action == .unchanged }
        rollback.outcome = isDone ? .alreadyDone : .done
        rollback.flag = try? scope.flag.state()
        notes += warnings(rollback, holders, isDryRun: isDryRun)
        let active = (try? SurveyReading(stores).read(checkingIntegrity: false))?.activeStore
        guard isDryRun, rollback.outcome.hasChanges else {
            return Done(report: rollback, activeStore: active, warnings: notes)
        }
        let words =
            (newer > 0 ? ["--discard-newer", "\(newer)"] : []) + (other == nil ? [] : ["--other-container"])
        let command = scope.commandLine(["rollback", backup.folder] + words)
        return Done(
            report: rollback, activeStore: active, warnings: notes, nextSteps: ["To make these changes: \(command)"])
    }

    /// The container that the backup is of, if it is another one and still exists.
    ///
    /// One that was moved takes its backups along. A sandbox may hide the path that its own container had before.
    private func otherContainer() throws(GodwitError) -> String? {
        let made = backup.document.container
        // A dry run has a private copy of the container.
        guard let there = try? FileStatus.of(made), there.isDirectory,
            try FileStatus.of(scope.files.container.places[0])?.isSameFile(as: there) != true
        else { return nil }
        return made
    }

    private func refusal(of other: String) -> GodwitError {
        GodwitError(
            .rollback, .data, "`\(backup.folder)` is a backup of another container, `\(other)`; nothing was changed",
            hint: "Name a backup of `\(scope.files.container.given)`, or "
                + Wording.text(commandLine: "add --other-container", library: "give `acceptingOtherContainer: true`")
                + " to put these files there.")
    }

    private func requireSame(_ marker: RollbackMarker) throws(GodwitError) {
        guard marker.runId != backup.document.runId else { return }
        throw GodwitError(
            .rollback, .data, "a rollback to another backup was interrupted: `\(marker.backup)`",
            hint: "Complete it first: \(scope.commandLine(["rollback", marker.backup])).")
    }

    /// Throws (65) if records would be hidden, and the user has not agreed to that.
    private func requireAccepted(
        _ newer: Int64, _ counts: [String: Int64], _ interrupted: RollbackMarker?
    ) throws(GodwitError) {
        if newer == 0 || newer == accepted { return }
        if let interrupted, newer <= interrupted.newer { return }
        let list = scope.manifest.entities.compactMap { entity in
            counts[entity.name].map { "\($0.grouped) \(entity.name)" }
        }
        throw GodwitError(
            .rollback, .data,
            "\(newer.counted("record")) \(newer == 1 ? "was" : "were") written after the backup was made: "
                + "\(list.joined(separator: ", "))",
            hint:
                Wording.text(
                    commandLine: "Add --discard-newer \(newer)", library: "Give `discardingNewer: \(newer)`")
                + " to have \(newer == 1 ? "it" : "them") only in the files that get another name.")
    }

    private static let written = GodwitError(
        .rollback, .busy, "another process wrote to a store while its records were counted; nothing was changed",
        hint: "Close the app, then run the same command again.")

    private func warnings(_ rollback: RunReport.Rollback, _ holders: Set<StoreRole>, isDryRun: Bool) -> [Warning] {
        var warnings: [Warning] = []
        func areOrWouldBe(_ count: Int64) -> String { isDryRun ? "would be" : count == 1 ? "is" : "are" }
        let newer = rollback.newer.values.reduce(0, +)
        if newer > 0 {
            let names = rollback.files.filter { $0.role.store.map(holders.contains) ?? false }.compactMap(\.keptAs)
            warnings.append(
                Warning(
                    "newerSetAside",
                    "\(newer.counted("record")) written after the backup \(areOrWouldBe(newer)) only in "
                        + "\(names.joined(separator: ", ")), the new \(names.count == 1 ? "name" : "names") of "
                        + "what was there",
                    hint: "Keep \(names.count == 1 ? "this file" : "these files"), and a -wal of that name if there "
                        + "is one, until the records are copied."))
        }
        let deleted = rollback.deleted.values.reduce(0, +)
        if deleted > 0 {
            warnings.append(
                Warning(
                    "deletedIsBack",
                    "\(deleted.counted("record")) that the store no longer had \(areOrWouldBe(deleted)) back",
                    hint: deleted == 1
                        ? "If it was deleted in the app, delete it again there."
                        : "If some were deleted in the app, delete these again there."))
        }
        if let keys = rollback.preferences {
            warnings.append(
                Warning(
                    "preferencesSetAside",
                    "\(keys.count.counted("key")) of the preferences \(areOrWouldBe(Int64(keys.count))) as in the backup: "
                        + "\(keys.prefix(10).joined(separator: ", "))\(keys.count > 10 ? ", …" : "")",
                    hint: "Set them again in the app."))
        }
        if rollback.files.contains(where: { $0.role == .cloud && $0.action == .restored }) {
            warnings.append(
                Warning(
                    "olderStateSyncs",
                    "the cloud store \(areOrWouldBe(1)) as it was on \(rollback.madeAt); a sync engine that uses it sends "
                        + "that state",
                    hint: "Check the app's sync engine before the app is opened."))
        }
        return warnings
    }
}

extension GodwitError {
    /// The same error of a rollback that had begun to rename files.
    fileprivate var duringRollback: GodwitError {
        var error = self
        error.hint =
            "Run the same command again to complete the rollback: some files are not yet those of the backup."
        return error
    }
}
