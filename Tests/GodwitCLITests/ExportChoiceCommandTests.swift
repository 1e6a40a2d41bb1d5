import Foundation
import GodwitTestSupport
import Testing

/// `godwit export` with options that select records or refuse an export.
struct ExportChoiceCommandTests {
    private func export(_ scene: Scene, _ name: String, _ options: [String]) throws -> Invocation.Finished {
        try scene.start(["export", "-o", scene.folder["home/\(name)"]] + options).finish()
    }

    @Test("an export with unchanged content writes no second file and exits with 0")
    func unchanged() throws {
        let scene = try Scene(.twoDevices)
        #expect(try export(scene, "a.json", ["--if-changed"]).code == 0)
        let again = try export(scene, "b.json", ["--if-changed"])
        #expect(again.code == 0 && again.errors.isEmpty)
        #expect(again.text.hasPrefix("• export   unchanged, nothing was written\n"))
        #expect(again.text.contains("the same content as"))
        #expect(!scene.folder.exists("home/b.json") && scene.leftovers == [])
        let json = try export(scene, "b.json", ["--if-changed", "--json"])
        let report = try JSONSerialization.jsonObject(with: Data(json.text.utf8)) as? [String: Any]
        #expect(report?["unchangedSince"] as? String == scene.folder["home/a.json"])
        #expect(report?["file"] == nil)
    }

    @Test("a suspicious export gives 65 with one line and a hint, and leaves no file")
    func refused() throws {
        let scene = try Scene(.twoDevices)
        for options in [["--min-records", "1000"], ["--min-records=1000", "--gzip"]] {
            let finished = try export(scene, "a.json", options)
            #expect(finished.code == 65)
            #expect(finished.errorText.hasPrefix("godwit: error: 641 records, fewer than the 1,000"))
            #expect(finished.errorText.split(separator: "\n").count == 2)
            #expect(!scene.folder.exists("home/a.json") && scene.leftovers == [])
        }
    }

    @Test("--entity exports only one entity", arguments: [[], ["--lines"]])
    func entity(_ more: [String]) throws {
        let scene = try Scene(.twoDevices)
        let finished = try export(scene, "a.json", ["--entity", "UserSettings", "--entity", "Workout"] + more)
        #expect(finished.code == 0)
        #expect(!finished.text.contains("ExerciseSet"))
        let unknown = try export(scene, "b.json", ["--entity", "Missing"])
        #expect(unknown.code == 64)
        #expect(unknown.errorText.contains("unknown entity 'Missing'"))
    }

    @Test(
        "impossible export options are a usage error",
        arguments: [
            ["--max-shrink", "101%"], ["--max-shrink", "half"], ["--max-shrink", "-1%"], ["--max-shrink", "%"],
            ["--min-records", "-1"], ["--min-records", "many"],
        ])
    func mistakes(_ options: [String]) throws {
        let scene = try Scene(.empty)
        #expect(try export(scene, "a.json", options).code == 64)
    }

    @Test("options that compare with a folder need one", arguments: [["--if-changed"], ["--max-shrink", "50"]])
    func standardOutput(_ options: [String]) throws {
        let scene = try Scene(.twoDevices)
        for output in [[], ["-o", "-"]] {
            let finished = try scene.start(["export"] + output + options).finish()
            #expect(finished.code == 64)
            #expect(finished.errorText.contains("name a file"))
        }
    }
}
