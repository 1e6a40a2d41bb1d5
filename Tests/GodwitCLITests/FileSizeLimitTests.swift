import GodwitTestSupport
import Testing

/// A store that reaches a size limit, as on a full volume, as far as a shell can set such a limit.
struct FileSizeLimitTests {
    /// The journal mode of the cloud store.
    enum Mode: String, CaseIterable { case delete, wal }

    /// The sample; its cloud store has most of the local records, and 8 MB of others.
    private func scene(_ mode: Mode) throws -> Scene {
        let scene = try Scene()
        for command in ["migrate", "dedupe"] { #expect(try scene.godwit(command).code == 0) }
        try scene.folder.write(scene.folder.bytes(of: scene.inFolder(Scene.local)), to: scene.inFolder(Scene.cloud))
        try scene.open(Scene.cloud, journal: mode.rawValue).close()
        try scene.addManyWorkouts()
        return scene
    }

    @Test(
        "a truncated copy gives 74, keeps the cloud store, and can be run again", arguments: Mode.allCases
    )
    func cutOff(_ mode: Mode) throws {
        let scene = try scene(mode)
        let before = try scene.folder.bytes(of: scene.inFolder(Scene.cloud))
        // In blocks of 512 bytes.
        let (code, errors) = try scene.godwit(under: "-f 4000", ["copy"])
        #expect(code == 74 && errors.contains(Scene.cloud), "\(errors)")
        for suffix in ["-journal", "-wal", "-shm"] { #expect(!scene.exists(Scene.cloud + suffix)) }
        #expect(try scene.folder.bytes(of: scene.inFolder(Scene.cloud)) == before)
        #expect(try scene.godwit("run").code == 0)
        #expect(try scene.godwit("verify").code == 0)
    }
}
