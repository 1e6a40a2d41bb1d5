import GodwitModel
import Foundation
import GodwitFleet
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

struct ListTests {
    private let folder: TemporaryFolder
    private let app: TrainLog

    init() throws {
        folder = try TemporaryFolder()
        app = try TrainLog(.empty)
        for name in ["a", "b", "c"] { try folder.makeFolder(name) }
    }

    private func rows(_ bytes: [UInt8]) throws -> [String] { try ContainerList(bytes, in: "list").paths }
    private func rows(_ text: String) throws -> [String] { try rows(Array(text.utf8)) }

    private func find(_ text: String) throws -> FleetContainers {
        try folder.write(text.replacing("@", with: folder.path), to: "list")
        return try FleetContainers.find(.list(folder["list"]), of: app.migration())
    }

    /// The names relative to the folder.
    private func short(_ names: [String]) -> [String] { names.map { String($0.dropFirst(folder.path.count + 1)) } }

    // MARK: Rows

    @Test("a row is the text of a line, and empty lines are skipped")
    func lines() throws {
        #expect(try rows("a\nb\n") == ["a", "b"])
        #expect(try rows("a\n\n\nb") == ["a", "b"])
        #expect(try rows("a\r\nb\r\n\r\n") == ["a", "b"])
        #expect(try rows("# no comment\n -x \n") == ["# no comment", " -x "])
        #expect(try rows("\u{FEFF}a\n") == ["a"])
        #expect(try rows("") == [])
        #expect(try rows("\n\r\n") == [])
        #expect(try rows("a\n  \n\t \r\nb\n ") == ["a", "b"])
    }

    @Test("with a NUL anywhere, rows end with NUL and may have newlines")
    func separated() throws {
        #expect(try rows("a\nb\0c\r\0\0d") == ["a\nb", "c\r", "d"])
        #expect(try rows("a\0") == ["a"])
        #expect(try rows("a\0  \0b") == ["a", "  ", "b"])
    }

    @Test("a row that is not UTF-8 is kept separately, with the wrong bytes shown")
    func wrongBytes() throws {
        let list = try ContainerList([0x61, 0xFF, 0x62, 0x0A, 0xC3, 0xA9, 0x0A, 0xE2, 0x82, 0x0A], in: "list")
        #expect(list.paths == ["é"])
        #expect(list.wrong == ["a\\xFFb", "\\xE2\\x82"])
    }

    @Test("a manifest is not a list of containers")
    func manifest() {
        let error = #expect(throws: GodwitError.self) { try rows("# my app\ngodwit: 1\napp: Notes\n") }
        #expect(error?.code == .data && error?.message == "`list` is not a list of containers")
    }

    @Test("paths are normalized as text, and .. stays only at the front")
    func normalization() {
        let table = [
            ("./a//b/", "a/b"), ("a/../b", "b"), ("a/..", "."), (".", "."), ("", "."), ("./", "."), ("..", ".."),
            ("../a", "../a"), ("a/../../b", "../b"), ("../../a/./b/..", "../../a"), ("/", "/"), ("//a/", "/a"),
            ("/..", "/"), ("/a/../../b", "/b"), ("a/.../b", "a/.../b"), ("a/\u{301}b//c", "a/\u{301}b/c"),
        ]
        for (path, name) in table { #expect(LexicalPath.normalized(path) == name, "\(path)") }
    }

    // MARK: Containers

    @Test("listed folders are containers in the order of their names, each once")
    func listed() throws {
        let found = try find("@/c\n@/./a/\n@//b\n")
        #expect(short(found.names) == ["a", "b", "c"])
        #expect(found.unreadable.isEmpty && found.warnings.isEmpty)
        #expect(found.path(of: found.names[0]) == folder["a"])
        #expect(found.identity == FleetIdentity(of: ["c", "b", "a"].map { folder[$0] }))
    }

    @Test("a container with several names is processed once, with the first name and a warning")
    func several() throws {
        try folder.makeLink("z", to: "b")
        try folder.makeFolder("x.xcappdata/AppData")
        let found = try find("@/z\n@/b\n@/a\n@/b/\n@/x.xcappdata/AppData\n@/x.xcappdata\n")
        #expect(short(found.names) == ["a", "b", "x.xcappdata"])
        #expect(
            found.warnings == [
                "3 names lead to the same container `\(folder["b"])`; Godwit processes it once, under this name",
                "2 names lead to the same container `\(folder["x.xcappdata"])`; Godwit processes it once, under this name",
            ])
    }

