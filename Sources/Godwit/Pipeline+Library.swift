internal import GodwitFiles
internal import GodwitManifest
public import GodwitModel
public import FoundationLite

extension Manifest {
    /// Reads a manifest; 66 where there is none, 78 with file, line and column where it is not valid.
    public static func load(from url: URL) throws -> Manifest { try load(path: url.path) }

    /// The same by path.
    public static func load(path: String) throws(GodwitError) -> Manifest {
        let bytes: [UInt8]
        do throws(GodwitError) {
            bytes = try readBytes(path, limit: 1 << 20, stage: .manifest)
        } catch {
            var failure = error
            if failure.code == .data {
                failure.code = .manifest
                throw failure
            }
            failure.hint = Self.hint(forMissing: path)
            throw failure
        }
        return try decode(bytes, file: path, sha256: sha256Hex(bytes))
    }

    /// What to do about a manifest that can't be read: a near name in its folder, or another path.
    private static func hint(forMissing path: String) -> String {
        if (try? FileStatus.of(path))?.isDirectory == true {
            let inside = PathText.join(path, "godwit.yaml")
            return (try? FileStatus.of(inside)) == nil ? "Name the manifest in it." : "Did you mean `\(inside)`?"
        }
        let folder = PathText.directory(of: path)
        let names = (try? PathText.textNames(in: folder, stage: .manifest)) ?? []
        let manifests = names.filter { [".yaml", ".yml", ".json"].contains(where: $0.lowercased().hasSuffix) }
        let name = PathText.lastPart(of: path)
        if let near = NearestName.nearest(to: name, among: manifests.filter { $0 != name }) {
            return "Did you mean `\(folder == "." ? near : PathText.join(folder, near))`?"
        }
        return name == "godwit.yaml" && folder == "."
            ? "Name the manifest with --manifest FILE, or make one with `godwit init CONTAINER`."
            : "Check the path of the manifest."
    }
}

/// The asynchronous face of the pipeline, for apps: work happens on a thread of its own, and cancelling the task rolls
/// the stage at work back.
extension Pipeline {
    /// All stages in order.
    ///
    /// - Returns: what every stage did. Throws `GodwitError`, whose `report` says what had been done before; with
    ///   `isStrict` also where its rehearsal found a warning (3), with nothing written.
    public func run(progress: @escaping @Sendable (RunProgress) -> Void = { _ in }) async throws -> RunReport {
        try await detached { cancellation in
            let report = try perform(.run, dryRun: false, cancellation: cancellation, progress: progress)
            guard let error = report.stopError else { return report }
            throw error
        }
    }

    /// Rehearses `run` on a private copy with the same code; changes nothing in the container.
    public func plan(progress: @escaping @Sendable (RunProgress) -> Void = { _ in }) async throws -> RunReport {
        try await detached { cancellation in
            try perform(.run, dryRun: true, cancellation: cancellation, progress: progress)
        }
    }

    /// Puts back what the dedupe of an earlier run set aside: records, the references of their children, and keys that
    /// a winner was given.
    ///
    /// Each store whose books know the run is undone in one transaction, and either all of them or none. What was changed
    /// since stays as it is.
    ///
    /// - Parameters:
    ///   - run: the run's identifier as a report or the history shows it, a beginning that no other run has, or `latest`.
    ///   - progress: called with how far it is, on the thread that does the work.
    /// - Returns: a report whose `undo` says what went back where; `alreadyDone` where an earlier undo did it.
    ///
    /// Throws `GodwitError` 64 where no run, or more than one, is called so; 65, with nothing changed, where a record can't
    /// go back exactly, as when a newer one has its key, the schema lost a column, or a later run went on with it.
    public func undoDedupe(
        run: String, progress: @escaping @Sendable (RunProgress) -> Void = { _ in }
    ) async throws -> RunReport {
        try await detached { cancellation in
            try undoDedupe(of: run, dryRun: false, cancellation: cancellation, progress: progress)
        }
    }

    /// Puts the backup of an earlier run back, and gives the files that are there now other names; nothing is removed.
    ///
    /// The app must have no connection to its stores. A rollback that is killed is completed by the same call.
    ///
    /// - Parameters:
    ///   - backup: the folder of the backup, as `RunReport.backup` names it.
    ///   - newer: how many records written since the backup may be set aside with their files; nil for none.
    ///   - isDryRun: whether it is only tried on a private copy.
    ///   - progress: called with how far it is, on the thread that does the work.
    /// - Returns: a report whose `rollback` names each file, and the flag as it is then.
    ///
    /// Throws `GodwitError` 66 where there is no backup; 65, with nothing changed, where the backup is damaged or of another
    /// app, or where records were written since and `newer` is not their number; 75 where a store is open elsewhere.
    public func rollback(
        to backup: URL, discardingNewer newer: Int64? = nil, isDryRun: Bool = false,
        progress: @escaping @Sendable (RunProgress) -> Void = { _ in }
    ) async throws -> RunReport {
        let path = backup.path
        return try await detached { cancellation in
            try rollback(
                to: path, discardingNewer: newer, dryRun: isDryRun, cancellation: cancellation, progress: progress)
        }
    }

    /// Makes the copy pending again, so that the next run copies what its receipt does not cover.
    ///
    /// - Parameters:
    ///   - all: whether the next run copies every record, also those that were deleted in the cloud store.
    ///   - isDryRun: whether it is only tried on a private copy.
    ///   - progress: called with how far it is, on the thread that does the work.
    /// - Returns: a report whose `reopen` says which copy was reopened, and the flag as it is then.
    ///
    /// Throws `GodwitError` 66 where there is no local store to copy from.
    public func reopen(
        all: Bool = false, isDryRun: Bool = false, progress: @escaping @Sendable (RunProgress) -> Void = { _ in }
    ) async throws -> RunReport {
        try await detached { cancellation in
            try reopen(all: all, dryRun: isDryRun, cancellation: cancellation, progress: progress)
        }
    }

    /// Proves the promises; reads only.
    public func verify(progress: @escaping @Sendable (RunProgress) -> Void = { _ in }) async throws -> RunReport {
        try await detached { cancellation in
            try perform(.verify, dryRun: false, cancellation: cancellation, progress: progress)
        }
    }

    /// Exports the active store as versioned JSON into a new file.
    public func export(
        to url: URL, options: ExportOptions = .init(), progress: @escaping @Sendable (RunProgress) -> Void = { _ in }
    ) async throws -> ExportReport {
        let path = url.path
        return try await detached { cancellation in
            try export(to: path, options: options, cancellation: cancellation, progress: progress)
        }
    }

    /// Restores an export into a new store, and proves that it gives the export back; nothing is ever replaced.
    public func restore(
        from export: URL, to url: URL, options: ImportOptions = .init(),
        progress: @escaping @Sendable (RunProgress) -> Void = { _ in }
    ) async throws -> ImportReport {
        let (document, path) = (export.path, url.path)
        return try await detached { cancellation in
            try restore(from: document, to: path, options: options, cancellation: cancellation, progress: progress)
        }
    }

    private func detached<R: Sendable>(
        _ body: @escaping @Sendable (Cancellation) throws -> R
    ) async throws -> R {
        let cancellation = Cancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                WorkThread.start(cancellation) {
                    continuation.resume(with: Result { try body(cancellation) })
                }
            }
        } onCancel: {
            cancellation.cancel()
        }
    }
}
