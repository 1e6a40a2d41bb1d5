import GodwitModel
import GodwitFleet
import GodwitTestSupport
import Testing

/// A shell in the role of a child process that is asked to end.
@Suite(.hangGuard)
struct WorkerProcessTests {
    /// A worker whose child runs this script, then prints its arguments, and continues.
    private func worker(_ script: String) -> WorkerProcess {
        WorkerProcess(
            WorkerProcess.Launch(
                program: "/bin/sh", words: ["sh", "-c", script], command: .run, settings: "as agreed"),
            cancellation: Cancellation())
    }

    private static let entry =
        #"{"container":"a","verdict":"completed","outcome":"done","passed":3,"failed":[]}"#

    @Test(
        "a stop request before a worker is ready takes effect when it is ready",
        arguments: ["TERM", "INT", "HUP"])
    func early(signal: String) throws {
        let script = "kill -\(signal) $$; echo 'as agreed'; read order; echo '\(Self.entry)'; echo '{}'"
        let result = try StopSignals.unblocked { try worker(script).perform("a", at: "/nowhere", since: nil) }
        #expect(result.entry.error == nil)
        #expect(result.entry.verdict == .completed)
        #expect(result.report == Array("{}".utf8))
    }

    @Test("a worker that exits before it is ready ends the run with the worker's exit code")
    func unready() {
        #expect { try worker("exit 74").perform("a", at: "/nowhere", since: nil) } throws: { error in
            (error as? GodwitError)?.code == .io
        }
    }

    @Test("a worker that is killed before it is ready costs only its first container")
    func killed() throws {
        let result = try worker("kill -KILL $$").perform("a", at: "/nowhere", since: nil)
        #expect(result.entry.verdict == .failed)
        #expect(result.entry.error?.message.contains("signal 9") == true)
    }
}
