import Godwit
import GodwitTestSupport
import Testing

/// Commands as a shell reads them, and the places that their words mean.
struct CommandLineTextTests {
    @Test(
        "a quote is a quote to a shell, with any mark after it or sign before it",
        arguments: [
            ("it's", "'it'\\''s'"), ("a'\u{301};cmd;'\u{301}b", "'a'\\''\u{301};cmd;'\\''\u{301}b'"),
            ("\u{600}';cmd", "'\u{600}'\\'';cmd'"), ("", "''"), ("a b", "'a b'"), ("/a-b_c.d:@%+,=", "/a-b_c.d:@%+,="),
        ])
    func quotes(word: String, expected: String) {
        #expect(Array(CommandLineText.line([word]).utf8) == Array(expected.utf8))
    }

    @Test("a path that begins with a slash is absolute, with any mark after the slash")
    func absolute() {
        #expect(Array(CommandLineText.absolute("/\u{301}x", from: "/tmp").utf8) == Array("/\u{301}x".utf8))
    }

    @Test(
        "an absolute path has no dots and keeps its links, except a link before `..`",
        arguments: [
            ("current/app/godwit.yaml", "/current/app/godwit.yaml"), ("./current//app/", "/current/app"),
            ("current/app/..", "/current"), ("current/../other", "/other"), ("current/app/../../x", "/x"),
            ("..", nil), ("missing/../x", "/x"), ("missing/link/x", "/missing/link/x"),
        ])
    func links(_ path: String, _ expected: String?) throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("releases/5/app")
        try folder.makeLink("current", to: "releases/5")
        let absolute =
            expected.map { folder.path + $0 } ?? folder.path.split(separator: "/").dropLast().map { "/" + $0 }.joined()
        // What follows a link's `..` counts from where the link leads.
        let real = path.hasPrefix("current/../") || path.hasSuffix("../../x") ? folder["releases"] : folder.path
        let wanted = real == folder.path ? absolute : real + (expected ?? "")
        #expect(CommandLineText.absolute(path, from: folder.path) == wanted)
        #expect(CommandLineText.absolute(folder[path], from: "/") == wanted)
    }

    @Test("the target of a path has its last link resolved, and is unchanged if the path does not exist")
    func target() throws {
        let folder = try TemporaryFolder()
        let real = try folder.makeFolder("real")
        try folder.makeLink("link", to: "real")
        #expect(CommandLineText.target(of: folder["link"]) == real)
        #expect(CommandLineText.absolute("link", from: folder.path) == folder["link"])
        #expect(CommandLineText.absolute("link/a", from: folder.path) == folder["link/a"])
        #expect(CommandLineText.target(of: folder["link/nothing"]) == folder["link/nothing"])
    }
}
