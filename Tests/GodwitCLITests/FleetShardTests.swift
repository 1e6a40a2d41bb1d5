import Foundation
import GodwitTestSupport
import Testing

/// Shards of a fleet through the executable: each container is in exactly one, however the shard is set.
@Suite(.hangGuard)
struct FleetShardTests {
    /// The containers with lines on standard output.
    private func containers(_ finished: Invocation.Finished) throws -> [String] {
        try finished.text.split(separator: "\n").map { try JSONValue(Array($0.utf8)) }
            .compactMap { $0["entry", "container"]?.string }
    }

    @Test("the shards together are all containers, each once", arguments: [1, 2, 3, 8])
    func whole(count: Int) throws {
        let fleet = try FleetFolder(9)
        var found: [String] = []
        for index in 1...count {
            let finished = try fleet.start("verify", "--journal", "-", "--shard", "\(index)/\(count)").finish()
            #expect(count == 1 || finished.errorText.contains("shard \(index)/\(count) of 9 containers: --shard"))
            found += try containers(finished)
        }
        #expect(found.sorted() == fleet.names)
    }

    @Test(
        "a scheduler's variables give the same shard as --shard",
        arguments: [
            ["SLURM_ARRAY_TASK_ID": "12", "SLURM_ARRAY_TASK_COUNT": "4", "SLURM_ARRAY_TASK_MIN": "10"],
            ["JOB_COMPLETION_INDEX": "2", "JOB_COMPLETIONS": "4"],
            ["AWS_BATCH_JOB_ARRAY_INDEX": "2", "AWS_BATCH_JOB_ARRAY_SIZE": "4"],
            ["SGE_TASK_ID": "5", "SGE_TASK_FIRST": "1", "SGE_TASK_LAST": "7", "SGE_TASK_STEPSIZE": "2"],
        ])
    func schedulers(environment: [String: String]) throws {
        let fleet = try FleetFolder(9)
        let named = try fleet.start("verify", "--journal", "-", "--shard", "3/4").finish()
        let reported = try fleet.start("verify", "--journal", "-", environment: environment).finish()
        #expect(try containers(reported).sorted() == containers(named).sorted())
        #expect(reported.errorText.contains("shard 3/4 of 9 containers"))
        let everything = try fleet.start("verify", "--journal", "-", "--shard", "1/1", environment: environment)
            .finish()
        #expect(try containers(everything).count == 9)
    }

    @Test("PBS gives no number of shards, so --shards is needed")
    func pbs() throws {
        let fleet = try FleetFolder(3)
        #expect(try fleet.start("verify", environment: ["PBS_ARRAY_INDEX": "2"]).finish().code == 64)
        let reported = try fleet.start("verify", "--shards", "2", environment: ["PBS_ARRAY_INDEX": "2"]).finish()
        #expect(reported.errorText.contains("shard 2/2"))
        #expect(try fleet.start("verify", "--shards", "2").finish().code == 64)
    }

    @Test("contradictory variables end the command before it begins")
    func contradiction() throws {
        let fleet = try FleetFolder(2)
        let before = try FolderFingerprint(fleet.path)
        let environment = ["SLURM_ARRAY_TASK_ID": "9", "SLURM_ARRAY_TASK_COUNT": "4", "SLURM_ARRAY_TASK_MIN": "1"]
        #expect(try fleet.start("run", environment: environment).finish().code == 64)
        #expect(try fleet.start("run", environment: ["JOB_COMPLETION_INDEX": "1"]).finish().code == 64)
        #expect(try FolderFingerprint(fleet.path).differences(from: before) == [])
    }

    @Test("a shard without containers is done at once")
    func empty() throws {
        let fleet = try FleetFolder(1)
        let codes = try (1...4).map { try fleet.start("run", "--shard", "\($0)/4").finish().code }
        #expect(codes == [0, 0, 0, 0])
    }

    @Test("a glob, a list and standard input name the same containers as the folder")
    func sources() throws {
        let fleet = try FleetFolder(3)
        let scene = fleet.scene
        try scene.folder.write("../fleet/a\n\n../fleet//b/\n../fleet/c/.", to: "list.txt")
        let common = ["-m", scene.manifest, "--now", Scene.now, "--json"]
        for (source, input) in [("../fleet/*", nil), (scene.folder["list.txt"], nil), ("-", scene.folder["list.txt"])] {
            let call = try Invocation(
                ["run", "-n", "--all", source] + common, in: scene.folder["calls"], input: input,
                directory: scene.folder["home"], environment: ["TMPDIR": scene.folder["tmp"]])
            let finished = try call.finish()
            #expect(finished.code == 0, "\(finished.errorText)")
            let names = try finished.json()["containers"]?.items.map { $0["container"] }
            #expect(names == ["../fleet/a", "../fleet/b", "../fleet/c"])
        }
    }

    @Test("a missing listed container is a row, and a repeated one is processed once with a warning")
    func lists() throws {
        let fleet = try FleetFolder(2)
        let scene = fleet.scene
        try scene.folder.makeLink("also", to: "fleet/a")
        try scene.folder.write("../fleet/a\n../also\n../fleet/none\n../fleet/b\n", to: "list.txt")
        let finished = try scene.startBare(
            ["run", "--all", scene.folder["list.txt"], "-m", scene.manifest, "--now", Scene.now, "--json"]
        ).finish()
        #expect(finished.code == 1)
        #expect(finished.errorText.contains("lead to the same container"))
        let report = try finished.json()
        #expect(report["counts", "completed"] == 2)
        #expect(report["counts", "failed"] == 1)
    }

    @Test("exports of listed containers are at their paths below the folder, and paths that leave it are rejected")
    func exportPlaces() throws {
        let fleet = try FleetFolder(1)
        let scene = fleet.scene
        try scene.folder.makeFolder("exports")
        let arguments = ["export", "--into", scene.folder["exports"], "-m", scene.manifest, "--now", Scene.now]
        try scene.folder.write(fleet.path + "/a\n", to: "absolute.txt")
        #expect(try scene.startBare(arguments + ["--all", scene.folder["absolute.txt"]]).finish().code == 0)
        #expect(scene.folder.exists("exports" + fleet.path + "/a/latest"))
        try scene.folder.write("../fleet/a\n", to: "relative.txt")
        let refused = try scene.startBare(arguments + ["--all", scene.folder["relative.txt"], "--json"]).finish()
        #expect(refused.code == 1)
        #expect(try refused.json()["containers"]?.items.first?["error", "code"] == 64)
    }
}
