internal import GodwitFiles
package import GodwitModel

/// Clones a store with its `-wal` file and journal, consistently even if an app writes to it.
package enum StoreClone {
    /// Copies the files into a folder and returns the clone's path.
    ///
    /// The files are examined before and after the copy. If one of them changed, the clone may mix two states, so it is
    /// made again until the lock timeout ends (75).
    package static func make(
        of path: String, name: String, in directory: String, stage: GodwitError.Stage, context: RunContext
    ) throws(GodwitError) -> String {
        let clone = directory + "/" + PathText.lastPart(of: path)
        try make(of: path, name: name, at: clone, stage: stage, context: context)
        return clone
    }

    /// The same to a path of the caller's, in a folder of Godwit's own.
    package static func make(
        of path: String, name: String, at clone: String, stage: GodwitError.Stage, context: RunContext
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
                    stage, .busy, "another process is writing `\(name)`; no consistent copy could be made",
                    hint: "Close the app that uses it, or wait longer with \(name: .longerLockTimeout).")
            }
            pause(milliseconds: 50)
        }
    }

    /// Copies the files once; false if another process wrote to them, even if copying failed then.
    private static func copySettledSet(
        _ path: String, to clone: String, stage: GodwitError.Stage, context: RunContext
    ) throws(GodwitError) -> Bool {
        guard let app = context.appStore(at: path) else {
            return try copySettledFiles(path, to: clone, stage: stage, context: context)
        }
        // Locks of a process do not exclude its own connections.
        return try app.whileNobodyWrites(PathText.lastPart(of: path), stage, context) { () throws(GodwitError) in
            try copySettledFiles(path, to: clone, stage: stage, context: context)
        }
    }

    private static func copySettledFiles(
        _ path: String, to clone: String, stage: GodwitError.Stage, context: RunContext
    ) throws(GodwitError) -> Bool {
        var before = try Fingerprint(path)
        if !before.isSettled {
            pause(milliseconds: 2 * FileStatus.tickMilliseconds)
            before = try Fingerprint(path)
        }
        let made = OwnFiles.temporaryPath(nextTo: clone, identifier: context.makeIdentifier())
        // Files that were renamed are no longer at this path.
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

    /// Copies the `-wal` file before the main file: if a checkpoint runs in between, the main file already contains the
    /// rows.
    ///
    /// False if a process writes to the main file without a journal or `-wal` file, or has just removed its journal.
    private static func copySet(_ path: String, to clone: String) throws(GodwitError) -> Bool {
        let barrier = try ReadBarrier(path)
        guard barrier.isKept else { return false }
        for suffix in ["-wal", "-journal"] {
            guard let status = try FileStatus.ofLink(path + suffix) else { continue }
            // SQLite does not follow such a link either, and a clone must not contain files of others.
            guard status.isRegularFile else {
                throw GodwitError(.container, .data, "`\(path + suffix)` is not a regular file")
            }
            guard try FileClone.copy(ifThere: path + suffix, to: clone + suffix) else { return false }
        }
        try FileClone.copy(path, to: clone)
        try SuperJournal.forget(in: clone + "-journal")
        return withExtendedLifetime(barrier) { true }
    }

    /// Changes with every write to the files: their identity, sizes, times and headers, which contain SQLite's counters
    /// and salts.
    private struct Fingerprint: Equatable {
        private let parts: [FileStatus?]
        private let heads: [[UInt8]]
        /// Whether no file changed within the last tick of the clock: a second change in the same tick would leave the
        /// times equal.
        let isSettled: Bool

        static func == (a: Fingerprint, b: Fingerprint) -> Bool { a.parts == b.parts && a.heads == b.heads }

        init(_ path: String) throws(GodwitError) {
            var parts: [FileStatus?] = []
            var heads: [[UInt8]] = []
            for suffix in ["", "-wal", "-journal"] {
                parts.append(try FileStatus.ofLink(path + suffix))
                heads.append(Self.head(of: path + suffix))
            }
            (self.parts, self.heads) = (parts, heads)
            isSettled = !parts.contains { $0?.hasChangedInLastTick == true }
        }

        /// The first bytes of a file; empty if it cannot be read, which the copy reports.
        private static func head(of path: String) -> [UInt8] {
            guard let file = try? OpenFile(reading: path) else { return [] }
            return (try? file.bytes(100)) ?? []
        }
    }
}

extension GodwitError {
    /// The same error with the names of the store and the folder, because users do not know the clone's path.
    fileprivate func aboutCopying(_ name: String, into directory: String) -> GodwitError {
        guard message.contains(directory + "/") else { return self }
        var failure = self
        var folder = directory
        while folder.contains("/" + OwnFiles.scratchPrefix) { folder = PathText.directory(of: folder) }
        failure.message = "can't make a private copy of `\(name)` in `\(folder)`"
        if code == .io { failure.hint = "Free some space there, or set TMPDIR to another folder, then run again." }
        return failure
    }
}
