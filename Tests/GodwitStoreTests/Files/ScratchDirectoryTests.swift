import Foundation
import GodwitModel
import GodwitStore
import GodwitTestSupport
import Testing

struct ScratchDirectoryTests {
    let parent = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"

    /// A scratch folder as another run would have left it; removed by the test where Godwit does not.
    ///
    /// Other tests make scratch folders at the same time, and remove what looks abandoned: a folder gets its age last.
    private func leave(_ name: String, owner: UInt32? = nil) throws -> String {
        let path = PathText.join(parent, name)
        try FileManager.default.createDirectory(atPath: path + "/inside", withIntermediateDirectories: true)
        try Data("clone".utf8).write(to: URL(filePath: path + "/inside/file"))
        if let owner { #expect(chown(path, owner, owner) == 0) }
        return path
    }

    private func age(_ path: String, seconds: Int64) {
        let time = timespec(tv_sec: time_t(Date.now.timeIntervalSince1970) - time_t(seconds), tv_nsec: 0)
        #expect(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
    }

    /// Whether the next runs remove a folder; one may meet another run that is at it just now.
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

    @Test("it is private, and gone with all that is in it when its owner goes")
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

    @Test("one that is there already is not taken over: 73")
    func collision() throws {
        let identifier = UUID().uuidString
        let scratch = try ScratchDirectory(identifier: identifier)
        #expect(failure { _ = try ScratchDirectory(identifier: identifier) }?.code == .cannotCreate)
        #expect(isThere(scratch.path))
    }

    @Test("what a killed run left is removed by the next one")
    func abandoned() throws {
        let path = try leave(name())
        age(path, seconds: 3600)
        #expect(try isRemovedByNextRuns(path))
    }

    @Test("one that another run holds is kept, however old")
    func live() throws {
        let path = try leave(name())
        let holder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        #expect(flock(holder, LOCK_EX | LOCK_NB) == 0)
        age(path, seconds: 86_400)
        try makeAndDrop()
        #expect(isThere(path + "/inside/file"))
        close(holder)
        #expect(try isRemovedByNextRuns(path))
    }

    @Test("one made just now is kept: its owner may not have come to lock it yet")
    func young() throws {
        let path = try leave(name())
        defer { try? FileManager.default.removeItem(atPath: path) }
        try makeAndDrop()
        #expect(isThere(path + "/inside/file"))
    }

    @Test("another user's is kept, whatever its name says", .enabled(if: getuid() == 0))
    func foreign() throws {
        let named = try leave(name(of: 54_321))
        let planted = try leave(name(), owner: 54_321)
        for path in [named, planted] { age(path, seconds: 3600) }
        defer { for path in [named, planted] { try? FileManager.default.removeItem(atPath: path) } }
        try makeAndDrop()
        #expect(isThere(named + "/inside/file"))
        #expect(isThere(planted + "/inside/file"))
    }

    @Test("a link of such a name is not followed")
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
