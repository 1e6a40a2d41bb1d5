import GodwitTestSupport
import Testing

/// Only one run at a time.
@Suite(.hangGuard)
struct ConcurrentRunTests {
    @Test("of several runs at once, one does the work and the others find it done", arguments: [2, 10])
    func together(_ count: Int) throws {
        let (scene, single) = (try Scene(.twoDevices), try Scene(.twoDevices))
        let calls = try (0..<count).map { _ in try scene.start(["run", "--json"]) }
        let outcomes = try calls.map { call in
            let finished = try call.finish()
            #expect(finished.code == 0, "\(finished.errorText)")
            return try finished.json()["outcome"]?.string ?? ""
        }
        #expect(outcomes.sorted() == Array(repeating: "alreadyDone", count: count - 1) + ["done"])
        #expect(try single.godwit("run", "-q").code == 0)
        try expectSame(scene, single)
        #expect(try scene.godwit("history", "--json").json()["runs"]?.items.count == 1)
    }

    @Test("runs without a lock timeout exit with 75, and one run does the work")
    func impatient() throws {
        let (scene, single) = (try Scene(.twoDevices), try Scene(.twoDevices))
        let calls = try (0..<10).map { _ in try scene.start(["run", "--lock-timeout", "0ms"]) }
        let finished = try calls.map { try $0.finish() }
        #expect(Set(finished.map(\.code)).isSubset(of: [0, 75]))
        for call in finished where call.code == 75 {
            #expect(call.errorLines.count == 2, "\(call.errorText)")
            #expect(call.output.isEmpty)
        }
        #expect(finished.contains { $0.code == 0 })
        #expect(try single.godwit("run", "-q").code == 0)
        try expectSame(scene, single)
    }

    @Test("a run on a locked container exits with 75 without waiting, and with 0 after the lock is released")
    func held() throws {
        let scene = try Scene()
        let lock = try HeldLock(scene.container)
        try scene.expectRefusal(75, of: ["run", "--lock-timeout", "0ms"], naming: [scene.container])
        try scene.expectRefusal(75, of: ["plan", "--lock-timeout", "200ms"], naming: [scene.container])
        #expect(try scene.godwit("status", "-q").code == 0, "status does not ask for the lock")
        let waiting = try scene.start(["run", "--json"])
        lock.release()
        let finished = try waiting.finish()
        #expect(finished.code == 0, "\(finished.errorText)")
        #expect(try finished.json()["outcome"] == "done")
    }

    private func expectSame(_ one: Scene, _ other: Scene) throws {
        for account in ["available", "noAccount"] {
            let exports = try [one, other].map { scene in
                try ExportText(scene.godwit("export", "-q", "--account", account).text).entities
            }
            #expect(exports[0] != nil)
            #expect(exports[0] == exports[1])
        }
        #expect(try one.godwit("verify", "-q").code == 0)
        #expect(one.leftovers == [])
        #expect(try one.fingerprint().names == other.fingerprint().names)
    }
}
