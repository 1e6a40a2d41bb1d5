import Foundation
import GodwitTestSupport
import Testing

/// `SOURCE_DATE_EPOCH` is a number of seconds, or gives an error that names it.
struct GivenTimeTests {
    private func export(_ scene: Scene, _ epoch: String) throws -> Invocation.Finished {
        try scene.startBare(
            ["export", "-m", scene.manifest, "-c", scene.container, "-q", "-o", scene.folder["home/e.json"]],
            environment: ["SOURCE_DATE_EPOCH": epoch]
        ).finish()
    }

    @Test(
        "SOURCE_DATE_EPOCH from 1970 to 9999 is the time of the export",
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
        "SOURCE_DATE_EPOCH that is not a second of these years is rejected with its name",
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
        // The command line takes precedence over the variable.
        let given = try scene.startBare(
            [
                "export", "-m", scene.manifest, "-c", scene.container, "-q", "--now", Scene.now, "-o",
                scene.folder["home/e.json"],
            ], environment: ["SOURCE_DATE_EPOCH": epoch]
        ).finish()
        #expect(given.code == 0, "\(given.errorText)")
    }

    @Test("SOURCE_DATE_EPOCH does not change what a run writes to the stores")
    func runGoesByTheClock() throws {
        let scene = try Scene(.twoDevices)
        let finished = try scene.startBare(
            ["run", "-m", scene.manifest, "-c", scene.container, "--json"],
            environment: ["SOURCE_DATE_EPOCH": "315532800"]
        ).finish()
        #expect(finished.code == 0, "\(finished.errorText)")
        let report = try #require(JSONSerialization.jsonObject(with: Data(finished.output)) as? [String: Any])
        let run = try #require(report["run"] as? [String: Any])
        #expect((run["startedAt"] as? String)?.hasPrefix("1980") == false)
        #expect(run["clock"] == nil)
        for store in [Scene.local, Scene.cloud] {
            let bytes = try scene.folder.bytes(of: scene.inFolder(store))
            #expect(!String(decoding: bytes, as: UTF8.self).contains("1980-01-01"), "\(store)")
        }
    }

    @Test(
        "commands other than export ignore SOURCE_DATE_EPOCH, valid or not",
        arguments: ["status", "verify", "plan", "dedupe", "history"], ["315532800", "soon"])
    func withoutEffect(_ command: String, _ epoch: String) throws {
        let scene = try Scene(.twoDevices)
        let plain = try scene.startBare([command, "-m", scene.manifest, "-c", scene.container]).finish()
        let other = try Scene(.twoDevices)
        let set = try other.startBare(
            [command, "-m", other.manifest, "-c", other.container], environment: ["SOURCE_DATE_EPOCH": epoch]
        ).finish()
        #expect(set.code == plain.code, "\(set.errorText)")
        #expect(!set.text.contains("1980"))
    }

    @Test("a report names a set clock and its source")
    func named() throws {
        let scene = try Scene(.twoDevices)
        let options = ["-m", scene.manifest, "-c", scene.container]
        let plan = try scene.startBare(["plan", "--now", Scene.now] + options).finish()
        #expect(plan.text.contains("clock set to 2026-11-21 06:00:00 UTC by --now"), "\(plan.text)")
        let status = try scene.startBare(["status", "--now", Scene.now] + options).finish()
        #expect(status.text.contains("clock set to 2026-11-21 06:00:00 UTC by --now"), "\(status.text)")
        let export = try scene.startBare(
            ["export", "-o", scene.folder["home/e.json"]] + options, environment: ["SOURCE_DATE_EPOCH": "315532800"]
        ).finish()
        let history = try scene.startBare(["history", "--now", Scene.now] + options).finish()
        #expect(history.text.contains("clock set to 2026-11-21 06:00:00 UTC by --now"), "\(history.text)")
        let made = try scene.startBare(
            ["init", scene.container, "--now", Scene.now, "-o", scene.folder["home/new"]]
        ).finish()
        #expect(made.text.contains("clock set to 2026-11-21 06:00:00 UTC by --now"), "\(made.text)")
        #expect(export.text.contains("clock set to 1980-01-01 00:00:00 UTC by SOURCE_DATE_EPOCH"), "\(export.text)")
    }
}
