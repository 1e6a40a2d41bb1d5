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
            let before = try Fingerprint(path)
            let directory = "\(PathText.directory(of: clone))/\(OwnFiles.temporaryPrefix)clone-\(attempt)"
            try PathText.makeDirectories(directory)
            let made = directory + "/" + PathText.lastPart(of: clone)
            try copySet(path, to: made)
            if try Fingerprint(path) == before { return try moveSet(made, to: clone, stage: stage) }
            try context.cancellation.check(stage)
            attempt += 1
            guard attempt * 50 <= context.lockTimeoutMilliseconds, attempt < 1000 else {
                throw GodwitError(
                    stage, .busy, "\(name) is being written all the time; no consistent copy could be made.",
                    hint: "Close the app that uses it, or raise --lock-timeout.")
            }
            pause(milliseconds: 50)
        }
    }

    private static func moveSet(_ made: String, to clone: String, stage: Stage) throws(GodwitError) {
        for suffix in ["-wal", "-journal", ""] where try FileStatus.of(made + suffix) != nil {
            try AtomicFile.rename(made + suffix, to: clone + suffix, replacing: false, stage: stage)
        }
    }

    /// The log before the main file: should a checkpoint run in between, the newer main file already holds the rows.
    private static func copySet(_ path: String, to clone: String) throws(GodwitError) {
        for suffix in ["-wal", "-journal", ""] where try FileStatus.of(path + suffix) != nil {
            try FileClone.copy(path + suffix, to: clone + suffix)
        }
    }

    /// What changes when anybody writes to the set.
    private struct Fingerprint: Equatable {
        let parts: [FileStatus?]

        init(_ path: String) throws(GodwitError) {
            var parts: [FileStatus?] = []
            for suffix in ["", "-wal", "-journal"] { parts.append(try FileStatus.of(path + suffix)) }
            self.parts = parts
        }
    }
}
