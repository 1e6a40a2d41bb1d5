internal import GodwitFiles
package import GodwitModel
internal import Libc
internal import Synchronization

/// The journal of a fleet: reports as containers finish, from which an interrupted run resumes.
///
/// Invariant: lines are only appended, each with one write after the last newline, by the one process that holds the
/// file's lock. A line records a finished container. A container whose line is lost is processed again, which changes
/// nothing.
package final class FleetJournal: Sendable {
    private enum Target {
        case standardOutput
        case file(LockedFile)
    }

    /// The entries of earlier runs.
    package let earlier: [FleetEntry]
    /// When the first run began; nil if this is the first.
    package let began: Instant?
    /// When the last run began, if it was complete; nil if there is something to resume, or nothing yet.
    package let finished: Instant?
    private let target: Mutex<Target>

    /// Opens or creates a journal; `-` is standard output, from which no run can resume.
    ///
    /// Throws 65 for a file that is not a journal or is of another run; 73 if it cannot be created; 75 if another
    /// process writes it.
    package init(
        _ path: String, _ header: JournalHeader, lockTimeoutMilliseconds: Int, cancellation: Cancellation
    ) throws(GodwitError) {
        let line = header.line + [0x0A]
        guard path != "-" else {
            (earlier, began, finished) = ([], nil, nil)
            target = Mutex(.standardOutput)
            try StandardOutput.write(line, stage: .fleet)
            return
        }
        try OwnFiles.requireLasting(path, stage: .fleet)
        let found = try FileStatus.ofLink(path, unusable: .cannotCreate)
        if let found, !found.isRegularFile {
            throw GodwitError(
                .fleet, .cannotCreate, "`\(path)` is not a regular file; links are not followed",
                hint: "Choose another name.")
        }
        let file = LockedFile(try Self.open(path, isNew: found == nil))
        try file.lock(lockTimeoutMilliseconds, cancellation)
        let contents = try JournalContents(of: path)
        if let before = contents.header {
            let differences = before.differences(from: header)
            guard differences.isEmpty else { throw Self.other(path, differences) }
        }
        earlier = contents.entries
        began = contents.header?.startedAt
        finished = contents.isFinished ? contents.lastStart : nil
        // An incomplete last line stays; the next line must not continue it.
        try file.file.append((contents.endsTorn ? [0x0A] : []) + line)
        try file.file.flush()
        // Without this, a power cut may remove the new name again.
        if found == nil { try AtomicFile.flushDirectory(of: path) }
        target = Mutex(.file(file))
    }

    /// Opens or creates the journal; if another process creates it at the same moment, opens that one.
    private static func open(_ path: String, isNew: Bool) throws(GodwitError) -> OpenFile {
        guard isNew else { return try OpenFile(extending: path, stage: .fleet) }
        do throws(GodwitError) {
            return try OpenFile(creating: path, mode: 0o644, stage: .fleet)
        } catch {
            guard try FileStatus.ofLink(path)?.isRegularFile == true else { throw error }
            return try OpenFile(extending: path, stage: .fleet)
        }
    }

    package func add(_ result: ContainerResult) throws(GodwitError) {
        var line = Array(#"{"messageType":"container","entry":"#.utf8) + ContainerResult.json(result.entry)
        if !result.report.isEmpty { line += Array(#","report":"#.utf8) + result.report }
        try write(line + Array("}\n".utf8))
    }

    /// Adds the summary of the run and flushes the file to the disk.
    package func finish(_ summary: JournalSummary) throws(GodwitError) {
        try write(ContainerResult.json(summary) + [0x0A])
        try flush()
        try target.withLock { target throws(GodwitError) in
            if case .file(let file) = target { try file.requireWhole() }
        }
    }

    /// Flushes the lines to the disk.
    package func flush() throws(GodwitError) {
        try target.withLock { target throws(GodwitError) in
            if case .file(let file) = target { try file.file.flush() }
        }
    }

    private func write(_ line: [UInt8]) throws(GodwitError) {
        try target.withLock { target throws(GodwitError) in
            switch target {
            case .standardOutput: try StandardOutput.write(line, stage: .fleet)
            case .file(let file): try file.file.append(line)
            }
        }
    }

    private static func other(_ path: String, _ differences: [String]) -> GodwitError {
        GodwitError(
            .fleet, .data,
            "`\(path)` is the journal of another fleet, which differs in \(differences.joined(separator: ", "))",
            hint: "Name another file for this fleet, or use the options and containers of the journal.")
    }
}

/// A file that this process keeps locked while it is open.
private final class LockedFile: Sendable {
    let file: OpenFile

    init(_ file: consuming OpenFile) { self.file = file }

    /// Throws (74) if the file was removed, replaced or truncated during the run, so that no run could resume from it.
    func requireWhole() throws(GodwitError) {
        let (here, written) = (try FileStatus.of(file.path), lseek(file.descriptor, 0, SEEK_CUR))
        guard here?.isSameFile(as: try file.status()) == true, let here, here.size >= Int64(written) else {
            throw GodwitError(
                .fleet, .io,
                "the journal `\(file.path)` was removed, replaced or cut while it was written; all "
                    + "containers were processed",
                hint:
                    "Run the command with a new journal: it repeats nothing that is complete."
            )
        }
    }

    /// Waits for the lock; throws 75 if another process still has it at the end.
    func lock(_ timeoutMilliseconds: Int, _ cancellation: Cancellation) throws(GodwitError) {
        var waited = 0
        while flock(file.descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw .system("lock", file.path, errno: errno) }
            try cancellation.check(.fleet)
            guard waited < timeoutMilliseconds else {
                throw GodwitError(
                    .fleet, .busy, "another process writes the journal `\(file.path)`",
                    hint: "Wait until it ends, or give each shard its own journal.")
            }
            pause(milliseconds: 20)
            waited += 20
        }
    }
}

extension OpenFile {
    /// Appends bytes to a file that was opened or created for it.
    fileprivate borrowing func append(_ bytes: [UInt8]) throws(GodwitError) {
        _ = lseek(descriptor, 0, SEEK_END)
        try write(bytes)
    }
}
