import Libc
import Foundation
import GodwitTestSupport
import Testing

struct ExportServiceTests {
    private let scene: Scene

    init() throws {
        scene = try Scene(.twoDevices)
        try scene.folder.makeFolder("exports")
        #expect(try scene.godwit("run", "-q").code == 0)
    }

    private func start(
        _ options: String..., every: String = "1h", output: String? = nil, environment: [String: String] = [:]
    ) throws -> Invocation {
        let arguments = ["export", "--into", scene.folder["exports"], "--every", every] + options
        return try scene.startBare(
            arguments + ["-m", scene.manifest, "-c", scene.container], output: output, environment: environment)
    }

    /// Asks the service to stop, and expects a clean end.
    @discardableResult
    private func stop(_ service: Invocation, with signal: Int32 = SIGTERM) throws -> Invocation.Finished {
        kill(service.identifier, signal)
        let finished = try service.finish()
        #expect(finished.code == 0 && !finished.died, "\(finished.errorText)")
        #expect(finished.errorLines.last?.hasSuffix(" stopped") == true, "\(finished.errorText)")
        #expect(!scene.folder.names(in: "exports").contains { $0.hasPrefix(".") })
        return finished
    }

    private func lines(_ service: Invocation) -> [Substring] {
        service.outputSoFar.split(separator: "\n")
    }

    private func waitForLine(_ service: Invocation, with parts: String...) throws {
        try wait(for: "a line with \(parts); there is \(service.outputSoFar) \(service.errorsSoFar)") {
            lines(service).contains { line in parts.allSatisfy(line.contains) }
        }
    }

    private func addWorkout(_ key: String) throws {
        let store = try scene.open(Scene.cloud)
        try store.execute(
            """
            INSERT INTO Workout (id, title, startedAt, createdAt, updatedAt) VALUES
            ('\(key)', 'Legs', '2026-11-21T05:00:00Z', '2026-11-21T05:00:00Z', '2026-11-21T05:00:00Z')
            """)
        try store.close()
    }

    private var newest: JSONValue {
        get throws { try JSONValue(scene.folder.bytes(of: "exports/latest")) }
    }

    @Test("the service exports at once, and again after a store was written", arguments: [SIGTERM, SIGINT])
    func change(signal: Int32) throws {
        let service = try start("--debounce", "100ms")
        try waitForLine(service, with: " exported ", "cause=start", "store=cloud", "freshness=")
        try addWorkout("W-NEW")
        try waitForLine(service, with: " exported ", "cause=change")
        let finished = try stop(service, with: signal)
        #expect(try scene.folder.text(of: "exports/latest").contains(#"{"id":"W-NEW""#))
        #expect(finished.text.split(separator: "\n").count == 2, "one line for each export: \(finished.text)")
    }

    @Test("unchanged content is not exported again, and the index records the check")
    func unchanged() throws {
        let service = try start(every: "1s")
        try waitForLine(service, with: " unchanged ", "cause=interval")
        try stop(service)
        #expect(scene.folder.names(in: "exports").sorted().dropFirst() == ["exports.jsonl", "latest"])
        let attempts = try scene.folder.text(of: "exports/exports.jsonl").split(separator: "\n").map {
            try JSONValue($0.utf8)["outcome"]?.string
        }
        #expect(attempts.first == "exported" && attempts.dropFirst().allSatisfy { $0 == "unchanged" })
        #expect(attempts.count > 1)
    }

