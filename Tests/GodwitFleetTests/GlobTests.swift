import GodwitModel
import Foundation
import GodwitFleet
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

struct GlobTests {
    static let table: [(pattern: String, fitting: [String], others: [String])] = [
        ("a*c", ["ac", "abc", "a*c", "abcc"], ["a", "acb", "bac", "ab"]),
        ("*", ["a", "日本", "a b", "*"], [".", "..", ".hidden"]),
        (".*", [".hidden", "."], ["a", ""]),
        ("?", ["a", "é", "本", "?"], ["", "ab", "."]),
        ("a?c", ["abc", "a本c"], ["ac", "abbc"]),
        ("[ab]x", ["ax", "bx"], ["cx", "x", "abx"]),
        ("[a-c]", ["a", "b", "c"], ["d", "-", "A"]),
        ("[!a-c]", ["d", "-", "é"], ["a", "b", ""]),
        ("[^a]", ["b"], ["a"]),
        ("[]a]", ["]", "a"], ["b", "[]a]"]),
        ("[!]]", ["a"], ["]"]),
        ("[a-]", ["a", "-"], ["b"]),
        ("[-a]", ["a", "-"], ["b"]),
        ("[z-a]", [], ["a", "m", "z"]),
        ("[*]", ["*"], ["a", "**"]),
        ("[", ["["], ["", "a"]),
        ("[a", ["[a"], ["a"]),
        ("a[]", ["a[]"], ["a"]),
        ("[あ-ん]*", ["い", "さくら"], ["カ", "a"]),
        ("***a***", ["a", "bab"], ["b", ""]),
        ("*.[jp]*", ["x.json", "y.z.p"], ["x.txt", ".json"]),
        ("[.]x", [], [".x"]),
        ("", [""], ["a"]),
    ]

