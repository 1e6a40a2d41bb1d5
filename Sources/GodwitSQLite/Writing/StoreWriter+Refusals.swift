internal import GodwitFiles
package import GodwitModel

/// Checks before SQLite opens a store for writing.
extension StoreWriter {
    /// Throws if Godwit must not or cannot write to an existing store.
    ///
    /// That is: not a store (66, 65), a newer format (65), an unfinished transaction across several files (65), or a
    /// folder that permits no journal (77).
    package static func requireWritable(
        _ path: String, name: String, stage: GodwitError.Stage, context: RunContext
    ) throws(GodwitError) {
        guard let app = context.appStore(at: path) else { return try requireWritable(path, name: name, stage: stage) }
        // Each commit of an app with several attached stores has such a transaction for a moment.
        try app.whileNobodyWrites(name, stage, context) { () throws(GodwitError) in
            try requireWritable(path, name: name, stage: stage)
        }
    }

    private static func requireWritable(_ path: String, name: String, stage: GodwitError.Stage) throws(GodwitError) {
        // SQLite would create a missing file, wait on a FIFO, and write to the target of a linked journal.
        let set = try StoreSet(path, name: name, stage: stage)
        guard set.header?.isReadOnlyFormat != true else {
            throw GodwitError(
                stage, .data,
                "`\(name)` has a newer file format than this SQLite (\(SQLiteVersion.current)) can write; "
                    + "it can only read it",
                hint: "Use a build of Godwit with the SQLite of the app, or a newer one.")
        }
        try requireSingleNames(path, name: name, stage: stage)
        // SQLite would only report that it cannot open a file; not which file, and not why.
        let folder = PathText.directory(of: path)
        if PathText.isWritable(path) == false || PathText.isWritable(folder) == false {
            throw GodwitError(
                stage, .permission, "can't write `\(name)`, or its journal next to it",
                hint:
                    "Check the owner and the mode of the file and its folder, and whether the file system "
                    + "is read-only.")
        }
        let journal = path + "-journal"
        guard try SuperJournal.existing(in: journal) == nil, try !SuperJournal.isForgotten(in: journal) else {
            throw GodwitError(
                stage, .data, "`\(name)` has an unfinished transaction that spans other files",
                hint: "Open the app once, so that it completes the transaction; then run the same command again.")
        }
    }

    /// Throws (65) if a store, or a file that SQLite writes and removes next to it, has another hard link, as in some
    /// backups: a write would change that copy too.
    private static func requireSingleNames(_ path: String, name: String, stage: GodwitError.Stage) throws(GodwitError) {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            guard let status = try FileStatus.ofLink(path + suffix) else { continue }
            guard status.isRegularFile else {
                throw GodwitError(
                    stage, .data, "`\(name + suffix)` is not a regular file", hint: "Move this file away."
                )
            }
            guard status.links == 1 else {
                throw GodwitError(
                    stage, .data,
                    "`\(name + suffix)` is one file with \(status.links) names, so a write would "
                        + "change it under its other names",
                    hint: "Replace it by a copy.")
            }
        }
    }
}
