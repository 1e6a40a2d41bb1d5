import Foundation
import GodwitTestSupport
import Testing

/// `status --watch` follows the files: on a terminal, as lines, and as JSON.
struct StatusWatchTests {
    static let events = StatusTests.events
    private static let setup = event("setup")

    static func event(_ type: String, error code: Int? = nil, at minute: Int = 0) -> String {
        let error = code.map { #"{"domain":"CKErrorDomain","code":\#($0)}"# } ?? "null"
        return """
            {"type":"\(type)","startedAt":"2026-11-21T05:0\(minute):00Z","endedAt":"2026-11-21T05:0\(minute):09Z",\
            "succeeded":\(code == nil),"error":\(error)}

            """
    }

    /// A container after its run, with known account and network, and sync set up.
    private func makeScene() throws -> Scene {
        let scene = try Scene()
        #expect(try scene.godwit("run", "-q").code == 0)
        try scene.folder.write(Self.setup, to: scene.inFolder(Self.events))
        return scene
    }

    private func add(_ event: String, to scene: Scene) throws {
        let name = scene.inFolder(Self.events)
        try scene.folder.write(scene.folder.bytes(of: name) + Array(event.utf8), to: name)
    }

    private static let online = ["--account", "available", "--network", "online"]

    private func terminal(
        _ scene: Scene, _ more: [String] = [], columns: UInt16 = 100, rows: UInt16 = 60,
        environment: [String: String] = [:]
    ) throws -> Terminal {
        try Terminal(
            ["status", "--watch", "-m", scene.manifest, "-c", scene.container, "--now", Scene.now] + Self.online + more,
            columns: columns, rows: rows,
            environment: ["TMPDIR": scene.folder["tmp"]].merging(environment) { $1 }, directory: scene.folder["home"])
    }

    // MARK: On a terminal

    @Test(
        "on a terminal, status --watch follows the files and changes nothing",
        arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 143)] as [(Int32, Int32)])
    func screen(signal: Int32, code: Int32) throws {
        let scene = try makeScene()
        let watching = try terminal(scene, columns: 80)
        try watching.wait(for: "the first status") { $0.shows("press Ctrl-C to stop") }
        #expect(watching.written.hasPrefix("\u{1b}[?1049h\u{1b}[?25l"))
        // The screen shows the output of `status`, except what is wider than the window.
        let lines = try scene.start(["status"] + Self.online).finish().text
            .split(separator: "\n", omittingEmptySubsequences: false).map { String($0.prefix(80)) }
        #expect(lines.count > 20)
        #expect(watching.screen.prefix(lines.count) == lines[...])
        #expect(watching.shows("nothing was received yet"))
        try add(Self.event("import"), to: scene)
        try watching.wait(for: "the import") { $0.shows("import succeeded") }
        try add(Self.event("export", error: 25), to: scene)
        try watching.wait(for: "the failure") { $0.shows("✗ failing") }
        #expect(watching.shows("last error CKErrorDomain 25: export failed 59 minutes ago"))
        let before = try scene.fingerprint()
        watching.send(signal)
        let end = watching.finish()
        #expect(end.code == code && !end.died)
        #expect(watching.isClean)
        #expect(watching.written.hasSuffix("\u{1b}[?1049l"), "nothing is said after it")
        for clearing in ["\u{1b}[2J", "\u{1b}[3J", "\u{1b}c"] { #expect(!watching.written.contains(clearing)) }
        try scene.expectUnchanged(since: before)
    }

    @Test("a small window counts the lines that do not fit, and a larger one shows them")
    func window() throws {
        let scene = try makeScene()
        let watching = try terminal(scene, columns: 30, rows: 8)
        try watching.wait(for: "the first status") { $0.shows("more lines below") }
        #expect(watching.screen.count == 8)
        #expect(watching.screen.allSatisfy { $0.count <= 30 })
        #expect(watching.screen[0] == "✗ godwit status:")
        #expect(watching.screen[1].hasPrefix("    TrainLog in"))
        watching.resize(columns: 90, rows: 60)
        try watching.wait(for: "the larger window") { $0.shows("Last runs") && $0.shows("press Ctrl-C to stop") }
        #expect(!watching.shows("more lines below"))
        watching.send(SIGINT)
        #expect(watching.finish().code == 130)
    }

    @Test("status --watch prints no colors if they are off, and Japanese on request")
    func plainColours() throws {
        let scene = try makeScene()
        let watching = try terminal(scene, ["--lang", "ja"], environment: ["NO_COLOR": "1"])
        try watching.wait(for: "Japanese") { $0.shows("同期は設定されています") }
        #expect(!watching.written.contains("\u{1b}[3"))
        watching.send(SIGINT)
        #expect(watching.finish().code == 130)
    }

    @Test("a temporary error is shown, and watching continues")
    func transient() throws {
        let scene = try makeScene()
        let whole = try scene.folder.bytes(of: scene.inFolder(Scene.plist))
        let watching = try terminal(scene)
        try watching.wait(for: "the first status") { $0.shows("press Ctrl-C to stop") }
        try scene.folder.write(Array(whole.prefix(20)), to: scene.inFolder(Scene.plist))
        try watching.wait(for: "the error") { $0.shows("godwit: error: ") }
        #expect(watching.shows("The last status that could be read:"))
        #expect(watching.shows("godwit status: TrainLog"))
        try scene.folder.write(whole, to: scene.inFolder(Scene.plist))
        try watching.wait(for: "its end") { !$0.shows("godwit: error: ") }
        watching.send(SIGINT)
        #expect(watching.finish().code == 130 && watching.isClean)
    }

    @Test("closing the terminal ends watching")
    func closedTerminal() throws {
        let scene = try makeScene()
        var watching: Terminal? = try terminal(scene)
        try watching?.wait(for: "the first status") { $0.shows("press Ctrl-C to stop") }
        watching?.hangUp()
        let end = try #require(watching?.finish())
        #expect([74, 143].contains(end.code) && !end.died)
        watching = nil
    }

    // MARK: As lines

    @Test("without a terminal, each change is one line without escape sequences")
    func lines() throws {
        let scene = try makeScene()
        try scene.folder.write("available\n", to: "home/account")
        let watching = try scene.start([
            "status", "--watch", "--account", "@\(scene.folder["home/account"])", "--network", "online",
        ])
        try watching.wait(forLines: 1)
        try add(Self.event("import"), to: scene)
        try watching.wait(forLines: 2)
        try add(Self.event("export", error: 25), to: scene)
        try watching.wait(forLines: 3)
        try scene.folder.write("noAccount\n", to: "home/account")
        try watching.wait(forLines: 4)
        let store = try scene.open(Scene.local)
        try store.execute("UPDATE Workout SET updatedAt = '2026-11-21T05:59:00.000Z' WHERE rowid <= 3")
        try store.close()
        try watching.wait(forLines: 5)
        watching.interrupt()
        let finished = try watching.finish()
        #expect(finished.code == 130 && finished.errors.isEmpty)
        let lines = finished.text.split(separator: "\n")
        #expect(lines.count == 5, "\(finished.text)")
        #expect(lines.allSatisfy { $0.hasPrefix("2026-11-21T06:00:00.000Z ") })
        #expect(!finished.text.contains("\u{1b}"))
        let reported = lines.map { $0.dropFirst("2026-11-21T06:00:00.000Z ".count) }
        #expect(
            reported[0].hasPrefix(
                "notSyncing error: active store cloud; copy done; setup succeeded 2026-11-21T05:00:09"))
        #expect(reported[0].contains("nothing pending; account available; network online; last run run"))
        #expect(reported[1].contains(": import succeeded 2026-11-21T05:00:09.000Z"))
        #expect(reported[2].hasPrefix("error error: export failed 2026-11-21T05:00:09.000Z (CKErrorDomain 25); "))
        #expect(reported[3].hasPrefix("accountNotAvailable localOnly: active store local; account not signed in"))
        #expect(reported[4].hasPrefix("accountNotAvailable localOnly: 3 pending"))
    }

    @Test("a sync that just ended is shown as settled a moment later, without a change of files")
    func settles() throws {
        let scene = try makeScene()
        let watching = try scene.startBare(
            ["status", "--watch", "--plain", "-m", scene.manifest, "-c", scene.container] + Self.online)
        try watching.wait(forLines: 1)
        let now = Date.now.formatted(.iso8601)
        let events = ["import", "export"].map { type in
            #"{"type":"\#(type)","startedAt":"\#(now)","endedAt":"\#(now)","succeeded":true,"error":null}"# + "\n"
        }
        try add(events.joined(), to: scene)
        // First shown as syncing, unless this machine was too slow to look within three seconds; then as synced.
        let end = ContinuousClock.now + .hangGuard
        while !watching.outputSoFar.contains(" succeeded synced: "), ContinuousClock.now < end { usleep(10_000) }
        watching.interrupt()
        let lines = try watching.finish().text.split(separator: "\n")
        let states = lines.dropFirst().compactMap {
            $0.split(separator: ":").dropFirst(2).first?.split(separator: " ").last
        }
        #expect(states.last == "synced", "\(lines)")
        #expect(states.dropLast().allSatisfy { $0 == "syncing" }, "\(lines)")
    }

    @Test("a temporary error is one line, and then everything is printed again")
    func passingError() throws {
        let scene = try makeScene()
        let whole = try scene.folder.bytes(of: scene.inFolder(Scene.plist))
        let watching = try scene.start(["status", "--watch", "--plain"] + Self.online)
        try watching.wait(forLines: 1)
        try scene.folder.write(Array(whole.prefix(20)), to: scene.inFolder(Scene.plist))
        try watching.wait(forLines: 2)
        try scene.folder.write(whole, to: scene.inFolder(Scene.plist))
        try watching.wait(forLines: 3)
        watching.terminate()
        let finished = try watching.finish()
        #expect(finished.code == 143)
        let lines = finished.text.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[1].hasPrefix("2026-11-21T06:00:00.000Z error 65: "))
        #expect(lines[2] == lines[0])
    }

    @Test("with --json each change is a complete report on one line")
    func json() throws {
        let scene = try makeScene()
        let watching = try scene.start(["status", "--watch", "--json"] + Self.online)
        try watching.wait(forLines: 1)
        try add(Self.event("import"), to: scene)
        try watching.wait(forLines: 2)
        watching.interrupt()
        let finished = try watching.finish()
        #expect(finished.code == 130 && finished.errors.isEmpty)
        let reports = try finished.output.split(separator: 0x0A).map { try JSONValue(Array($0)) }
        #expect(reports.count == 2)
        #expect(reports[0]["sync", "status"] == "notSyncing")
        #expect(reports[1]["phases"]?.items[1]["state"] == "succeeded")
        let single = try scene.start(["status", "--json"] + Self.online).finish().json()
        #expect(reports[1] == single)
    }

    // MARK: How it ends, and does not begin

    @Test("watching ends after its reader, even without changes")
    func goneReader() throws {
        let scene = try makeScene()
        let script = """
            "$0" "$@" 2>errors | head -n 1; echo "${PIPESTATUS[0]}" >code
            """
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/bash")
        shell.arguments =
            ["-c", script, try Executable.path(), "status", "--watch", "-m", scene.manifest, "-c", scene.container]
        shell.currentDirectoryURL = URL(filePath: scene.folder["calls"])
        shell.standardOutput = FileHandle.nullDevice
        try StopSignals.unblocked { try shell.run() }
        shell.waitUntilExit()
        #expect(try scene.folder.text(of: "calls/code") == "74\n")
        #expect(try scene.folder.text(of: "calls/errors").contains("can't write to standard output"))
    }

    @Test(
        "contradictory watch options are usage errors",
        arguments: [
            ["--plain"], ["--watch", "--exit-code"], ["--watch", "-q"], ["--watch", "--format", "html"],
            ["--watch", "--format", "junit"], ["--watch", "-o", "report"], ["--watch", "--plain", "--json"],
        ])
    func mistakes(arguments: [String]) throws {
        let scene = try Scene()
        let finished = try scene.start(["status"] + arguments).finish()
        #expect(finished.code == 64, "\(finished.errorText)")
        // With `--format` the error is written to standard output, like the report.
        #expect(finished.text.isEmpty == !arguments.contains("--format"))
    }

    @Test("an error that waiting cannot solve ends watching at once")
    func hopeless() throws {
        let scene = try Scene()
        let missing = try scene.startBare(["status", "--watch", "-m", scene.manifest, "-c", "nowhere"]).finish()
        #expect(missing.code == 66 && missing.text.isEmpty)
        try scene.edit("godwit: 1", "godwit: one")
        #expect(try scene.start(["status", "--watch"]).finish().code == 78)
    }
}
