import GodwitTestSupport
import Testing

struct ForgetCommandTests {
    private let scene: Scene

    init() throws {
        scene = try Scene(.twoDevices)
        try scene.folder.makeFolder("exports")
        for (name, day) in [("a", 19), ("b", 20), ("c", 21)] {
            let made = try scene.startBare([
                "export", "-q", "-m", scene.manifest, "-c", scene.path("."), "--now", "2026-11-\(day)T06:00:00Z", "-o",
                scene.folder["exports/\(name).json"],
            ]).finish()
            try #require(made.code == 0, "\(made.errorText)")
        }
    }

    private func forget(_ arguments: [String]) throws -> Invocation.Finished {
        try scene.startBare(["forget", scene.folder["exports"], "--now", Scene.now] + arguments).finish()
    }

    private var names: [String] { scene.folder.names(in: "exports").sorted() }

    @Test("forget applies a policy and lists the reasons, without reading the container")
    func applied() throws {
        let before = try scene.fingerprint()
        let plan = try forget(["--keep-daily", "1", "--keep-within", "1d", "-n"])
        #expect(plan.code == 0 && names == ["a.json", "b.json", "c.json"], "\(plan.errorText)")
        #expect(plan.text.contains("kept: daily export, within 1d\n"))
        #expect(plan.text.contains("→ 2 exports would be removed ("))
        let done = try forget(["--keep-daily", "1", "--keep-within", "1d"])
        #expect(done.code == 0 && done.errors.isEmpty && names == ["c.json"], "\(done.errorText)")
        #expect(done.text.contains("✓ 2 exports removed ("))
        try scene.expectUnchanged(since: before)
    }

    @Test(
        "an empty policy removes nothing and says so",
        arguments: [[], ["--keep-last", "0"], ["--keep-last", "unlimited"]])
    func empty(_ options: [String]) throws {
        let finished = try forget(options)
        #expect(finished.code == 0 && names == ["a.json", "b.json", "c.json"])
        #expect(finished.text.contains("Nothing was removed, 3 kept.\n"))
    }

    @Test("forget lists removed exports as JSON, and prints nothing with --quiet")
    func forms() throws {
        let json = try forget(["--keep-last", "2", "--json"]).json()
        #expect(json["removed"]?.items.map { $0["file"] } == ["a.json"])
        #expect(try forget(["-q", "--keep-last", "1"]).output.isEmpty)
        #expect(names == ["c.json"])
    }

    @Test(
        "an invalid forget command gives 64 and removes nothing",
        arguments: [
            ["--keep-last", "-2"], ["--keep-last", "x"], ["--keep-within", "3"], ["--keep-within", "0d"],
            ["--format", "junit"], ["--keep-minutely", "3"], ["more"],
        ])
    func usage(_ options: [String]) throws {
        #expect(try forget(options).code == 64)
        #expect(names.count == 3)
    }
}