    @Test("a pattern matches names by its wildcards, scalar by scalar", arguments: table.indices)
    func names(_ index: Int) {
        let row = Self.table[index]
        let glob = Glob(row.pattern)
        for name in row.fitting { #expect(glob.matches(name), "\(row.pattern) \(name)") }
        for name in row.others { #expect(!glob.matches(name), "\(row.pattern) \(name)") }
    }

    @Test("an accent as one scalar and as two gives different names")
    func normalization() {
        #expect(Glob("\u{E9}*").matches("\u{E9}a"))
        #expect(!Glob("\u{E9}*").matches("e\u{301}a"))
        #expect(Glob("??a").matches("e\u{301}a"))
    }

    @Test("many stars on a nearly matching name take little time")
    func bounded() {
        let pattern = String(repeating: "a*", count: 2_000) + "b"
        #expect(!Glob(pattern).matches(String(repeating: "a", count: 5_000)))
    }

    // MARK: Folders

    private let folder: TemporaryFolder
    private let app: TrainLog

    init() throws {
        folder = try TemporaryFolder()
        app = try TrainLog(.empty)
    }

    private func find(_ pattern: String) throws -> FleetContainers {
        try FleetContainers.find(.glob(folder.path + "/" + pattern), of: app.migration())
    }

    /// What a pattern finds, relative to the folder.
    private func names(_ pattern: String) throws -> [String] {
        try find(pattern).names.map { String($0.dropFirst(folder.path.count + 1)) }
    }

    @Test("only folders match, in byte order, and hidden ones only if the pattern has the dot")
    func folders() throws {
        for name in ["b/AppData", "a/AppData", ".c/AppData", "B/AppData", "d/Other"] { try folder.makeFolder(name) }
        try folder.write("", to: "file")
        try folder.makeFolder("e")
        try folder.write("", to: "e/AppData")
        #expect(try names("*/AppData") == ["B/AppData", "a/AppData", "b/AppData"])
        #expect(try names(".*/AppData") == [".c/AppData"])
        #expect(try names("*") == ["B", "a", "b", "d", "e"])
        #expect(try names("[ab]/*/") == ["a/AppData", "b/AppData"])
        #expect(try names(".//[a]/./*") == ["a/AppData"])
    }

    @Test("two stars match folders at any depth, also none, without hidden ones")
    func anyDepth() throws {
        for name in ["x/AppData", "a/x/AppData", "a/b/c/x/AppData", "a/.h/x/AppData"] { try folder.makeFolder(name) }
        #expect(try names("**/x") == ["a/b/c/x", "a/x", "x"])
        #expect(try names("a/**/AppData") == ["a/b/c/x/AppData", "a/x/AppData"])
        #expect(try names("**/**/x") == names("**/x"))
        #expect(try names("**/c/**") == ["a/b/c/x", "a/b/c/x/AppData"])
        #expect(try names("x/**") == ["x/AppData"])
        #expect(try names("**/b/**/x") == ["a/b/c/x"])
    }

    @Test("one star follows a link to a folder, two stars do not, and each folder counts once")
    func links() throws {
        try folder.makeFolder("real/in")
        try folder.makeLink("again", to: "real")
        try folder.makeLink("real/up", to: "..")
        try folder.makeLink("broken", to: "nowhere")
        let found = try find("*/in")
        #expect(found.names == [folder["again/in"]])
        #expect(
            found.warnings == [
                "2 names lead to the same container `\(folder["again/in"])`; Godwit processes it once, under this name"
            ])
        #expect(try names("**/in") == ["real/in"])
        #expect(try names("real/up/real/i*") == ["real/up/real/in"])
    }

    @Test("two stars stop after 64 folders")
    func depth() throws {
        var path = "d"
        for _ in 0..<70 { path += "/d" }
        try folder.makeFolder(path)
        #expect(try names("**").count == 64)
    }

    @Test("a folder that cannot be read is a row, and the search continues")
    func unreadable() throws {
        try folder.makeFolder("a/in")
        try #require(mkdir([CChar](folder["bad"].utf8CString.dropLast()) + [-1, 0], 0o700) == 0)
        let found = try find("*/in")
        #expect(found.names == [folder["a/in"]])
        #expect(found.unreadable.map(\.name) == [folder["bad"] + "\\xFF"])
        #expect(found.unreadable.map(\.error.code) == [.noInput])
        #expect(found.identity.containers == 2)
    }

    @Test("a pattern without a match, or in a missing folder, is missing input")
    func nothing() throws {
        try folder.write("", to: "file")
        #expect(failure { try find("*") }?.code == .noInput)
        #expect(failure { try find("nowhere/*") }?.code == .noInput)
        #expect(failure { try find("file/*") }?.code == .noInput)
    }

    @Test("a cancelled search ends")
    func cancelled() throws {
        let cancellation = Cancellation()
        cancellation.cancel(.interrupted)
        let error = failure {
            try FleetContainers.find(.glob(folder["*"]), of: app.migration(), cancellation: cancellation)
        }
        #expect(error?.code == .interrupted)
    }

    // MARK: Places

    @Test("an existing file or folder with the name of a pattern wins")
    func places() throws {
        try folder.makeFolder("a[1]")
        try folder.write("x\n", to: "list*")
        try folder.makeFIFO("pipe")
        #expect(try FleetSource("-") == .standardInput)
        #expect(try FleetSource(folder["a[1]"]) == .folder(folder["a[1]"]))
        #expect(try FleetSource(folder["list*"]) == .list(folder["list*"]))
        #expect(try FleetSource(folder["pipe"]) == .list(folder["pipe"]))
        #expect(try FleetSource(folder["b[1]"]) == .glob(folder["b[1]"]))
        #expect(try FleetSource(folder["?"]) == .glob(folder["?"]))
        #expect(try FleetSource(String(repeating: "x", count: 300) + "*").word.hasSuffix("x*"))
        #expect(failure { try FleetSource(folder["nothing"]) }?.code == .noInput)
        #expect(failure { try FleetSource("/dev/null") }?.code == .noInput)
        #expect(failure { try FleetSource("") }?.code == .noInput)
    }
}
