import Foundation
import GodwitTestSupport
import Testing

/// The sync state in `status` and exports, from the events of an app.
struct StatusTests {
    static let events = "Library/Application Support/sync-events.jsonl"

    private func scene(events: String...) throws -> Scene {
        let scene = try Scene()
        #expect(try scene.godwit("run", "-q").code == 0)
        try scene.folder.write(events.joined(separator: "\n") + "\n", to: scene.inFolder(Self.events))
        return scene
    }

    private static func event(_ type: String, succeeded: Bool = true) -> String {
        let error = succeeded ? "null" : #"{"domain":"CKErrorDomain","code":9}"#
        return """
            {"type":"\(type)","startedAt":"2026-11-21T05:00:00Z","endedAt":"2026-11-21T05:00:09Z",\
            "succeeded":\(succeeded),"error":\(error)}
            """
    }

    @Test("a broken sync gives exit code 2 on request, and 0 otherwise")
    func broken() throws {
        let scene = try scene(events: Self.event("setup"), Self.event("import", succeeded: false))
        let asked = ["--account", "available", "--network", "online", "--json"]
        let finished = try scene.start(["status", "--exit-code"] + asked).finish()
        #expect(finished.code == 2, "\(finished.errorText)")
        let status = try finished.json()
        #expect(status["sync", "status"] == "error")
        #expect(status["sync", "lastError"]?.string?.contains("CKErrorDomain") == true)
        #expect(status["userStatus", "needsSignIn"] == true)
        #expect(try scene.start(["status"] + asked).finish().code == 0)
    }

    @Test("a working sync gives exit code 0")
    func working() throws {
        let scene = try scene(events: Self.event("setup"), Self.event("import"), Self.event("export"))
        let finished = try scene.godwit(
            "status", "--exit-code", "--account", "available", "--network", "online", "--json")
        #expect(finished.code == 0, "\(finished.errorText)")
        #expect(try finished.json()["sync", "status"] == "succeeded")
        #expect(try finished.json()["userStatus", "state"] == "synced")
    }

    @Test("an export says how stale it may be")
    func freshness() throws {
        let scene = try scene(events: Self.event("setup"), Self.event("import", succeeded: false))
        let arguments = ["export", "-q", "--account", "available", "--network", "online"]
        let document = try scene.start(arguments).finish().json()
        let reasons = document["freshness", "reasons"]?.items.compactMap { $0["code"]?.string } ?? []
        #expect(reasons.contains("syncError"), "\(reasons)")
        #expect(document["freshness", "mayBeStale"] == true)
    }

    @Test("account and network are read from files too, and a missing file means unknown")
    func stateFiles() throws {
        let scene = try scene(events: Self.event("setup"), Self.event("import"), Self.event("export"))
        let arguments = ["status", "--json", "--network", "@network", "--account", "@\(scene.folder["account"])"]
        func states() throws -> [String?] {
            let status = try scene.start(arguments).finish().json()
            return [status["sync", "network"]?.string, status["sync", "availability"]?.string]
        }
        #expect(try states() == ["unknown", "unknown"])
        try scene.folder.write("offline\n", to: "home/network")
        try scene.folder.write(" noAccount ", to: "account")
        #expect(try states() == ["offline", "noAccount"])
        try scene.folder.write("", to: "home/network")
        #expect(try states() == ["unknown", "noAccount"])
    }

    @Test(
        "a file without a valid word is a usage error, not a state",
        arguments: ["on line", "Online", "available", "online\u{0}", String(repeating: "online ", count: 100)])
    func strangeStateFile(text: String) throws {
        let scene = try Scene()
        try scene.folder.write(text, to: "home/network")
        let finished = try scene.godwit("status", "--network", "@network")
        #expect(finished.code == 64, "\(finished.errorText)")
        #expect(finished.errorText.contains("`network` does not contain a known state"))
        #expect(finished.errorText.contains("online, offline or unknown"))
    }

    @Test("invalid events give warnings, and the status is still shown")
    func damagedEvents() throws {
        let scene = try scene(events: "not an event", Self.event("setup"))
        let finished = try scene.godwit("status", "--json")
        #expect(finished.code == 0, "\(finished.errorText)")
        #expect(try finished.json()["warnings"]?.items.isEmpty == false)
    }

    @Test("messages for users are in their language")
    func japanese() throws {
        let scene = try scene(events: Self.event("setup"))
        let messages = try ["en", "ja"].map { language in
            try scene.godwit("status", "--json", "--lang", language).json()["userStatus", "message"]?.string ?? ""
        }
        let hasKana = messages.map { $0.unicodeScalars.contains { (0x3040...0x30FF).contains($0.value) } }
        #expect(hasKana == [false, true], "\(messages)")
    }

