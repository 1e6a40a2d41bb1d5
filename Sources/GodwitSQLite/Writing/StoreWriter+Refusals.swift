internal import GodwitFiles
package import GodwitModel

/// What is not written to, found out before SQLite opens it.
extension StoreWriter {
    /// Throws where Godwit would not or could not write to an existing store: what is no store (66, 65), a format of a
    /// newer SQLite's, an unfinished transaction across several files (65), a folder that takes no journal (77).
    package static func requireWritable(
        _ path: String, name: String, stage: Stage, context: RunContext
    ) throws(GodwitError) {
        guard let app = context.appStore(at: path) else { return try requireWritable(path, name: name, stage: stage) }
        // Each commit of an app that has more stores attached has such a transaction for a moment.
        try app.whileNobodyWrites(name, stage, context) { () throws(GodwitError) in
            try requireWritable(path, name: name, stage: stage)
        }
    }

    private static func requireWritable(_ path: String, name: String, stage: Stage) throws(GodwitError) {
        // SQLite would make what is not there, wait on a FIFO and write to whatever a linked journal leads to.
        let set = try StoreSet(path, name: name, stage: stage)
        guard set.header?.isReadOnlyFormat != true else {
            throw GodwitError(
                stage, .data,
                "\(name) has a newer file format than this SQLite (\(SQLiteVersion.current)) can write; it can only read it.",
                hint: "Use a build of Godwit with the SQLite of the app, or a newer one. The store may be sound.")
        }
        try requireSingleNames(path, name: name, stage: stage)
        // SQLite only says that it can't open something; not what, and not why.
        let folder = PathText.directory(of: path)
        if PathText.isWritable(path) == false || PathText.isWritable(folder) == false {
            throw GodwitError(
                stage, .permission, "Can't write \(name), or its journal beside it.",
                hint: "Check who owns the file and its folder, their modes, and whether the file system is read-only.")
        }
        let journal = path + "-journal"
        guard try SuperJournal.existing(in: journal) == nil, try !SuperJournal.isForgotten(in: journal) else {
            throw GodwitError(
                stage, .data, "\(name) has an unfinished transaction that spans other files.",
                hint: "Open the app once, so that it finishes what it began; then run the same command again.")
        }
    }

    /// Throws (65) where a store, or a file that SQLite writes and removes beside it, is also there under another name, as
    /// backups made of hard links are: what is written would change that copy as well.
    private static func requireSingleNames(_ path: String, name: String, stage: Stage) throws(GodwitError) {
        for suffix in ["", "-wal", "-shm", "-journal"] {
            guard let status = try FileStatus.ofLink(path + suffix) else { continue }
            guard status.isRegularFile else {
                throw GodwitError(
                    stage, .data, "\(name + suffix) is not a regular file.", hint: "Move it away; SQLite makes its own."
                )
            }
            guard status.links == 1 else {
                throw GodwitError(
                    stage, .data, "\(name + suffix) is one file under \(status.links) names.",
                    hint: "Put a copy in its place: what is written here would change the file under its other names.")
            }
        }
    }
}
