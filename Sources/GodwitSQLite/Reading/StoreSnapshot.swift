internal import GodwitFiles
package import GodwitModel

/// A store as it was at one moment, safe to read: the store in place where that changes nothing, else a private clone.
///
/// Never opened with `immutable=1` (which loses rows that are only in the `-wal`), never for writing (which checkpoints
/// and deletes the `-wal`). The clone leaves out `-shm`: SQLite makes its own from the `-wal`.
package struct StoreSnapshot: ~Copyable {
    package let reader: SQLiteReader
    /// What a person should know: `walMissing`, `walDamaged`, `walTruncated`.
    package let warnings: [Warning]
    /// The check that the store is sound, to be run as long as this snapshot lives; on any thread, beside its reader.
    package let soundness: SoundnessCheck
    /// Whether its files are large enough for a check in other threads to be worth beginning.
    package let isLarge: Bool
    /// Where the readable file lies: the store itself or its clone.
    package let path: String
    /// The store's modification time, the newest of the store and its log.
    package let modified: Instant
    /// The state of the store that is shown, for what a run knows of it; nil where it can't be told.
    package let state: [UInt8]?
    // Kept so that the clone lives as long as its reader.
    private let scratch: ScratchDirectory?

    /// Opens a store safely, and checks its integrity before it is trusted; once in a run, while nobody writes to it.
    ///
    /// - Parameters:
    ///   - given: the store's path.
    ///   - name: what messages call it: its path inside the container.
    ///   - original: what is told of the store that a private one stands for.
    package init(
        of given: String, name: String, stage: Stage, context: RunContext, checkingIntegrity: Bool = true,
        standingFor original: (modified: Instant, warnings: [Warning])? = nil
    ) throws(GodwitError) {
        // SQLite looks for the log beside the file that a link leads to.
        let path = PathText.real(given) ?? given
        let set = try StoreSet(path, name: name, stage: stage)
        let before = try StoreStamp.state(of: path, stage: stage)
        var clone: PrivateClone?
        // The app could not commit beside a reader of its store in rollback mode, and need not wait for one.
        if context.appStore(at: path) != nil || ReadingWay.decide(set.header, set.companions) == .clone {
            clone = try Self.clone(of: path, in: before, name: name, stage: stage, context: context)
        }
        let (readable, directory) = (clone?.path ?? path, clone?.directory)
        // An app may have moved its log into the store since the set was looked at; what a clone's journal makes of the
        // clone when it is opened does not count.
        let cloned = directory == nil ? nil : try StoreSet(readable, name: name, stage: stage)
        let log = readable + "-wal"
        let hasUnknownLog = directory == nil ? false : try Self.isOfUnknownVersion(log)
        var told: [UInt8]?
        var size: Int64 = 0
        do throws(GodwitError) {
            let opened = try SQLiteReader(
                path: readable, name: name, stage: stage, busyMilliseconds: context.lockTimeoutMilliseconds,
                cancellation: context.cancellation, mayRecover: directory != nil)
            let bytes = cloned == nil ? try StoreSet(readable, name: name, stage: stage).bytes : cloned?.bytes
            try opened.requirePages(within: bytes ?? 0)
            size = bytes ?? 0
            // A clone that is kept has no log any more: whoever closed it first moved it into the store.
            if clone?.isNew == true {
                clone?.logLoss = try LogLoss.found(beside: readable, readBy: opened.connection)
            }
            let check = SoundnessCheck(
                of: opened, path: readable, name: name, stage: stage,
                busyMilliseconds: context.lockTimeoutMilliseconds, cancellation: context.cancellation,
                mayRecover: directory != nil)
            // What is read does not change from here on: where nobody wrote until now, it is what was there before.
            let now = try StoreStamp.state(of: path, stage: stage)
            told = now == before ? now : nil
            if checkingIntegrity, !context.known.isKnown(.sound, of: told) {
                try check.run(on: opened, findings: IndexFindings(context.known, of: told))
                context.known.note(.sound, of: told)
            }
            reader = opened
            soundness = check
        } catch {
            if hasUnknownLog && error.code == .io { throw Self.unknownLog(name, stage) }
            guard error.isFinding, try StoreSet.looksEncrypted(OpenFile(reading: path, stage: stage)) else {
                throw error
            }
            throw StoreSet.encrypted(name, stage)
        }
        if var kept = clone {
            kept.isNew = false
            context.known.keep(kept, of: path, in: told)
        }
        state = told
        isLarge = size >= SoundnessCheck.large
        scratch = directory
        self.path = readable
        let loss = clone?.logLoss.map { [$0.warning(name: name)] } ?? []
        warnings = original?.warnings ?? set.warnings(name: name) + loss
        modified = original?.modified ?? set.modified
    }

    package var connection: SQLiteConnection { reader.connection }

    /// Throws (65) where its tables must be in a log that is not there: they would be made anew, in the user's only file.
    package func requireTablesOrLog() throws(GodwitError) {
        guard warnings.contains(where: { $0.code == LogGap.missing.rawValue }),
            try connection.first("SELECT 1 FROM sqlite_schema LIMIT 1") == nil
        else { return }
        let name = connection.name
        throw GodwitError(
            connection.stage, .data,
            "\(name) has no tables, is in WAL mode, and there is no \(PathText.lastPart(of: name))-wal beside it.",
            hint:
                "If it was copied from a device, copy the -wal as well: all of it is there. If the app has made no tables yet, "
                + "open the app once more.")
    }

    /// The clone that was made of the store in this state, or a new one.
    private static func clone(
        of path: String, in state: [UInt8]?, name: String, stage: Stage, context: RunContext
    ) throws(GodwitError) -> PrivateClone {
        if let kept = context.known.clone(of: path, in: state) as? PrivateClone { return kept }
        let made = try ScratchDirectory(identifier: context.makeIdentifier())
        let clone = try StoreClone.make(of: path, name: name, in: made.path, stage: stage, context: context)
        return PrivateClone(path: clone, directory: made, isNew: true)
    }

    private static func isOfUnknownVersion(_ log: String) throws(GodwitError) -> Bool {
        guard try FileStatus.of(log)?.size ?? 0 >= LogHeader.size else { return false }
        let head = try OpenFile(reading: log).bytes(8)
        return head.count == 8 && LogHeader.isOfUnknownVersion(head)
    }

    private static func unknownLog(_ name: String, _ stage: Stage) -> GodwitError {
        GodwitError(
            stage, .data, "The log of \(name) is of a version that this SQLite does not know.",
            hint: "\(PathText.lastPart(of: name))-wal is damaged, or a newer SQLite wrote it; open the app once, or "
                + "restore both.")
    }
}

/// A clone that is only read: whoever meets its store in the same state reads it as well.
private struct PrivateClone: Sendable {
    let path: String
    let directory: ScratchDirectory
    /// Whether nobody has opened it yet.
    var isNew = false
    /// What its log held that is not in it.
    var logLoss: LogLoss?
}