    @Test("a store of another CloudKit environment gives 65 for a run, 1 for verify, and a warning of status")
    func environment() throws {
        let scene = try Scene()
        let manifest = try String(contentsOfFile: scene.manifest, encoding: .utf8)
        try scene.write(manifest: manifest + "environment: development\n")
        #expect(try scene.godwit("run", "-q").code == 0)
        try scene.write(manifest: manifest + "environment: production\n")
        let run = try scene.godwit("run", "-q")
        #expect(run.code == 65 && run.errorText.contains("'development'"), "\(run.errorText)")
        #expect(try scene.godwit("verify", "-q").code == 1)
        let status = try scene.godwit("status", "--json")
        #expect(status.code == 0)
        #expect(try status.json()["environment"] == "production")
        let codes = try status.json()["warnings"]?.items.compactMap { $0["code"]?.string } ?? []
        #expect(codes.contains("otherEnvironment"))
        let text = try scene.godwit("status").text
        #expect(text.contains("CloudKit production"), "\(text)")
    }

    @Test("a sync error is shown with its next step in the requested language, and with details with --verbose")
    func guidance() throws {
        let full = """
            {"type":"export","startedAt":"2026-11-21T03:00:00Z","endedAt":"2026-11-21T03:00:09Z","succeeded":false,\
            "error":{"domain":"CKErrorDomain","code":25}}
            """
        let scene = try scene(events: Self.event("setup"), Self.event("import"), full)
        let online = ["status", "--account", "available", "--network", "online"]
        func text(_ more: String...) throws -> String {
            try scene.start(online + more).finish().text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        let reported = "last error CKErrorDomain 25: export failed 2 hours ago"
        let (short, long) = (try text(), try text("--verbose"))
        #expect(short.contains("✗ failing") && short.contains(reported))
        #expect(!short.contains("quotaExceeded"))
        #expect(
            long.contains(
                "domain CKErrorDomain, code 25 (quotaExceeded), category quota, repeat it after the next step"))
        #expect(try text("--lang", "ja").contains("iCloudの空き容量を増やす"))
        let absolute = try text("--absolute")
        #expect(absolute.contains("export failed 2026-11-21T03:00:09.000Z") && !absolute.contains(" ago"))
        let json = try scene.start(online + ["--json"]).finish().json()
        #expect(json["lastError", "category"] == "quota")
        #expect(json["lastError", "name"] == "quotaExceeded")
    }

    @Test("history has the counts by entity of each run in JSON, and the error of a failed run")
    func historyCounts() throws {
        let scene = try Scene()
        #expect(try scene.godwit("run", "-q").code == 0)
        let runs = try scene.godwit("history", "--json").json()["runs"]?.items ?? []
        #expect(runs.count == 1)
        #expect(runs.first?["counts", "Workout"] == 40)
        #expect(runs.first?["counts", "ExerciseSet"] == 600)
        #expect(runs.first?["outcome"] == "done")
    }

    @Test("with a damaged cloud store, status exits with 0, export fails, and export --store local works")
    func cloudStoreFails() throws {
        let scene = try scene(events: Self.event("setup"))
        try scene.folder.write("this is no database", to: scene.inFolder(Scene.cloud))
        let status = try scene.godwit("status", "--json")
        #expect(status.code == 0, "\(status.errorText)")
        #expect(try status.json()["choice", "reason"] == "cloudFails")
        #expect(try status.json()["activeStore"] == "local")
        #expect(try scene.godwit("status").text.contains("The cloud store can't be opened"))
        #expect(try scene.godwit("export", "-q").code == 65)
        #expect(try scene.godwit("run", "-q").code == 65)
        #expect(try scene.godwit("export", "-q", "--store", "local").code == 0)
        let refused = try scene.godwit("export", "--store", "other")
        #expect(refused.code == 64, "\(refused.errorText)")
    }

    @Test("export --store names the store in its source")
    func namedStore() throws {
        let scene = try scene(events: Self.event("setup"))
        for role in ["local", "cloud"] {
            let document = try scene.godwit("export", "-q", "--store", role).json()
            #expect(document["source", "store"]?.string == role)
        }
    }

    @Test("with sync off in the app, a run copies nothing, says so, and exits with 0")
    func switchedOff() throws {
        let scene = try Scene()
        let manifest = try String(contentsOfFile: scene.manifest, encoding: .utf8)
        try scene.write(manifest: manifest + "sync: { enabledKey: isSyncEnabled }\n")
        let path = scene.folder[scene.inFolder(Scene.plist)]
        let data = try Data(contentsOf: URL(filePath: path))
        let list = try PropertyListSerialization.propertyList(from: data, options: [], format: nil)
        var values = try #require(list as? [String: Any])
        values["isSyncEnabled"] = false
        try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
            .write(to: URL(filePath: path))
        let run = try scene.godwit("run", "--json")
        #expect(run.code == 0, "\(run.errorText)")
        #expect(try run.json()["copy", "outcome"] == "nothingToDo")
        #expect(try run.json()["notes"]?.items.contains { $0["code"] == "syncOff" } == true)
        let status = try scene.godwit("status", "--json", "--lang", "en").json()
        #expect(status["userStatus", "state"] == "notConfigured")
        #expect(status["choice", "reason"] == "syncOff")
    }
}
