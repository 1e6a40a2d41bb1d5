import GodwitTestSupport
import Testing

/// `SOURCE_DATE_EPOCH`: a number of seconds, or a mistake that is named.
struct GivenTimeTests {
    private func export(_ scene: Scene, _ epoch: String) throws -> Invocation.Finished {
        try scene.startBare(
            ["export", "-m", scene.manifest, "-c", scene.container, "-q", "-o", scene.folder["home/e.json"]],
            environment: ["SOURCE_DATE_EPOCH": epoch]
        ).finish()
    }

    @Test(
        "a second from 1970 to 9999 is the time of the export",
        arguments: [
            ("0", "1970-01-01T00:00:00.000Z"), ("1795240800", "2026-11-21T06:00:00.000Z"),
            ("253402300799", "9999-12-31T23:59:59.000Z"),
        ])
    func taken(_ epoch: String, _ instant: String) throws {
        let scene = try Scene(.twoDevices)
        let finished = try export(scene, epoch)
        #expect(finished.code == 0, "\(finished.errorText)")
        #expect(try scene.folder.text(of: "home/e.json").contains("\"exportedAt\": \"\(instant)\""))
    }

    @Test(
        "milliseconds, and whatever else is no second of those years, are refused by the variable's name",
        arguments: [
            "1795240800000", "253402300800", "-1", "9223372036854775807", "-9223372036854775808",
            "9223372036854775808", "1.5", "2026-11-21",
        ])
    func refused(_ epoch: String) throws {
        let scene = try Scene(.twoDevices)
        let finished = try export(scene, epoch)
        #expect(finished.code == 64)
        #expect(finished.errorText.contains("SOURCE_DATE_EPOCH"), "\(finished.errorText)")
        #expect(!scene.folder.exists("home/e.json"))
        // What is given on the command line goes before it.
        let given = try scene.startBare(
            ["status", "-m", scene.manifest, "-c", scene.container, "-q", "--now", Scene.now],
            environment: ["SOURCE_DATE_EPOCH": epoch]
        ).finish()
        #expect(given.code == 0, "\(given.errorText)")
    }
}
