import GodwitFiles
import GodwitModel
import Libc
import GodwitTestSupport
import Testing

struct PathTextTests {
    @Test(
        "a path is split into its folder and its last part",
        arguments: [
            ("/a/b/c.store", "/a/b", "c.store"), ("/a", "/", "a"), ("bare", ".", "bare"), ("a/b", "a", "b"),
            ("/", "/", ""), ("/a/b/", "/a/b", ""), ("/a/e\u{301}\u{2F}x", "/a/e\u{301}", "x"),
            ("/a/\u{301}x", "/a", "\u{301}x"),
        ])
    func parts(path: String, directory: String, last: String) {
        #expect(Array(PathText.directory(of: path).utf8) == Array(directory.utf8))
        #expect(Array(PathText.lastPart(of: path).utf8) == Array(last.utf8))
    }

    @Test("joining puts one slash between", arguments: [("/a", "/a/b"), ("/", "/b"), ("/a/", "/a/b")])
    func joins(folder: String, joined: String) {
        #expect(PathText.join(folder, "b") == joined)
    }

    @Test("names are sorted by bytes, without the two dots")
    func names() throws {
        let folder = try TemporaryFolder()
        for name in ["b", "a", "Z", "é", ".hidden"] { try folder.write("", to: name) }
        #expect(PathText.names(in: folder.path) == [".hidden", "Z", "a", "b", "é"])
        #expect(PathText.names(in: folder["absent"]) == [])
        #expect(PathText.names(in: folder["a"]) == [])
    }

    @Test("a folder whose content decides something is read completely, or gives an error")
    func allNames() throws {
        let folder = try TemporaryFolder()
        for name in ["b", "a", ".hidden"] { try folder.write("", to: name) }
        #expect(try PathText.allNames(in: folder.path, stage: .schema) == [".hidden", "a", "b"])
        for (name, code) in [("absent", GodwitError.Code.noInput), ("a", .noInput)] {
            let error = failure { try PathText.allNames(in: folder[name], stage: .schema) }
            #expect(error?.code == code)
            #expect(error?.stage == .schema)
            #expect(error?.message.contains(folder[name]) == true)
        }
        try folder.makeFolder("closed")
        chmod(folder["closed"], 0)
        // The superuser may read it nevertheless.
        if getuid() != 0 {
            #expect(failure { try PathText.allNames(in: folder["closed"], stage: .schema) }?.code == .permission)
        }
        chmod(folder["closed"], 0o700)
    }

    @Test("folders are created privately with their parents, and existing folders are not an error")
    func makesDirectories() throws {
        let folder = try TemporaryFolder()
        try PathText.makeDirectories(folder["a/b/c"])
        try PathText.makeDirectories(folder["a/b/c"])
        #expect(try FileStatus.of(folder["a/b/c"]).map { $0.mode & 0o777 } == 0o700)
        try folder.write("", to: "file")
        #expect(failure { try PathText.makeDirectories(folder["file/x"]) }?.code == .cannotCreate)
        #expect(failure { try PathText.makeDirectories(folder["gone/x"], inside: folder["gone"]) }?.code == .noInput)
        #expect(!folder.exists("gone"), "a container that was moved away is not created again")
        try PathText.makeDirectories(folder["a/d/e"], inside: folder["a"])
        #expect(folder.exists("a/d/e"))
    }

    @Test("the real path follows links, and a dangling one has none")
    func real() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("there")
        try folder.makeLink("link", to: "there")
        try folder.makeLink("dangling", to: "nowhere")
        try folder.makeLink("loop", to: "loop")
        #expect(PathText.real(folder["link"]) == folder["there"])
        #expect(PathText.real(folder["dangling"]) == nil)
        #expect(PathText.real(folder["loop"]) == nil)
    }
}

struct FileStatusTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("kinds of files are distinguished, and only one call follows links")
    func kinds() throws {
        try folder.write("x", to: "file")
        try folder.makeLink("link", to: "file")
        #expect(try FileStatus.of(folder["file"])?.isRegularFile == true)
        #expect(try FileStatus.of(folder.path)?.isDirectory == true)
        #expect(try FileStatus.of(folder["link"])?.isRegularFile == true)
        #expect(try FileStatus.ofLink(folder["link"])?.isSymbolicLink == true)
        #expect(try FileStatus.of(folder["absent"]) == nil)
        #expect(try FileStatus.ofLink(folder["file/below"]) == nil)
    }

    @Test("the modification time is exact, also before 1970")
    func modified() throws {
        try folder.write("x", to: "file")
        try folder.setModified(seconds: 1_700_000_000, nanoseconds: 123_456_789, of: "file")
        #expect(
            try FileStatus.of(folder["file"])?.modified
                == Instant(seconds: 1_700_000_000, attoseconds: 123_456_789_000_000_000))
        try folder.setModified(seconds: -5, of: "file")
        #expect(try FileStatus.of(folder["file"])?.modified == Instant(seconds: -5))
    }

    @Test("a second name of a file is the same file, and a copy is not")
    func identity() throws {
        try folder.write("x", to: "file")
        try folder.makeHardLink("second", to: "file")
        try folder.copy("file", to: "copy")
        let file = try #require(try FileStatus.of(folder["file"]))
        #expect(try FileStatus.of(folder["second"])?.isSameFile(as: file) == true)
        #expect(try FileStatus.of(folder["copy"])?.isSameFile(as: file) == false)
    }
}

struct FileBytesTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("a file up to the limit is read, and a larger one is rejected")
    func limit() throws {
        let path = try folder.write("12345", to: "file")
        #expect(try readBytes(path, limit: 5, stage: .legacy) == Array("12345".utf8))
        let error = failure { try readBytes(path, limit: 4, stage: .legacy) }
        #expect(error?.code == .data)
        #expect(error?.stage == .legacy)
        try folder.write("", to: "empty")
        #expect(try readBytes(folder["empty"], limit: 0, stage: .legacy) == [])
    }

    @Test("a file that is not regular gives 66", arguments: ["pipe", "folder", "absent"])
    func notRegular(name: String) throws {
        try folder.makeFIFO("pipe")
        try folder.makeFolder("folder")
        #expect(failure { try readBytes(folder[name], limit: 10, stage: .legacy) }?.code == .noInput)
    }

    @Test("digests are lower-case hex, as in FIPS 180-4")
    func digests() {
        #expect(
            sha256Hex(Array("abc".utf8)) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(hexText([0x00, 0x0F, 0xA0, 0xFF]) == "000fa0ff")
        #expect(hexText([UInt8]()) == "")
    }

    @Test("a missing file cannot be written to standard output: 66")
    func standardOutput() {
        let error = failure { try StandardOutput.write(fileAt: folder["absent"], stage: .export) }
        #expect(error?.code == .noInput)
        #expect(error?.stage == .export)
    }
}
