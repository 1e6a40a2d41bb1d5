import GodwitTestSupport
import Testing

/// Too few descriptors give an ordinary error, not a crash.
struct DescriptorTests {
    @Test("every command works with 48 file descriptors", arguments: ["plan", "run", "verify", "status"])
    func enough(_ command: String) throws {
        let scene = try Scene(.twoDevices)
        if command == "verify" { #expect(try scene.godwit("run", "-q").code == 0) }
        #expect(try scene.godwit(under: "-n 48", [command]).code == 0)
    }

    @Test(
        "a command with too few file descriptors gives 74 before it reads anything", arguments: [5, 6, 8, 24, 40],
        [["run"], ["run", "--json"]])
    func tooFew(_ limit: Int, _ words: [String]) throws {
        let scene = try Scene(.twoDevices)
        let before = try scene.fingerprint()
        let (code, errors) = try scene.godwit(under: "-n \(limit)", words)
        #expect(code == 74)
        #expect(errors.contains("too few files can be opened"))
        #expect(errors.hasPrefix(words.contains("--json") ? "{" : "godwit: error: "))
        try scene.expectUnchanged(since: before)
    }
}