    @Test("of very many containers with several names, ten are named")
    func manyWarnings() throws {
        var text = ""
        for number in 0..<15 {
            try folder.makeFolder("many/\(number)")
            text += "@/many/\(number)\n@/many/./\(number)\n"
        }
        let found = try find(text)
        #expect(found.names.count == 15 && found.warnings.count == 11)
        #expect(found.warnings.last == "5 more containers have several names; Godwit processes each once")
    }

    @Test("a listed path that does not exist, or is a file, is a row once, and the others continue")
    func missing() throws {
        try folder.write("", to: "file")
        let found = try find("@/a\n@/gone\n@/file\n@/./gone\n@/file/in\n")
        #expect(short(found.names) == ["a"])
        #expect(short(found.unreadable.map(\.name)) == ["file", "file/in", "gone"])
        #expect(found.unreadable.allSatisfy { $0.error.code == .noInput && $0.error.stage == .fleet })
        #expect(found.unreadable[2].error.hint?.contains("current folder") == true)
        #expect(found.identity.containers == 4)
    }

    @Test("a .. after a link is not resolved to the folder of the link")
    func straying() throws {
        try folder.makeFolder("far/deep")
        try folder.makeFolder("far/b")
        try folder.makeLink("link", to: "far/deep")
        // As text this is `b`; for the system it is `far/b`.
        let found = try find("@/link/../b\n@/b\n@/a/../c\n@/gone/../a\n")
        #expect(short(found.names) == ["b", "c"])
        #expect(short(found.unreadable.map(\.name)) == ["link/../b", "gone/../a"])
        #expect(found.warnings.isEmpty)
    }

    @Test("rows that are not UTF-8 are rows that cannot be processed")
    func wrongRows() throws {
        try folder.write(Array((folder["a"] + "\n" + folder.path).utf8) + [0x2F, 0xFF, 0x0A], to: "list")
        let found = try FleetContainers.find(.list(folder["list"]), of: app.migration())
        #expect(short(found.names) == ["a"])
        #expect(short(found.unreadable.map(\.name)) == ["\\xFF"])
    }

    @Test("an empty or missing list is missing input")
    func empty() throws {
        #expect(failure { try find("") }?.code == .noInput)
        #expect(failure { try find("\n\n") }?.code == .noInput)
        let gone = failure { try FleetContainers.find(.list(folder["gone"]), of: app.migration()) }
        #expect(gone?.code == .noInput)
    }

    @Test("a pipe is read once, to its end")
    func pipe() throws {
        try folder.makeFIFO("pipe")
        let (path, text) = (folder["pipe"], "\(folder["b"])\n\(folder["a"])\n")
        let writer = Thread {
            guard let file = FileHandle(forWritingAtPath: path) else { return }
            for byte in text.utf8 { file.write(Data([byte])) }
            try? file.close()
        }
        writer.start()
        let found = try FleetContainers.find(FleetSource(path), of: app.migration())
        #expect(short(found.names) == ["a", "b"])
    }

    @Test("waiting for a pipe without a writer can be cancelled")
    func cancelledPipe() throws {
        try folder.makeFIFO("pipe")
        let cancellation = Cancellation()
        let stopper = Thread { cancellation.cancel(.terminated) }
        stopper.start()
        let error = failure {
            try FleetContainers.find(.list(folder["pipe"]), of: app.migration(), cancellation: cancellation)
        }
        #expect(error?.code == .terminated)
    }
}
