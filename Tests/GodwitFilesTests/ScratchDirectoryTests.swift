import GodwitFiles
import GodwitModel
import Dispatch
import Foundation
import GodwitTestSupport
import Testing

struct ScratchDirectoryTests {
    let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"

    /// A scratch folder as another run would leave it; the test removes it if Godwit does not.
    ///
    /// Other tests sweep at the same time, so it is created under a name that no sweep looks for, and renamed when it
    /// is complete.
    private func leave(
        _ name: String, owner: UInt32? = nil, beforeNaming: (String) throws -> Void = { _ in }
    ) throws -> String {
        let made = PathText.join(parent, "made-\(UUID().uuidString)")
        try FileManager.default.createDirectory(atPath: made + "/inside", withIntermediateDirectories: true)
        try Data("clone".utf8).write(to: URL(filePath: made + "/inside/file"))
        if let owner { #expect(chown(made, owner, owner) == 0) }
        try beforeNaming(made)
        let path = PathText.join(parent, name)
        try FileManager.default.moveItem(atPath: made, toPath: path)
        return path
    }

    /// Whether the next runs remove a folder; a run skips it while another run handles it.
    private func isRemovedByNextRuns(_ path: String) throws -> Bool {
        for _ in 0..<500 {
            try makeAndDrop()
            if !isThere(path) { return true }
            pause(milliseconds: 20)
        }
        return false
    }

    private func name(of user: UInt32 = getuid()) -> String { "godwit-scratch-\(user)-\(UUID().uuidString)" }

    private func makeAndDrop() throws {
        _ = try ScratchDirectory(identifier: UUID().uuidString)
    }

    private func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    @Test("a scratch folder is private, and removed with its contents")
    func privateAndGone() throws {
        var path = ""
        do {
            let scratch = try ScratchDirectory(identifier: UUID().uuidString)
            path = scratch.path
            #expect(try FileStatus.of(path).map { $0.mode & 0o777 } == 0o700)
            #expect(PathText.lastPart(of: path).hasPrefix("godwit-scratch-\(getuid())-"))
            let inside = try scratch.makeSubdirectory("a/b")
            try Data("x".utf8).write(to: URL(filePath: inside + "/file"))
            #expect(isThere(path + "/a/b/file"))
            withExtendedLifetime(scratch) {}
        }
        #expect(!path.isEmpty && !isThere(path))
    }

    @Test("an existing scratch folder is not used: 73")
    func collision() throws {
        let identifier = UUID().uuidString
        let scratch = try ScratchDirectory(identifier: identifier)
        #expect(failure { _ = try ScratchDirectory(identifier: identifier) }?.code == .cannotCreate)
        #expect(isThere(scratch.path))
    }

    @Test("the scratch folder of a killed run is removed by the next one")
    func abandoned() throws {
        let path = try leave(name())
        #expect(try isRemovedByNextRuns(path))
    }

    @Test("the scratch folder of a running process is kept")
    func live() throws {
        var holder: Int32 = -1
        let path = try leave(name()) { made in
            holder = open(made, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            #expect(flock(holder, LOCK_EX | LOCK_NB) == 0)
        }
        try makeAndDrop()
        #expect(isThere(path + "/inside/file"))
        close(holder)
        #expect(try isRemovedByNextRuns(path))
    }

    @Test("a scratch folder that a run just left is removed too")
    func young() throws {
        let path = try leave(name())
        #expect(try isRemovedByNextRuns(path))
    }

    @Test("concurrent scratch folders never remove each other")
    func together() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<50 {
                        let scratch = try ScratchDirectory(identifier: UUID().uuidString)
                        let inside = try scratch.makeSubdirectory("a")
                        #expect(FileManager.default.fileExists(atPath: inside))
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test(
        "a new folder that a sweep locks is waited for",
        arguments: [true, false])
    func slowSweep(_ isRemoved: Bool) throws {
        let path = try leave("made-\(UUID().uuidString)")
        let (mine, sweeps) = (open(path, O_RDONLY | O_DIRECTORY), open(path, O_RDONLY | O_DIRECTORY))
        #expect(flock(sweeps, LOCK_EX | LOCK_NB) == 0)
        // A separate thread: a task might wait for the thread that this test blocks.
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            usleep(20_000)
            if isRemoved { try? FileManager.default.removeItem(atPath: path) }
            close(sweeps)
            isDone.signal()
        }
        #expect(OwnFiles.lockAgainstSweep(mine, path) == !isRemoved)
        // A new folder with this name is now in no one's way.
        #expect(isThere(path) == !isRemoved)
        isDone.wait()
        close(mine)
        try? FileManager.default.removeItem(atPath: path)
    }

    @Test("a late sweep does not remove a new folder")
    func lateSweep() throws {
        let path = try leave("made-\(UUID().uuidString)")
        let old = open(path, O_RDONLY | O_DIRECTORY)
        #expect(OwnFiles.isNamed(old, path))
        try FileManager.default.removeItem(atPath: path)
        #expect(!OwnFiles.isNamed(old, path))
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(!OwnFiles.isNamed(old, path))
        close(old)
        try FileManager.default.removeItem(atPath: path)
    }

    @Test(
        "the scratch folder of another user is kept",
        .enabled(if: getuid() == 0, "needs to run as root"))
    func foreign() throws {
        let named = try leave(name(of: 54_321))
        let planted = try leave(name(), owner: 54_321)
        defer { for path in [named, planted] { try? FileManager.default.removeItem(atPath: path) } }
        try makeAndDrop()
        #expect(isThere(named + "/inside/file"))
        #expect(isThere(planted + "/inside/file"))
    }

    @Test("a link with such a name is not followed")
    func link() throws {
        let folder = try TemporaryFolder()
        try folder.write("kept", to: "file")
        let path = PathText.join(parent, name())
        #expect(symlink(folder.path, path) == 0)
        defer { unlink(path) }
        try makeAndDrop()
        #expect(try folder.text(of: "file") == "kept")
    }
}
