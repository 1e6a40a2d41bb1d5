internal import GodwitFiles
package import GodwitModel

/// One consistent view of a store that is safe to read: the store in place if that changes nothing, else a private
/// clone.
///
/// Never opened with `immutable=1`, which loses rows that are only in the `-wal`, and never for writing, which runs a
/// checkpoint and deletes the `-wal`. The clone omits `-shm`; SQLite creates it from the `-wal`.
package struct StoreSnapshot: ~Copyable {
    /// Smallest size of a store that other threads read too, in bytes: `quick_check` takes less than 0.1 s for 4 MiB.
    package static let large: Int64 = 4 << 20

    package let reader: SQLiteReader
    /// For users: `walMissing`, `walDamaged`, `walTruncated`.
    package let warnings: [Warning]
    /// Opens further readers on any thread; valid as long as this snapshot exists.
    package let readers: StoreReaders
    /// Whether its files are large enough for a check on other threads.
    package let isLarge: Bool
    /// Path of the file that is read: the store itself or its clone.
    package let path: String
    /// Modification time: the newer one of the store and its `-wal` file.
    package let modified: Instant
    /// The state of the store, for `StoreStateCache`; nil if it cannot be determined.
    package let state: [UInt8]?
    // Kept so that the clone exists as long as its reader.
    private let scratch: ScratchDirectory?

    /// Opens a store safely and, by default, checks its integrity, unless this run has checked the same state before.
    ///
    /// - Parameters:
    ///   - name: the store in messages: its path inside the container.
    ///   - original: time and warnings of the store that a private copy was made from.
    package init(
        of given: String, name: String, stage: GodwitError.Stage, context: RunContext, checkingIntegrity: Bool = true,
        standingFor original: (modified: Instant, warnings: [Warning])? = nil
    ) throws(GodwitError) {
        // SQLite expects the `-wal` file next to the file that a link refers to.
        let path = PathText.real(given) ?? given
        let set = try StoreSet(path, name: name, stage: stage)
        let before = try StoreStamp.state(of: path, stage: stage)
        var clone: PrivateClone?
        // A reader in place would prevent an app in this process from committing, so its store is always cloned.
        if context.appStore(at: path) != nil || ReadingWay.decide(set.header, set.companions) == .clone {
            clone = try Self.clone(of: path, in: before, name: name, stage: stage, context: context)
        }
        let (readable, directory) = (clone?.path ?? path, clone?.directory)
        // An app may have moved its `-wal` file into the store since the files were examined. Changes that a journal
        // causes in the clone when it is opened do not count.
        let cloned = directory == nil ? nil : try StoreSet(readable, name: name, stage: stage)
        let log = readable + "-wal"
        let hasUnknownLog = directory == nil ? false : try Self.isOfUnknownVersion(log)
        var currentState: [UInt8]?
        var size: Int64 = 0
        do throws(GodwitError) {
            let opened = try SQLiteReader(
                path: readable, name: name, stage: stage, busyMilliseconds: context.lockTimeoutMilliseconds,
                cancellation: context.cancellation, mayRecover: directory != nil)
            let bytes = cloned == nil ? try StoreSet(readable, name: name, stage: stage).bytes : cloned?.bytes
            try opened.requirePages(within: bytes ?? 0)
            size = bytes ?? 0
            // A clone that is used again has no log: the first connection that closed it moved the `-wal` file into the
            // store.
            if clone?.isNew == true {
                clone?.logLoss = try LogLoss.found(nextTo: readable, readBy: opened.connection)
            }
            let others = StoreReaders(
                of: opened, path: readable, name: name, stage: stage,
                busyMilliseconds: context.lockTimeoutMilliseconds, cancellation: context.cancellation,
                mayRecover: directory != nil)
            // From now on the read state does not change: if no process wrote until now, it is the state from before.
            let now = try StoreStamp.state(of: path, stage: stage)
            currentState = now == before ? now : nil
            if checkingIntegrity, !context.known.isKnown(.sound, of: currentState) {
                try opened.checkIntegrity()
                context.known.note(.sound, of: currentState)
            }
            reader = opened
            readers = others
        } catch {
            if hasUnknownLog && error.code == .io { throw Self.unknownLog(name, stage) }
            guard error.isFinding, try StoreSet.looksEncrypted(OpenFile(reading: path, stage: stage)) else {
                throw error
            }
            throw StoreSet.encrypted(name, stage)
        }
        if var kept = clone {
            kept.isNew = false
            context.known.keep(kept, of: path, in: currentState)
        }
        state = currentState
        isLarge = size >= Self.large
        scratch = directory
        self.path = readable
        let loss = clone?.logLoss.map { [$0.warning(name: name)] } ?? []
        warnings = original?.warnings ?? set.warnings(name: name) + loss
        modified = original?.modified ?? set.modified
    }

    package var connection: SQLiteConnection { reader.connection }

    /// Throws (65) if a missing `-wal` file must contain the tables; otherwise they would be created again in the
    /// user's only file.
    package func requireTablesOrLog() throws(GodwitError) {
        guard warnings.contains(where: { $0.code == LogGap.missing.rawValue }),
            try connection.first("SELECT 1 FROM sqlite_schema LIMIT 1") == nil
        else { return }
        let name = connection.name
        throw GodwitError(
            connection.stage, .data,
            "`\(name)` has no tables, is in WAL mode, and there is no \(PathText.lastPart(of: name))-wal "
                + "next to it",
            hint:
                "If it was copied from a device, copy the -wal as well; if the app has made no tables yet, "
                + "open the app once.")
    }

    /// The existing clone of the store in this state, or a new one.
    private static func clone(
        of path: String, in state: [UInt8]?, name: String, stage: GodwitError.Stage, context: RunContext
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

    private static func unknownLog(_ name: String, _ stage: GodwitError.Stage) -> GodwitError {
        GodwitError(
            stage, .data, "the -wal file of `\(name)` has a version that this SQLite does not know",
            hint: "Open the app once, or restore the store and \(PathText.lastPart(of: name))-wal from a backup.")
    }
}

/// A clone that is only read, so every snapshot of the same state can use it.
private struct PrivateClone: Sendable {
    let path: String
    let directory: ScratchDirectory
    /// Whether no connection has opened it yet.
    var isNew = false
    /// Committed data of its `-wal` file that SQLite does not read.
    var logLoss: LogLoss?
}
