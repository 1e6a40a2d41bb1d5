import GodwitFiles
import GodwitModel
import Foundation
import GodwitTestSupport
import Testing

struct ContainerLockTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func lock(_ mode: ContainerLock.Mode, waiting milliseconds: Int = 0) throws -> ContainerLock {
        try ContainerLock(folder.path, mode: mode, context: .sample(lockTimeoutMilliseconds: milliseconds))
    }

    @Test("a lock makes no file and leaves none")
    func makesNoFile() throws {
        let taken = try lock(.exclusive)
        #expect(folder.names() == [])
        _ = consume taken
        #expect(folder.names() == [])
    }

    @Test(
        "a writer blocks all others, and a reader blocks only writers",
        arguments: [
            (ContainerLock.Mode.exclusive, ContainerLock.Mode.exclusive, false), (.exclusive, .shared, false),
            (.shared, .exclusive, false), (.shared, .shared, true),
        ])
    func modes(first: ContainerLock.Mode, second: ContainerLock.Mode, isGranted: Bool) throws {
        let taken = try lock(first)
        let error = failure { _ = try lock(second) }
        #expect((error == nil) == isGranted)
        if let error {
            #expect(error.code == .busy)
            #expect(error.message.contains(folder.path))
            #expect(error.hint?.contains("`MigrationOptions.lockTimeout`") == true)
        }
        _ = consume taken
        _ = try lock(second)
    }

    /// The state of a forked process that has not started its own program yet.
    @Test("a released lock is free, also if another process has a copy of its descriptor")
    func copiedDescriptor() throws {
        let taken = try lock(.exclusive)
        var mine = stat()
        try #require(stat(folder.path, &mine) == 0)
        let descriptors = (0..<getdtablesize()).filter { number in
            var other = stat()
            return fstat(number, &other) == 0 && other.st_dev == mine.st_dev && other.st_ino == mine.st_ino
        }
        let copies = descriptors.map { fcntl($0, F_DUPFD_CLOEXEC, 3) }
        defer { copies.forEach { close($0) } }
        try #require(copies.count == 1 && copies[0] >= 0)
        #expect(failure { _ = try lock(.shared) }?.code == .busy)
        _ = consume taken
        _ = try lock(.exclusive)
    }

    @Test("the second lock waits until the first is released")
    func waits() async throws {
        let path = folder.path
        let taken = try lock(.exclusive)
        let waiting = Task.detached {
            _ = try ContainerLock(path, mode: .exclusive, context: .sample(lockTimeoutMilliseconds: 60_000))
        }
        pause(milliseconds: 60)
        _ = consume taken
        try await waiting.value
    }

    @Test("the wait ends at the timeout, not before")
    func timesOut() throws {
        let taken = try lock(.exclusive)
        let started = ContinuousClock.now
        #expect(failure { _ = try lock(.exclusive, waiting: 100) }?.code == .busy)
        #expect(ContinuousClock.now - started >= .milliseconds(100))
        _ = consume taken
    }

    @Test("a container that is replaced while a run waits is locked in its new state")
    func replacedMeanwhile() async throws {
        try folder.makeFolder("c")
        let path = folder["c"]
        let taken = try ContainerLock(path, mode: .exclusive, context: .sample())
        let waiting = Task.detached {
            let lock = try ContainerLock(path, mode: .exclusive, context: .sample(lockTimeoutMilliseconds: 60_000))
            try lock.place.requireInPlace(.copy)
            let second = failure { _ = try ContainerLock(path, mode: .shared, context: .sample()) }
            _ = consume lock
            return second?.code
        }
        pause(milliseconds: 60)
        #expect(rename(path, folder["moved"]) == 0)
        try folder.makeFolder("c")
        _ = consume taken
        #expect(try await waiting.value == .busy)
    }

    @Test("a container that is moved or replaced while it is locked is noticed", arguments: [false, true])
    func moved(isReplaced: Bool) throws {
        try folder.makeFolder("c")
        let taken = try ContainerLock(folder["c"], mode: .exclusive, context: .sample())
        let place = taken.place
        #expect(failure { try place.requireInPlace(.copy) } == nil)
        #expect(rename(folder["c"], folder["moved"]) == 0)
        if isReplaced { try folder.makeFolder("c") }
        let error = failure { try place.requireInPlace(.copy) }
        #expect(error?.code == .busy)
        #expect(error?.message.contains(folder["c"]) == true)
        _ = consume taken
    }

    @Test("containers with a common group container are locked together, and each folder once")
    func groups() throws {
        for name in ["one", "other", "group", "group2"] { try folder.makeFolder(name) }
        try folder.makeLink("link", to: folder["one"])
        func container(_ name: String, _ groups: [String]) throws -> Container {
            try Container(folder[name], groups: groups.map { folder[$0] })
        }
        let taken = try ContainerLock(
            container("one", ["group2", "group", "link", "group"]), mode: .exclusive, context: .sample())
        for (name, groups) in [("other", ["group"]), ("other", ["group2"]), ("group", []), ("link", [])] {
            let error = failure {
                _ = try ContainerLock(container(name, groups), mode: .shared, context: .sample())
            }
            #expect(error?.code == .busy, "\(name) \(groups)")
        }
        _ = try ContainerLock(container("other", []), mode: .exclusive, context: .sample())
        _ = consume taken
    }

    @Test("a cancelled run stops waiting")
    func cancelled() throws {
        let taken = try lock(.exclusive)
        let cancellation = Cancellation()
        cancellation.cancel(.terminated)
        let context = RunContext.sample(cancellation: cancellation, lockTimeoutMilliseconds: 600_000)
        let error = failure { _ = try ContainerLock(folder.path, mode: .exclusive, context: context) }
        #expect(error?.code == .terminated)
        _ = consume taken
    }

    @Test("a missing container gives 66, and so does a file instead", arguments: ["absent", "file"])
    func noDirectory(name: String) throws {
        try folder.write("", to: "file")
        let error = failure { _ = try ContainerLock(folder[name], mode: .shared, context: .sample()) }
        #expect(error?.code == .noInput)
    }

    /// Foundation can start a process but can't fork; Perl's flock is the same system call.
    static let perl = "/usr/bin/perl"

    @Test(
        "the lock of a killed process is free at once",
        .enabled(if: FileManager.default.isExecutableFile(atPath: ContainerLockTests.perl), "perl is not installed"))
    func releasedOnDeath() throws {
        let holder = Process()
        let output = Pipe()
        holder.executableURL = URL(filePath: Self.perl)
        holder.arguments = [
            "-e",
            """
            use Fcntl qw(:DEFAULT :flock); sysopen(my $d, $ARGV[0], O_RDONLY) or die; flock($d, LOCK_EX) or die;
            $| = 1; print "locked\\n"; sleep 600;
            """, folder.path,
        ]
        holder.standardOutput = output
        try holder.run()
        #expect(output.fileHandleForReading.availableData == Data("locked\n".utf8))
        #expect(failure { _ = try lock(.shared) }?.code == .busy)
        kill(holder.processIdentifier, SIGKILL)
        holder.waitUntilExit()
        _ = try lock(.exclusive)
    }
}
