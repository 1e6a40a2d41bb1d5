internal import GodwitModel
internal import GodwitStore

/// Checks large stores while they are read, by a thread of its own.
///
/// Invariant: nothing that was read of a store is handed out before `requireSound`. What goes wrong with reading a damaged
/// store is not told: that it is damaged is.
final class SoundnessWatch: Sendable {
    private let worker = BackgroundWorker()
    private let finding: Finding

    /// Smaller stores have been checked before a thread has begun.
    private static let largeSize: Int64 = 16 << 20

    /// What the thread has found; set by it, and read when it is through.
    private final class Finding: @unchecked Sendable {
        var error: GodwitError?
    }

    /// Begins with the stores of a container, one after the other; nil where they are small.
    init?(_ session: Session) throws(GodwitError) {
        let paths = [session.files.local.path, session.files.cloud.path]
        var size: Int64 = 0
        for path in paths { size = max(size, try FileStatus.of(path)?.size ?? 0) }
        guard size >= Self.largeSize else { return nil }
        let finding = Finding()
        self.finding = finding
        worker.begin {
            do throws(GodwitError) { try session.checkStores() } catch { finding.error = error }
        }
    }

    deinit { worker.end() }

    /// Waits for the end, and throws (65) where a store is damaged.
    func requireSound() throws(GodwitError) {
        worker.wait()
        if let error = finding.error { throw error }
    }

    /// What a command ends with that failed meanwhile: the damage that explains it, if there is any.
    func explaining(_ error: GodwitError) -> GodwitError {
        guard error.code != .interrupted, error.code != .terminated else { return error }
        worker.wait()
        return finding.error ?? error
    }
}

extension Session {
    /// Opens the stores that are there and checks them, as the survey does.
    fileprivate func checkStores() throws(GodwitError) {
        if try files.local.exists() { _ = try original(.container, checkingIntegrity: true) }
        if try files.cloud.exists() { _ = try snapshot(.cloud, .container, checkingIntegrity: true) }
    }
}
