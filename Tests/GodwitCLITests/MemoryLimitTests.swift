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

    @Test("a verification that runs out of memory found nothing: 65, and not the verdict of a check")
    func outOfMemory() throws {
        let scene = try scene()
        #expect(try scene.godwit("verify", "-q").code == 0)
        let before = try scene.fingerprint()
        // KiB, of which the executable and its libraries take less than half.
        let (code, errors) = try scene.godwit(under: "-v 262144", ["verify", "-q"])
        #expect(code == 65, "\(errors)")
        #expect(errors.contains("too little memory") && errors.contains("ulimit -v"), "\(errors)")
        try scene.expectUnchanged(since: before)
    }
}
