import GodwitFiles
import GodwitModel
import Libc
import GodwitTestSupport
import Testing

/// The progress of a run, for readers without a lock.
struct ProgressFileTests {
    /// A container, and a folder in the role of TMPDIR.
    private struct Bench {
        let folder: TemporaryFolder
        let identity: FileStatus

        init() throws {
            folder = try TemporaryFolder()
            try folder.makeFolder("container")
            try folder.makeFolder("tmp")
            identity = try #require(try FileStatus.of(folder["container"]))
        }

        var privateFolder: String { "tmp/godwit-progress-\(geteuid())" }

        var file: String { "\(privateFolder)/\(identity.device)-\(identity.inode)" }

        func make(delay: Duration = .zero) -> ProgressFile {
            ProgressFile(
                of: identity, command: "run", runIdentifier: "R", startedAt: Instant(seconds: 100), delay: delay,
                below: folder["tmp"], now: { Instant(seconds: 112) })
        }

        /// Leaves the file of a killed run: no process has it open.
        func leave() throws {
            let file = make()
            file.note(ProgressFileTests.progress)
            let bytes = try folder.bytes(of: self.file)
            file.takeAway()
            try folder.makeFolder(privateFolder)
            try folder.setMode(0o700, of: privateFolder)
            try folder.write(bytes, to: self.file)
            try folder.write("half", to: self.file + ".new")
        }

        func read() -> StatusReport.Running? { ProgressFile.read(of: identity, below: folder["tmp"]) }
    }

    fileprivate static let progress = RunProgress(stage: .copy, completed: 4096, total: 10_000)

    @Test("the progress of a run can be read, and is removed with the run")
    func whole() throws {
        let bench = try Bench()
        #expect(bench.read() == nil)
        let file = bench.make()
        file.note(Self.progress)
        #expect(
            bench.read()
                == StatusReport.Running(
                    runId: "R", command: "run", stage: .copy, completed: 4096, total: 10_000,
                    startedAt: Instant(seconds: 100), updatedAt: Instant(seconds: 112)))
        #expect(try FileStatus.of(bench.folder[bench.privateFolder]).map { $0.mode & 0o777 } == 0o700)
        #expect(try FileStatus.of(bench.folder[bench.file]).map { $0.mode & 0o777 } == 0o600)
        file.takeAway()
        #expect(bench.read() == nil)
        #expect(bench.folder.names(in: "tmp") == [])
        file.takeAway()
    }

    @Test("a short run leaves no progress file")
    func short() throws {
        let bench = try Bench()
        let file = bench.make(delay: .seconds(3600))
        for _ in 0..<1000 { file.note(Self.progress) }
        #expect(bench.folder.names(in: "tmp") == [])
        file.takeAway()
    }

    @Test("progress is written at most four times a second")
    func pace() throws {
        let bench = try Bench()
        let file = bench.make()
        let start = ContinuousClock.now
        var versions = Set<UInt64>()
        for number in 0..<20_000 {
            file.note(RunProgress(stage: .copy, completed: Int64(number), total: nil))
            if let completed = bench.read()?.completed { versions.insert(UInt64(completed)) }
        }
        let quarters = Int((ContinuousClock.now - start) / .milliseconds(250))
        #expect(!versions.isEmpty && versions.count <= quarters + 1)
        file.takeAway()
    }

    @Test("a new progress file replaces the previous one atomically")
    func replaced() throws {
        let bench = try Bench()
        for number in 1...200 {
            let file = bench.make()
            file.note(RunProgress(stage: .copy, completed: Int64(number), total: 200))
            #expect(bench.read()?.completed == Int64(number))
        }
        #expect(bench.folder.names(in: "tmp") == [])
    }

    @Test("progress of a killed run is ignored, and a later run replaces it")
    func killed() throws {
        let bench = try Bench()
        try bench.leave()
        #expect(bench.read() == nil)
        let next = bench.make()
        next.note(Self.progress)
        #expect(bench.read()?.completed == 4096)
        next.takeAway()
        #expect(bench.folder.names(in: "tmp") == [])
    }

    @Test("progress of a killed run is removed by the next run on that container")
    func killedBeforeShort() throws {
        let bench = try Bench()
        try bench.leave()
        let other = bench.privateFolder + "/1-2"
        try bench.folder.write("another container's", to: other)
        let next = bench.make(delay: .seconds(3600))
        next.note(Self.progress)
        next.takeAway()
        #expect(bench.folder.names(in: bench.privateFolder) == ["1-2"])
        // After its end, calls have no effect.
        let late = bench.make()
        late.takeAway()
        late.note(Self.progress)
        #expect(bench.folder.names(in: bench.privateFolder) == ["1-2"])
    }

    @Test("a run without progress does not remove another run's file")
    func heldBeforeShort() throws {
        let bench = try Bench()
        let file = bench.make()
        file.note(Self.progress)
        bench.make(delay: .seconds(3600)).takeAway()
        #expect(bench.read()?.completed == 4096)
        file.takeAway()
    }

    /// What another process put at the path.
    enum Trap: CaseIterable { case link, open, file, linkedFile, longFile, noJSON, folderInside }

    @Test("a progress file of another user is neither read nor written", arguments: Trap.allCases)
    func traps(trap: Trap) throws {
        let bench = try Bench()
        let maker = bench.make()
        maker.note(Self.progress)
        let bytes = try bench.folder.bytes(of: bench.file)
        maker.takeAway()
        try bench.folder.makeFolder("elsewhere")
        try bench.folder.write("theirs", to: "elsewhere/file")
        func makePrivate() throws {
            try bench.folder.makeFolder(bench.privateFolder)
            try bench.folder.setMode(0o700, of: bench.privateFolder)
        }
        switch trap {
        case .link: try bench.folder.makeLink(bench.privateFolder, to: bench.folder["elsewhere"])
        case .file: try bench.folder.write("a file", to: bench.privateFolder)
        case .open:
            try bench.folder.makeFolder(bench.privateFolder)
            try bench.folder.setMode(0o777, of: bench.privateFolder)
        case .linkedFile:
            try makePrivate()
            try bench.folder.makeLink(bench.file, to: bench.folder["elsewhere/file"])
        case .longFile:
            try makePrivate()
            try bench.folder.write(bytes + [UInt8](repeating: 0x20, count: 5000), to: bench.file)
        case .noJSON:
            try makePrivate()
            try bench.folder.write("{", to: bench.file)
        case .folderInside:
            try makePrivate()
            try bench.folder.makeFolder(bench.file)
        }
        let descriptor = open(bench.folder[bench.file], O_RDONLY | O_NONBLOCK)
        defer { close(descriptor) }
        if descriptor >= 0 { #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0) }
        #expect(bench.read() == nil)
        let file = bench.make()
        file.note(Self.progress)
        file.takeAway()
        #expect(try bench.folder.text(of: "elsewhere/file") == "theirs")
        #expect(bench.folder.names(in: "elsewhere") == ["file"])
        if trap == .file { #expect(try bench.folder.text(of: bench.privateFolder) == "a file") }
        if trap == .open { #expect(bench.folder.names(in: bench.privateFolder) == []) }
    }

    @Test("a folder that is not writable does not fail the run")
    func unwritable() throws {
        let bench = try Bench()
        let file = ProgressFile(
            of: bench.identity, command: "run", runIdentifier: "R", startedAt: .epoch, delay: .zero,
            below: bench.folder["nowhere"], now: { .epoch })
        file.note(Self.progress)
        file.takeAway()
        #expect(bench.folder.names() == ["container", "tmp"])
    }
}
