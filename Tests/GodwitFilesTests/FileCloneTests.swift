import GodwitFiles
import GodwitModel
import Libc
import GodwitTestSupport
import Testing

struct FileCloneTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("a clone has the same bytes and modification time, and is private", arguments: [0, 1, 4096, 5_000_001])
    func copies(size: Int) throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 131) }
        try folder.write(bytes, to: "source")
        try folder.setMode(0o644, of: "source")
        try folder.setModified(seconds: 1_600_000_000, nanoseconds: 987_654_321, of: "source")
        let before = try folder.fingerprint().files["source"]
        try FileClone.copy(folder["source"], to: folder["clone"])
        let after = try folder.fingerprint()
        #expect(after.files["source"] == before)
        #expect(after.files["clone"]?.bytes == bytes)
        #expect(after.files["clone"]?.modifiedSeconds == 1_600_000_000)
        #expect(after.files["clone"]?.modifiedNanoseconds == 987_654_321)
        #expect(after.files["clone"].map { $0.mode & 0o777 } == 0o600)
    }

    @Test("holes read as zeros, and data after them is kept")
    func sparse() throws {
        let file = try OpenFile(creating: folder["source"])
        #expect(pwrite(file.descriptor, "end", 3, 40_000_000) == 3)
        try file.close()
        try FileClone.copy(folder["source"], to: folder["clone"])
        let bytes = try folder.bytes(of: "clone")
        #expect(bytes.count == 40_000_003)
        #expect(bytes.suffix(4) == [0] + Array("end".utf8))
        #expect(bytes.prefix(1000).allSatisfy { $0 == 0 })
    }

    @Test("a file that the file system reports as empty is read")
    func pseudoFile() throws {
        try #require(FileStatus.of("/proc/self/status") != nil, "only where there is a /proc")
        try FileClone.copy("/proc/self/status", to: folder["clone"])
        #expect(try folder.text(of: "clone").hasPrefix("Name:"))
    }

    @Test(
        "a file that is not regular is rejected without a clone", arguments: ["pipe", "folder", "absent", "dangling"])
    func refuses(name: String) throws {
        try folder.makeFIFO("pipe")
        try folder.makeFolder("folder")
        try folder.makeLink("dangling", to: "nowhere")
        #expect(failure { try FileClone.copy(folder[name], to: folder["clone"]) }?.code == .noInput)
        #expect(!folder.exists("clone"))
    }

    @Test("an existing target is not overwritten")
    func existingTarget() throws {
        try folder.write("new", to: "source")
        try folder.write("old", to: "clone")
        #expect(failure { try FileClone.copy(folder["source"], to: folder["clone"]) }?.code == .cannotCreate)
        #expect(try folder.text(of: "clone") == "old")
    }

    #if os(Linux)
        @Test("a file that begins with a hole is copied to another file system")
        func otherFileSystem() throws {
            let other = "/dev/shm/godwit-test-\(UInt64.random(in: 0 ... .max))"
            try #require(mkdir(other, 0o700) == 0, "only where there is a /dev/shm")
            defer {
                unlink(other + "/clone")
                rmdir(other)
            }
            let file = try OpenFile(creating: folder["source"])
            #expect(pwrite(file.descriptor, "end", 3, 5_000_000) == 3)
            try file.close()
            try FileClone.copy(folder["source"], to: other + "/clone")
            #expect(try readBytes(other + "/clone", limit: 1 << 24, stage: .copy) == folder.bytes(of: "source"))
        }

        @Test(
            "holes stay holes at any offset, so that a sparse file does not fill the disk",
            arguments: [[], [0], [5], [0, 5], [9], [0, 9]])
        func sparse(data: [Int]) throws {
            let (block, blocks) = (1 << 20, 10)
            try folder.write("", to: "source")
            let descriptor = open(folder["source"], O_RDWR)
            try #require(descriptor >= 0)
            try #require(ftruncate(descriptor, off_t(block * blocks)) == 0)
            for offset in data { pwrite(descriptor, [UInt8](repeating: 7, count: block), block, off_t(offset * block)) }
            close(descriptor)
            try FileClone.copy(folder["source"], to: folder["clone"])
            #expect(try folder.bytes(of: "clone") == folder.bytes(of: "source"))
            var (old, new) = (stat(), stat())
            try #require(stat(folder["source"], &old) == 0 && stat(folder["clone"], &new) == 0)
            #expect(new.st_blocks <= old.st_blocks + 16)
        }
    #endif
}
