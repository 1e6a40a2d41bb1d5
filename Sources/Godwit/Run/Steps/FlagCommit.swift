internal import GodwitFiles
internal import GodwitModel
internal import GodwitSQLite
internal import GodwitCopy

/// The last step of a copy: the flag, unless the local store has been written since it was read.
///
/// Invariant: no other process commits to the local store between the proof and the flag, or the flag is not set.
struct FlagCommit: Sendable {
    /// Nil if there is no local store.
    let stamp: StoreStamp?
    let folders: LockedFolders
    let flag: CompletionFlag
    let context: RunContext

    /// Throws (75) if another process has committed to the local store since the stamp was taken, or made one.
    func requireUnchanged(_ path: String, name: String) throws(GodwitError) {
        let isThere = try FileStatus.of(path) != nil
        guard try isThere ? StoreStamp(of: path, stage: .copy) != stamp : stamp != nil else { return }
        throw changed(name)
    }

    func changed(_ name: String) -> GodwitError {
        GodwitError(
            .copy, .busy, "another process wrote to `\(name)` during the copy",
            hint: "Close the app and run again: Godwit then copies the new records.")
    }

    /// Sets the flag of a copy that only reads the local store: it is locked from the last check until the flag is set.
    func setFlag(locking path: String, name: String) throws(GodwitError) {
        let barrier: WriteBarrier? =
            try stamp == nil ? nil : WriteBarrier(path, name: name, stage: .copy, context: context)
        try withExtendedLifetime(barrier) { () throws(GodwitError) in
            try requireUnchanged(path, name: name)
            try setFlag()
        }
    }

    /// The last moment for being cancelled: once it is set, the copy is done.
    func setFlag() throws(GodwitError) {
        try context.cancellation.check(.copy)
        try flag.set(context: context) { () throws(GodwitError) in try folders.requireInPlace(.copy) }
    }
}
