import GodwitTestSupport
import Testing

struct FreshnessCommandTests {
    private let scene: Scene

    init() throws {
        scene = try Scene(.twoDevices)
        let made = try scene.start(["export", "-q", "-o", scene.folder["home/e.json"]]).finish()
        try #require(made.code == 0, "\(made.errorText)")
    }

    private func freshness(_ arguments: [String]) throws -> Invocation.Finished {
        let (before, bytes) = (try scene.fingerprint(), try scene.folder.bytes(of: "home/e.json"))
        let finished = try scene.startBare(["freshness", "--now", Scene.now] + arguments).finish()
        try scene.expectUnchanged(since: before)
        #expect(try scene.folder.bytes(of: "home/e.json") == bytes)
        return finished
    }

    @Test("fresh exports give 0, doubtful ones 0 or 4, stale ones 4")
    func codes() throws {
        let file = scene.folder["home/e.json"]
        let doubtful = try freshness([file, "--warn-after", "1s", "--error-after", "9000d"])
        #expect(doubtful.code == 0 && doubtful.errors.isEmpty, "\(doubtful.errorText)")
        #expect(doubtful.text.hasPrefix("! \(file):"))
        #expect(doubtful.text.contains("may be stale; TrainLog\n"))
        #expect(try freshness([file, "--warn-after", "1s", "--error-after", "9000d", "--warn-error"]).code == 4)
        let stale = try freshness([file, "--error-after", "1s", "--warn-after", "1s"])
        #expect(stale.code == 4 && stale.errors.isEmpty)
        #expect(try freshness([scene.folder["home"], "--error-after", "9000d"]).code == 0)
        #expect(try freshness([scene.folder["home/none.json"]]).code == 4)
        #expect(try freshness([file, scene.folder["nowhere"], "--error-after", "9000d"]).code == 4)
    }

    @Test("--quiet prints nothing but the exit code is the same, and JSON goes to standard output or a new file")
    func forms() throws {
        let file = scene.folder["home/e.json"]
        let quiet = try freshness(["-q", "--error-after", "1s", "--warn-after", "1s", file])
        #expect(quiet.code == 4 && quiet.output.isEmpty && quiet.errors.isEmpty)
        let json = try freshness(["--json", "--error-after", "9000d", file])
        #expect(try json.json()["command"] == "freshness")
        let saved = try scene.startBare(
            ["freshness", file, "--format", "junit", "--error-after", "9000d", "-o", scene.folder["f.xml"]]).finish()
        #expect(saved.code == 0 && saved.output.isEmpty)
        #expect(try scene.folder.text(of: "f.xml").contains("<testsuites>"))
    }

    @Test(
        "an invalid freshness command gives 64",
        arguments: [
            [], [""], ["x", "--warn-after", "2d", "--error-after", "1d"], ["x", "--error-after", "soon"],
            ["x", "--format", "html"],
        ])
    func usage(_ arguments: [String]) throws {
        #expect(try freshness(arguments).code == 64)
    }

    @Test("a pipe is not read as an export")
    func pipe() throws {
        try scene.folder.makeFIFO("home/pipe")
        #expect(try freshness([scene.folder["home/pipe"]]).code == 4)
        #expect(try freshness([scene.folder["home"], "--error-after", "9000d"]).code == 0)
    }
}
