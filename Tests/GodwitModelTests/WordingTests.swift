import GodwitModel
import GodwitTestSupport
import Testing

struct WordingTests {
    private var hint: String { "Wait for \(name: .run), or raise \(name: .lockTimeout)." }

    @Test("a text names Swift for the developers of an app")
    func library() {
        #expect(hint == "Wait for `Migration.run()`, or raise `MigrationOptions.lockTimeout`.")
        #expect(Wording.text(commandLine: "a", library: "b") == "b")
    }

    @Test("a text names options and commands for people who type them", .commandLineWords)
    func commandLine() {
        #expect(hint == "Wait for `godwit run`, or raise --lock-timeout.")
        #expect(Wording.text(commandLine: "a", library: "b") == "a")
    }
}
