import Foundation
import GodwitTestSupport
import Testing

@Suite(.hangGuard)
struct MergeReportsCommandTests {
    private let fleet: FleetFolder

    init() throws {
        fleet = try FleetFolder(5)
        try fleet.scene.folder.makeFolder("reports")
    }

    private func merge(_ arguments: String...) throws -> Invocation.Finished {
        let before = try FolderFingerprint(fleet.path)
        let finished = try fleet.scene.startBare(["merge-reports"] + arguments).finish()
        #expect(try FolderFingerprint(fleet.path).differences(from: before) == [])
        return finished
    }

    /// Runs all three shards, each with a journal and a report.
    private func run(_ arguments: String...) throws {
        for index in 1...3 {
            let words =
                ["run", "--all", fleet.path, "-m", fleet.scene.manifest, "--now", Scene.now, "--shard", "\(index)/3"]
                + ["--journal", fleet.scene.folder["reports/\(index).jsonl"], "--json"]
                + ["-o", fleet.scene.folder["reports/\(index).json"]] + arguments
            let finished = try fleet.scene.startBare(words).finish()
            #expect(finished.code == 0 || !arguments.isEmpty, "\(finished.errorText)")
        }
    }

    private func path(_ name: String) -> String { fleet.scene.folder["reports/" + name] }

    @Test("the shards of a run merge to the fleet, from journals, from reports, and from both")
    func whole() throws {
        try run()
        let merged = try merge(path(""), "--json")
        #expect(merged.code == 0, "\(merged.errorText)")
        let report = try merged.json()
        #expect(report["counts", "completed"] == 5 && report["shards"] == 3 && report["fleet", "containers"] == 5)
        #expect(report["containers"]?.items.compactMap { $0["container"]?.string } == fleet.names)
        #expect(try merge(path("1.json"), path("2.json"), path("3.json"), "--json").json()["counts", "completed"] == 5)
        let mixed = try merge(path("3.jsonl"), path("1.json"), path("2.jsonl"))
        #expect(mixed.code == 0 && mixed.text.contains("merged from 3 shards."), "\(mixed.errorText)")
        #expect(mixed.text.contains("✓ 5 containers: 5 done in"))
    }

    @Test("a missing or repeated part gives 65 with its name, and nothing is written")
    func refused() throws {
        try run()
        let missing = try merge(path("1.jsonl"), path("3.jsonl"), "-o", path("out.txt"))
        #expect(missing.code == 65 && missing.text.isEmpty)
        #expect(missing.errorText.contains("shard 2/3 is missing"))
        #expect(!fleet.scene.folder.exists("reports/out.txt"))
        let twice = try merge(path("1.jsonl"), path("1.json"), path("2.jsonl"), path("3.jsonl"), "--json")
        #expect(twice.code == 65)
        #expect(try JSONValue(twice.errors)["message"]?.string?.contains("shard 1/3 occurs twice") == true)
    }

    @Test("a failed container gives exit code 1, and is a row")
    func failed() throws {
        let damaged = fleet.file("Library/Application Support/TrainLog.store", of: "c")
        try fleet.scene.folder.write("no store", to: damaged)
        try run("--quiet")
        let merged = try merge(path(""), "--format", "junit", "-o", path("out.xml"))
        #expect(merged.code == 1 && merged.output.isEmpty && merged.errors.isEmpty, "\(merged.errorText)")
        let xml = try fleet.scene.folder.text(of: "reports/out.xml")
        #expect(xml.components(separatedBy: "<error ").count == 2)
        #expect(try merge("-q", path("")).code == 1)
    }

    @Test("missing input gives 66, other files 65, and no input 64")
    func inputs() throws {
        #expect(try merge(path("none")).code == 66)
        #expect(try merge(path("")).code == 66)
        try fleet.scene.folder.write("text", to: "reports/x.jsonl")
        #expect(try merge(path("x.jsonl")).code == 65)
        #expect(try merge(path("")).code == 65)
        #expect(try merge().code == 64)
        #expect(try merge("").code == 64)
    }
}
