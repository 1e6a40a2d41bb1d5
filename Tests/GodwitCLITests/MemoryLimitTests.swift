import GodwitTestSupport
import Testing

/// A process that may not have the memory that two large values take, one of each store.
struct MemoryLimitTests {
    /// The sample, copied, with a value of 96 MiB in both stores.
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
        // KiB, of which the executable and its libraries take about a hundred thousand.
        arguments: GeneratedCases.areFew ? [200_000] : [180_000, 200_000, 262_144])
    func outOfMemory(limit: Int) throws {
        let scene = try scene()
        #expect(try scene.godwit("verify", "-q").code == 0)
        let before = try scene.fingerprint()
        // Several times: threads take what there is in an order of their own.
        for _ in 0..<4 {
            let (code, errors) = try scene.godwit(under: "-v \(limit)", ["verify", "-q"])
            #expect(code == 65, "\(errors)")
            #expect(errors.contains("too little memory") && errors.contains("ulimit -v"), "\(errors)")
        }
        try scene.expectUnchanged(since: before)
    }
}