    @Test("a removed or truncated export is made again at the next interval", arguments: [false, true])
    func lostExport(isCut: Bool) throws {
        let service = try start(every: "1s")
        try waitForLine(service, with: " unchanged ", "cause=interval")
        let first = try #require(scene.folder.names(in: "exports").first { $0.hasSuffix("Z.json") })
        let path = scene.folder["exports/" + first]
        if isCut { #expect(truncate(path, 1_000) == 0) } else { #expect(unlink(path) == 0) }
        try wait(for: "a second export") { lines(service).count { $0.contains(" exported ") } == 2 }
        try stop(service)
        #expect(try newest["integrity", "sha256"] != nil)
    }

    @Test("a removed link is made again at the next interval")
    func lostLink() throws {
        let service = try start(every: "1s")
        try waitForLine(service, with: " unchanged ", "cause=interval")
        #expect(unlink(scene.folder["exports/latest"]) == 0)
        try wait(for: "the link") { scene.folder.exists("exports/latest") }
        try stop(service)
        #expect(scene.folder.names(in: "exports").count { $0.hasSuffix(".json") } == 1)
    }

    @Test("a reload uses the new manifest, or the earlier one if the new one is invalid")
    func reload() throws {
        let service = try start()
        try waitForLine(service, with: "cause=start")
        let manifest = try scene.folder.text(of: "home/godwit.yaml")
        try scene.write(manifest: manifest + "\nnonsense: 1\n")
        kill(service.identifier, SIGHUP)
        try wait(for: "a warning") { service.errorsSoFar.contains("warning: the manifest was not read again") }
        #expect(service.isRunning)
        try scene.edit("nonsense: 1", "")
        try scene.edit("app: TrainLog", "app: TrainLogTwo")
        kill(service.identifier, SIGHUP)
        try waitForLine(service, with: "cause=reload", "/TrainLogTwo-")
        try stop(service)
    }

    @Test("a failed export is tried again, and each attempt has its line")
    func failure() throws {
        let store = try scene.folder.bytes(of: scene.inFolder(Scene.cloud))
        try scene.folder.write("no store", to: scene.inFolder(Scene.cloud))
        let service = try start(every: "2s")
        try waitForLine(service, with: " failed code=65 message=", "retryMs=", "cause=start")
        try waitForLine(service, with: " failed ", "cause=retry")
        #expect(service.isRunning)
        try scene.folder.write(store, to: scene.inFolder(Scene.cloud))
        try waitForLine(service, with: " exported ", "cause=retry")
        try stop(service)
        #expect(try scene.folder.text(of: "exports/exports.jsonl").contains(#""outcome":"failed""#))
    }

    @Test("the service exports at once when the network is back")
    func network() throws {
        try scene.folder.write("offline", to: "network")
        let service = try start("--network", "@\(scene.folder["network"])")
        try waitForLine(service, with: "cause=start", "exported")
        #expect(try newest["freshness", "sync", "network"] == "offline")
        try scene.folder.write("online\n", to: "network")
        try waitForLine(service, with: "cause=network")
        // An invalid word gives one warning, and changes nothing.
        try scene.folder.write("on line", to: "network")
        try wait(for: "a warning") { service.errorsSoFar.contains("does not contain a known state") }
        let finished = try stop(service)
        #expect(finished.errorLines.count { $0.contains("does not contain a known state") } == 1)
    }

    @Test("a failed export is tried again at once when the app records that the network is back")
    func networkEvent() throws {
        let store = try scene.folder.bytes(of: scene.inFolder(Scene.cloud))
        try scene.folder.write("no store", to: scene.inFolder(Scene.cloud))
        func see(_ state: String, at minute: Int) throws {
            let line = #"{"type":"network","at":"2026-11-21T05:0\#(minute):00Z","state":"\#(state)"}"#
            try scene.folder.write(line + "\n", to: scene.inFolder(StatusTests.events))
        }
        try see("offline", at: 1)
        let service = try start()
        try waitForLine(service, with: " failed ", "cause=start")
        try scene.folder.write(store, to: scene.inFolder(Scene.cloud))
        try see("online", at: 2)
        try waitForLine(service, with: " exported ", "cause=network")
        try stop(service)
        #expect(try newest["freshness", "sync", "network"] == "online")
    }

    @Test("systemd gets the states ready, alive, reloading and stopping")
    func supervisor() throws {
        let name = scene.folder["notify"]
        try #require(name.utf8.count < 104)
        let listener = try DatagramListener(name)
        let service = try start(environment: ["NOTIFY_SOCKET": name, "WATCHDOG_USEC": "200000"])
        func waitForDatagram(_ part: String) throws {
            try wait(for: "\(part)") { listener.next()?.contains(part) == true }
        }
        try waitForDatagram("READY=1")
        try waitForDatagram("WATCHDOG=1")
        kill(service.identifier, SIGHUP)
        try waitForDatagram("RELOADING=1\nMONOTONIC_USEC=")
        try waitForDatagram("READY=1")
        kill(service.identifier, SIGTERM)
        try waitForDatagram("STOPPING=1")
        #expect(try service.finish().code == 0)
    }

    @Test("the service can be stopped while it waits for a run, and leaves no files")
    func stoppedWaiting() throws {
        let lock = try HeldLock(scene.container)
        let service = try start("--lock-timeout", "10m")
        try wait(for: "its beginning") { service.errorsSoFar.contains("export of TrainLog into") }
        try stop(service)
        lock.release()
        #expect(!scene.folder.names(in: "exports").contains { $0.hasSuffix(".json") })
    }

    @Test("two services on one folder take turns")
    func two() throws {
        let services = try (0..<2).map { _ in try start(every: "1s") }
        for service in services { try waitForLine(service, with: "cause=interval") }
        for service in services {
            let finished = try stop(service)
            #expect(!finished.text.contains(" failed "), "\(finished.text)")
        }
        #expect(scene.folder.names(in: "exports").count { $0.hasSuffix(".json") } == 1)
    }

    @Test("the service continues if its output has no reader")
    func fullOutput() throws {
        let service = try start(every: "1s", output: "/dev/full")
        try wait(for: "a second attempt") {
            let index = try? scene.folder.text(of: "exports/exports.jsonl")
            return index?.split(separator: "\n").count ?? 0 > 1
        }
        try stop(service)
    }

    @Test("log lines are JSON on request, and with --quiet only failures are printed")
    func formats() throws {
        let service = try start("--json", every: "1s")
        try wait(for: "two lines") { lines(service).count > 1 }
        let finished = try stopJSON(service)
        let first = try JSONValue(finished.output.split(separator: 0x0A)[0])
        #expect(first["messageType"] == "exportRun")
        #expect(first["outcome"] == "exported")
        let quiet = try start("-q", every: "1s")
        try wait(for: "an attempt") {
            try scene.folder.text(of: "exports/exports.jsonl").split(separator: "\n").count > 3
        }
        kill(quiet.identifier, SIGTERM)
        let silent = try quiet.finish()
        #expect(silent.code == 0 && silent.output.isEmpty && silent.errors.isEmpty, "\(silent.text)")
    }

    private func stopJSON(_ service: Invocation) throws -> Invocation.Finished {
        kill(service.identifier, SIGTERM)
        let finished = try service.finish()
        #expect(finished.code == 0)
        let last = try JSONValue(finished.errors.split(separator: 0x0A).last ?? [])
        #expect(last["message"] == "stopped")
        return finished
    }

    @Test(
        "options that do not fit a service are usage errors",
        arguments: [
            ["--every", "5m"], ["--every", "5m", "-o", "x.json"], ["--every", "500ms", "--into", "."],
            ["--every", "5m", "--into", ".", "-n"], ["--every", "5m", "--into", ".", "--now", Scene.now],
            ["--debounce", "5s", "--into", "."], ["--every", "5m", "--debounce", "6m", "--into", "."],
            ["--every", "0", "--into", "."], ["--every", "5 minutes", "--into", "."],
            ["--every", "5m", "--into", ".", "--format", "html"],
        ])
    func usage(options: [String]) throws {
        let finished = try scene.startBare(["export"] + options).finish()
        #expect(finished.code == 64, "\(finished.errorText)")
        // With `html` the error is a page on standard output.
        #expect(finished.text.isEmpty || options.contains("html"))
    }

    @Test("an error at the start ends the service at once")
    func wrongFromTheBeginning() throws {
        let every = ["export", "--every", "5m", "-m", scene.manifest]
        let cases = [
            (["--into", "nowhere", "-c", scene.container], Int32(66)), (["--into", "../exports", "-c", "nowhere"], 66),
            (["--into", scene.container, "-c", scene.container], 73),
            (["--into", "../exports", "-c", scene.container, "-m", "none.yaml"], 66),
            (["--into", "../exports", "-c", scene.container, "--network", "@godwit.yaml"], 64),
            (["--into", "../exports", "-c", scene.container, "--entity", "Nope"], 64),
            (["--into", "../exports", "-c", scene.container, "--since", "nope.json"], 66),
        ]
        for (options, code) in cases {
            let finished = try scene.startBare(every + options).finish()
            #expect(finished.code == code, "\(options): \(finished.errorText)")
        }
    }
}
