internal import GodwitFiles
internal import GodwitModel
internal import GodwitSQLite

/// The stores of a command that reads them while they are being checked.
///
/// Invariant: no output is handed out, and no store is committed to, before `requireSound`. If a read fails in a damaged
/// store, callers get the damage, not the read error.
///
/// `@unchecked`: only the thread that runs the command calls it.
final class BackgroundStoreCheck: WatchedStores, @unchecked Sendable {
    private var proofs: [StoreProof] = []
    private var damage: GodwitError?

    /// Begins with the stores of a container; nil where they are small, or where one of them can't be opened: the survey
    /// then checks them one after the other, and says so.
    ///
    /// 75 if one is in use: the survey would only wait again.
    ///
    /// - Parameter command: nil for an export. One that writes to a store that is there may have to write to its file
    ///   before it commits, and SQLite lets it do so only if there is no other lock on it, not even one of this process.
    init?(_ scope: RunScope, for command: Command? = nil) throws(GodwitError) {
        // A copy has most of its work to do before it commits to anything. Other commands begin with the local store.
        if let command {
            guard command == .copy, try !scope.files.cloud.exists() else { return nil }
        }
        let roles: [StoreRole] = [.local, .cloud]
        do throws(GodwitError) {
            // Small ones are checked before a thread has begun.
            let size = max(try scope.files.local.bytes, try scope.files.cloud.bytes)
            guard size >= SoundnessCheck.large else { return nil }
            for role in roles where try scope.files[role].exists() {
                let tables = scope.manifest.entities.map(\.name)
                proofs.append(
                    try StoreProof(
                        surveying: role, in: scope, promising: tables,
                        isHeldBack: command != nil && Self.isCrowded))
            }
        } catch {
            guard ![.busy, .interrupted, .terminated].contains(error.code) else { throw error }
            return nil
        }
    }

    /// Whether a check and a question of the copy's would take time from the copying itself, which takes longer than both.
    private static var isCrowded: Bool { Processors.count < 3 }

    /// The checks, to be begun, from any thread, where they are held back.
    var checks: [IntegrityCheck] { proofs.map(\.check) }

    /// Where the check of the store at a path waits for what its reader finds out; nil where none does.
    func sums(ofStoreAt path: String) -> RecordSums? {
        proofs.compactMap { $0.sums(ofStoreAt: path) }.first
    }

    /// Whether a check finds out, unless anything is wrong, if a key is there twice in a store that is read.
    func tellsOfKeys(_ store: borrowing StoreSnapshot, of manifest: Manifest) throws(GodwitError) -> Bool {
        guard store.isLarge, store.state != nil, proofs.contains(where: { $0.snapshot.state == store.state }) else {
            return false
        }
        let shape = try store.connection.readShape()
        for entity in manifest.entities where entity.singleton == nil && shape.table(named: entity.name) != nil {
            let table = try store.connection.table(for: entity, in: shape)
            guard try store.connection.isToldByChecks(ofKeysIn: table) else { return false }
        }
        return true
    }

    /// Waits until the checks that have begun know what they find out about indexes.
    func waitForIndexes() { checks.forEach { $0.waitForIndexes() } }

    /// Waits for the checks, lets go of the stores, and throws (65) where one is damaged.
    func requireSound() throws(GodwitError) {
        defer { proofs = [] }
        if let damage { throw damage }
        do throws(GodwitError) {
            for proof in proofs { try proof.requireIntegrity() }
        } catch {
            damage = error
            throw error
        }
    }

    /// Throws the damage that explains the error of a command that failed; else returns.
    ///
    /// A cancelled command does not wait for the checks; then the error itself is thrown.
    func requireSound(after error: GodwitError) throws(GodwitError) {
        guard error.code == .interrupted || error.code == .terminated else { return try requireSound() }
        defer { proofs = [] }
        guard proofs.allSatisfy({ $0.isSound() }) else { throw error }
    }
}

extension ContainerFiles.Entry {
    /// Bytes of the store and its log; 0 where there is none.
    fileprivate var bytes: Int64 {
        get throws(GodwitError) {
            let (store, log) = (try FileStatus.of(path), try FileStatus.of(path + "-wal"))
            return (store?.size ?? 0) + (log?.size ?? 0)
        }
    }
}
