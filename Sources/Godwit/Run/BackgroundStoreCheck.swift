internal import GodwitFiles
internal import GodwitModel
internal import GodwitSQLite

/// The stores of a command that reads them while they are being checked.
///
/// Invariant: no output is handed out, and no store is committed to, before `requireSound`. If a read fails in a
/// damaged store, callers get the damage, not the read error.
///
/// `@unchecked`: only the thread that runs the command calls it.
final class BackgroundStoreCheck: WatchedStores, @unchecked Sendable {
    private var proofs: [StoreProof] = []
    private var damage: GodwitError?

    /// Starts to check the stores of a container; nil if they are small, or if one of them cannot be opened: the survey
    /// then checks them one after the other, and says so.
    ///
    /// 75 if one is in use: the survey would only wait again.
    ///
    /// - Parameter command: nil for an export. One that writes to a store that is there may have to write to its file
    ///   before it commits, and SQLite lets it do so only if there is no other lock on it, not even one of this
    ///   process.
    init?(_ scope: RunScope, for command: Command? = nil) throws(GodwitError) {
        // A copy has most of its work to do before it commits to anything. Other commands begin with the local store.
        if let command {
            guard command == .copy, try !scope.files.cloud.exists() else { return nil }
        }
        let roles: [StoreRole] = [.local, .cloud]
        do throws(GodwitError) {
            // Small ones are checked before a thread has begun.
            let size = max(try scope.files.local.bytes, try scope.files.cloud.bytes)
            guard size >= StoreSnapshot.large else { return nil }
            for role in roles where try scope.files[role].exists() {
                proofs.append(try StoreProof(surveying: role, in: scope))
            }
        } catch {
            guard ![.busy, .interrupted, .terminated].contains(error.code) else { throw error }
            return nil
        }
    }

    /// Waits for the checks, closes the stores, and throws (65) if one is damaged.
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
    /// Bytes of the store and its `-wal` file; 0 if there is none.
    fileprivate var bytes: Int64 {
        get throws(GodwitError) {
            let (store, log) = (try FileStatus.of(path), try FileStatus.of(path + "-wal"))
            return (store?.size ?? 0) + (log?.size ?? 0)
        }
    }
}
