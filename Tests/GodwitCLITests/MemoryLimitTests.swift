import GodwitTestSupport
import Testing

/// A process without enough memory for two large values, one of each store.
struct MemoryLimitTests {
    /// The sample after a copy, with a value of 96 MiB in both stores.
    private func scene() throws -> Scene {
        let scene = try Scene()
        let store = try scene.open(Scene.local)
        try store.execute("UPDATE Workout SET notes = CAST(zeroblob(96 << 20) AS TEXT) WHERE rowid = 1")
        try store.close()
        #expect(try scene.godwit("run", "-q").code == 0)
        return scene
    }

    @Test(
        "a verify that runs out of memory gives an error, not a finding or a crash",
        // In KiB; the executable and its libraries take about 100,000.
        arguments: GeneratedCases.areFew ? [200_000] : [180_000, 200_000, 262_144])
    func outOfMemory(limit: Int) throws {
        let scene = try scene()
        #expect(try scene.godwit("verify", "-q").code == 0)
        let before = try scene.fingerprint()
        // Several times, because threads take memory in a random order.
        for _ in 0..<4 {
            let (code, errors) = try scene.godwit(under: "-v \(limit)", ["verify", "-q"])
            #expect(code == 65, "\(errors)")
            #expect(errors.contains("not enough memory") && errors.contains("ulimit -v"), "\(errors)")
        }
        try scene.expectUnchanged(since: before)
    }
}
