internal import GodwitFiles
package import GodwitModel

/// Clones a store with its log and journal, consistently though an app may be writing.
package enum StoreClone {
    /// Copies the set into a folder and returns the clone's path.
    ///
    /// The files are examined before and after; when one moved meanwhile, the clone may mix two states, so it is made
    /// again, for as long as the lock timeout allows (then 75).
    package static func make(
        of path: String, name: String, in directory: String, stage: Stage, context: RunContext
    ) throws(GodwitError) -> String {
        let clone = directory + "/" + PathText.lastPart(of: path)
        try make(of: path, name: name, at: clone, stage: stage, context: context)
        return clone
    }

    /// The same to a path of the caller's, in a folder of Godwit's own.
    package static func make(
        of path: String, name: String, at clone: String, stage: Stage, context: RunContext
    ) throws(GodwitError) {
        var attempt = 0
        while true {
            do throws(GodwitError) {
                if try copySettledSet(path, to: clone, stage: stage, context: context) { return }
            } catch {
                throw error.aboutCopying(name, into: PathText.directory(of: clone))
            }
            try context.cancellation.check(stage)
            attempt += 1
            guard attempt * 50 <= context.lockTimeoutMilliseconds, attempt < 1000 else {
                throw GodwitError(
                    stage, .busy, "\(name) is being written by another process; no consistent copy could be made.",
                    hint: "Close the app that uses it, or raise --lock-timeout.")
            }
            pause(milliseconds: 50)
        }
    }

    /// Copies the set once; false where somebody wrote to it meanwhile, whatever the copying came to then.
    private static func copySettledSet(
        _ path: String, to clone: String, stage: Stage, context: RunContext
    ) throws(GodwitError) -> Bool {
        guard let app = context.appStore(at: path) else {
            return try copySettledFiles(path, to: clone, stage: stage, context: context)
        }
        // The locks of a process do not keep its own connections out.
        return try app.whileNobodyWrites(PathText.lastPart(of: path), stage, context) { () throws(GodwitError) in
            try copySettledFiles(path, to: clone, stage: stage, context: context)
        }
    }

    private static func copySettledFiles(
        _ path: String, to clone: String, stage: Stage, context: RunContext
    ) throws(GodwitError) -> Bool {
        var before = try Fingerprint(path)
        if !before.isSettled {
            pause(milliseconds: 2 * FileStatus.tickMilliseconds)
            before = try Fingerprint(path)
        }
        let made = OwnFiles.temporaryPath(beside: clone, identifier: context.makeIdentifier())
        // What was put in place is no longer there to be removed.
        defer { OwnFiles.removeTemporary(made) }
        var failure: GodwitError?
        do throws(GodwitError) {
            guard try copySet(path, to: made) else { return false }
        } catch {
            failure = error
        }
        guard before.isSettled, try Fingerprint(path) == before else { return false }
        if let failure { throw failure.at(stage) }
        for suffix in ["-wal", "-journal", ""] where try FileStatus.of(made + suffix) != nil {
            try AtomicFile.rename(made + suffix, to: clone + suffix, replacing: false, stage: stage)
        }
        return true
    }

    /// The log before the main file: should a checkpoint run in between, the newer main file already holds the rows.
    ///
    /// False if a writer is at the main file without a journal or log, or has just taken its journal away.
    private static func copySet(_ path: String, to clone: String) throws(GodwitError) -> Bool {
        let barrier = try ReadBarrier(path)
        guard barrier.isKept else { return false }
        for suffix in ["-wal", "-journal"] {
            guard let status = try FileStatus.ofLink(path + suffix) else { continue }
            // SQLite does not follow a link here either, and a clone must not hold what is somebody else's.
            guard status.isRegularFile else {
                throw GodwitError(.container, .data, "\(path + suffix) is not a regular file.")
            }
            guard try FileClone.copy(ifThere: path + suffix, to: clone + suffix) else { return false }
        }
        try FileClone.copy(path, to: clone)
        try SuperJournal.forget(in: clone + "-journal")
        return withExtendedLifetime(barrier) { true }
    }

    /// What changes when anybody writes to the set: identity, size and times of its files, and their headers, which
    /// hold SQLite's own counters and salts.
    private struct Fingerprint: Equatable {
        private let parts: [FileStatus?]
        private let heads: [[UInt8]]
        /// Whether no file changed within the clock's last tick: a second change within one leaves the times as they
        /// are, and could not be told.
        let isSettled: Bool

        static func == (a: Fingerprint, b: Fingerprint) -> Bool { a.parts == b.parts && a.heads == b.heads }

        init(_ path: String) throws(GodwitError) {
            var parts: [FileStatus?] = []
            var heads: [[UInt8]] = []
            for suffix in ["", "-wal", "-journal"] {
                parts.append(try FileStatus.ofLink(path + suffix))
                heads.append(Self.head(of: path + suffix))
            }
            self.parts = parts
            self.heads = heads
            isSettled = !parts.contains { $0?.isNewerThanTheClockTells == true }
        }

        /// The first bytes of a file; none where it can't be read, which the copying then says.
        private static func head(of path: String) -> [UInt8] {
            guard let file = try? OpenFile(reading: path) else { return [] }
            return (try? file.bytes(100)) ?? []
        }
    }
}

extension GodwitError {
    /// The same failure in words that name the store and the folder: the clone's own path means nothing to anybody.
    fileprivate func aboutCopying(_ name: String, into directory: String) -> GodwitError {
        guard message.contains(directory + "/") else { return self }
        var failure = self
        var folder = directory
        while folder.contains("/" + OwnFiles.scratchPrefix) { folder = PathText.directory(of: folder) }
        failure.message = "Can't make a private copy of \(name) in \(folder)."
        if code == .io { failure.hint = "Free some space there, or set TMPDIR to another folder; then run again." }
        return failure
    }
}
