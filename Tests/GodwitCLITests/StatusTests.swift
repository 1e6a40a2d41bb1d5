import GodwitTestSupport
import Testing

/// What `status` and exports say of the sync, from the events an app left.
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

    @Test("a broken sync is exit 2 where that is asked for, and 0 where it is not")
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

    @Test("a sync that works is exit 0")
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

    @Test("events that are none are warned of, and the status is shown all the same")
    func damagedEvents() throws {
        let scene = try scene(events: "not an event", Self.event("setup"))
        let finished = try scene.godwit("status", "--json")
        #expect(finished.code == 0, "\(finished.errorText)")
        #expect(try finished.json()["warnings"]?.items.isEmpty == false)
    }

    @Test("users are told in their language")
    func japanese() throws {
        let scene = try scene(events: Self.event("setup"))
        let messages = try ["en", "ja"].map { language in
            try scene.godwit("status", "--json", "--lang", language).json()["userStatus", "message"]?.string ?? ""
        }
        let hasKana = messages.map { $0.unicodeScalars.contains { (0x3040...0x30FF).contains($0.value) } }
        #expect(hasKana == [false, true], "\(messages)")
    }
}
