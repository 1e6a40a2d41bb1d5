import Libc
import Foundation
import GodwitTestSupport
import Testing

/// `--all` through the executable: workers are processes, and what kills one costs one container.
@Suite(.hangGuard)
struct FleetCommandTests {
    @Test("run, verify and export process all containers, each with its lines in the journal")
    func everything() throws {
        let fleet = try FleetFolder(5)
        let run = try fleet.start("run", "--journal", fleet.scene.folder["run.jsonl"], "--json").finish()
        #expect(run.code == 0, "\(run.errorText)")
        #expect(run.errors.isEmpty)
        #expect(try run.json()["counts", "completed"] == 5)
        #expect(try fleet.journaled("run.jsonl").sorted() == fleet.names)
        let lines = try fleet.journal("run.jsonl")
        #expect(lines.first?["messageType"] == "fleet")
        #expect(lines.last?["messageType"] == "summary")
        #expect(lines[1]["report", "run", "command"] == "run")
        #expect(try fleet.start("verify").finish().code == 0)
        try fleet.scene.folder.makeFolder("exports")
        let export = try fleet.start("export", "--into", fleet.scene.folder["exports"], "--json").finish()
        #expect(export.code == 0, "\(export.errorText)")
        for name in fleet.names { #expect(fleet.scene.folder.exists("exports/\(name)/latest")) }
        let again = try fleet.start("export", "--into", fleet.scene.folder["exports"], "--if-changed", "--json")
            .finish()
        #expect(try again.json()["counts", "unchanged"] == 5)
    }

    @Test("mapped keys that no container has are named once, and those that one container has are not")
    func absentKeys() throws {
        let fleet = try FleetFolder(3)
        let text = try String(contentsOfFile: fleet.scene.manifest, encoding: .utf8)
            .replacing("  localOnly:", with: "    - { key: pinnedPlans, into: Workout.id }\n  localOnly:")
        try fleet.scene.folder.write(text, to: "home/other.yaml")
        let words = ["run", "--all", fleet.path, "-m", fleet.scene.folder["home/other.yaml"], "--now", Scene.now, "-n"]
        let finished = try fleet.scene.startBare(words).finish()
        #expect(finished.code == 0, "\(finished.errorText)")
        #expect(finished.text.contains("No container has the mapped key 'pinnedPlans'."), "\(finished.text)")
        let report = try fleet.scene.startBare(words + ["--json"]).finish().json()
        #expect(report["absentKeys"]?.items.compactMap(\.string) == ["pinnedPlans"])
        // The first container gets the value.
        let file = fleet.file("Library/Preferences/com.example.trainlog.plist", of: "a")
        var list = try PropertyList.read(fleet.scene.folder[file])
        list["pinnedPlans"] = ["push"]
        let data = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
        try fleet.scene.folder.write(Array(data), to: file)
        #expect(try fleet.scene.startBare(words + ["--json"]).finish().json()["absentKeys"] == nil)
    }

    @Test("a first export equals its plan, and the plan creates no folder")
    func exportDryRun() throws {
        let fleet = try FleetFolder(2)
        let exports = fleet.scene.folder["exports"]
        try fleet.scene.folder.makeFolder("exports")
        let before = try FolderFingerprint(exports)
        let planned = try fleet.start("export", "--into", exports, "-n", "--json").finish()
        #expect(planned.code == 0, "\(planned.errorText)")
        #expect(try planned.json()["counts", "failed"] == 0)
        #expect(try FolderFingerprint(exports).differences(from: before) == [])
        let path = fleet.scene.folder["one.jsonl"]
        #expect(try fleet.start("export", "--into", exports, "-n", "--journal", path).finish().code == 0)
        let file = try fleet.journal("one.jsonl")[1]["report", "file"]?.string
        #expect(file?.hasPrefix(exports + "/") == true)
        try fleet.scene.folder.makeLink("exports/\(fleet.names[0])", to: "nowhere")
        #expect(try fleet.start("export", "--into", exports, "-n").finish().code == 1)
        #expect(try fleet.start("export", "--into", exports).finish().code == 1)
        try fleet.scene.folder.remove("exports/\(fleet.names[0])")
        #expect(try fleet.start("export", "--into", exports).finish().code == 0)
    }

    @Test("a run of all containers changes the same as single runs, and verify changes no byte")
    func same() throws {
        let fleet = try FleetFolder(2)
        #expect(try fleet.start("run").finish().code == 0)
        let before = try FolderFingerprint(fleet.path)
        #expect(try fleet.start("verify").finish().code == 0)
        #expect(try fleet.start("run", "-n").finish().code == 0)
        #expect(try fleet.start("run").finish().code == 0)
        #expect(try FolderFingerprint(fleet.path).differences(from: before) == [])
    }

    @Test("a killed worker is one failed row, and a new run processes only that container")
    func killedWorker() throws {
        let fleet = try FleetFolder(6)
        // The worker for this container waits for the lock, so that the test can kill it.
        let lock = try HeldLock(fleet.path + "/c")
        let journal = fleet.scene.folder["j.jsonl"]
        let call = try fleet.start("run", "--jobs", "1", "--journal", journal, "--lock-timeout", "10m", "--json")
        try wait(for: "a and b are done") { (try? fleet.journaled("j.jsonl")) == ["a", "b"] }
        let workers = fleet.workers(of: call.identifier)
        #expect(workers.count == 1)
        for worker in workers { kill(worker, SIGKILL) }
        let finished = try call.finish()
        #expect(finished.code == 1)
        #expect(!finished.died)
        let report = try finished.json()
        #expect(report["counts", "failed"] == 1)
        #expect(report["counts", "completed"] == 5)
        let row = report["containers"]?.items[2]
        #expect(row?["error", "code"] == 70)
        #expect(row?["error", "message"]?.string?.contains("signal 9") == true)
        lock.release()
        let again = try fleet.start("run", "--jobs", "1", "--journal", journal, "--json").finish()
        #expect(again.code == 0)
        #expect(try again.json()["doneEarlier"] == 5)
        #expect(try fleet.journaled("j.jsonl") == ["a", "b", "c", "d", "e", "f", "c"])
    }

    @Test("a worker that is asked to stop rolls back its container, and another one processes the rest")
    func endedWorker() throws {
        let fleet = try FleetFolder(6)
        let lock = try HeldLock(fleet.path + "/c")
        let journal = fleet.scene.folder["j.jsonl"]
        let call = try fleet.start("run", "--jobs", "1", "--journal", journal, "--lock-timeout", "10m", "--json")
        try wait(for: "a and b are done") { (try? fleet.journaled("j.jsonl")) == ["a", "b"] }
        for worker in fleet.workers(of: call.identifier) { kill(worker, SIGTERM) }
        let finished = try call.finish()
        lock.release()
        #expect(finished.code == 1)
        let report = try finished.json()
        #expect(report["counts", "completed"] == 5)
        #expect(report["containers"]?.items[2]["error", "code"] == 143)
        #expect(try fleet.start("run", "--journal", journal).finish().code == 0)
    }

    @Test("there are as many workers as jobs, even with fewer processors")
    func jobs() throws {
        let fleet = try FleetFolder(9)
        let locks = try fleet.names.map { try HeldLock(fleet.path + "/" + $0) }
        let call = try fleet.start("run", "--jobs", "7", "--lock-timeout", "10m")
        try wait(for: "seven workers") { fleet.workers(of: call.identifier).count == 7 }
        for lock in locks { lock.release() }
        #expect(try call.finish().code == 0)
    }

    @Test("after the main process is killed, the worker ends and the same command resumes")
    func killedCoordinator() throws {
        let fleet = try FleetFolder(4)
        let lock = try HeldLock(fleet.path + "/b")
        let journal = fleet.scene.folder["j.jsonl"]
        let call = try fleet.start("run", "--jobs", "1", "--journal", journal, "--lock-timeout", "10m")
        try wait(for: "a is done") { (try? fleet.journaled("j.jsonl")) == ["a"] }
        let workers = fleet.workers(of: call.identifier)
        #expect(workers.count == 1)
        kill(call.identifier, SIGKILL)
        #expect(try call.finish().died)
        try wait(for: "the worker's end") { workers.allSatisfy { kill($0, 0) != 0 } }
        lock.release()
        let again = try fleet.start("run", "--journal", journal, "--json").finish()
        #expect(again.code == 0)
        #expect(try again.json()["doneEarlier"] == 1)
        #expect(try fleet.journaled("j.jsonl").sorted() == fleet.names)
    }

    @Test(
        "a stop request rolls back the current containers, and the next command resumes from the journal",
        arguments: [SIGTERM, SIGINT])
    func ended(signal: Int32) throws {
        let fleet = try FleetFolder(4)
        let lock = try HeldLock(fleet.path + "/b")
        let journal = fleet.scene.folder["j.jsonl"]
        let call = try fleet.start("run", "--jobs", "1", "--journal", journal, "--lock-timeout", "10m")
        try wait(for: "a is done") { (try? fleet.journaled("j.jsonl")) == ["a"] }
        kill(call.identifier, signal)
        let ended = try call.finish()
        #expect(ended.code == (signal == SIGTERM ? 143 : 130))
        #expect(!ended.died)
        #expect(ended.errorText.contains("cancelled after 1 of 4 containers"))
        lock.release()
        #expect(try fleet.start("run", "--journal", journal).finish().code == 0)
        #expect(try fleet.journaled("j.jsonl").sorted() == fleet.names)
    }

    @Test("a container that another run locks is its own row")
    func locked() throws {
        let fleet = try FleetFolder(3)
        let lock = try HeldLock(fleet.path + "/b")
        let finished = try fleet.start("run", "--lock-timeout", "0s", "--json").finish()
        lock.release()
        #expect(finished.code == 1)
        #expect(try finished.json()["containers"]?.items[1]["error", "code"] == 75)
        #expect(try finished.json()["counts", "completed"] == 2)
    }

    @Test("values in conflict give exit code 3 with --strict, and 0 without it")
    func partial() throws {
        let fleet = try FleetFolder(2, .twoDevices)
        let single = try fleet.scene.godwit("run", "-n", "--strict").code
        #expect(try fleet.start("run", "-n", "--strict").finish().code == single)
        #expect(try fleet.start("run").finish().code == 0)
    }

    @Test("with a journal on standard output, the report is on standard error")
    func lines() throws {
        let fleet = try FleetFolder(2)
        let finished = try fleet.start("run", "-n", "--journal", "-", "--no-color").finish()
        #expect(finished.code == 0)
        let types = try finished.text.split(separator: "\n").map {
            try JSONValue(Array($0.utf8))["messageType"]?.string
        }
        #expect(types == ["fleet", "container", "container", "summary"])
        #expect(finished.errorText.contains("2 containers"))
    }

    @Test("options that do not fit a fleet, or a single container, are rejected")
    func usage() throws {
        let fleet = try FleetFolder(1)
        let folder = fleet.scene.folder
        for words in [
            ["run", "--journal", "x"], ["run", "--jobs", "2"], ["run", "--shard", "1/2"], ["verify", "--shards", "2"],
            ["run", "--all", fleet.path, "--plan", "p.json"], ["run", "--all", ""],
            ["run", "--all", fleet.path, "--jobs", "0"],
            ["run", "--all", fleet.path, "--shard", "0/8"], ["run", "--all", fleet.path, "--shard", "9/8"],
            ["run", "--all", fleet.path, "--shard", "1/8", "--shards", "4"], ["export", "--all", fleet.path],
            ["export", "--all", fleet.path, "--into", folder["home"], "--every", "5m"],
            ["export", "--all", fleet.path, "--into", folder["home"], "--since", "x"],
            ["run", "--all", fleet.path, "-c", "x"],
        ] {
            let finished = try fleet.scene.startBare(words + ["-m", fleet.scene.manifest]).finish()
            #expect(finished.code == 64, "\(words): \(finished.errorText)")
        }
        #expect(try fleet.start("run", "--fleet-worker").finish().code == 0)
    }

    @Test("a journal of something else is rejected and unchanged")
    func foreignJournal() throws {
        let fleet = try FleetFolder(2)
        let journal = fleet.scene.folder["j.jsonl"]
        #expect(try fleet.start("run", "-n", "--journal", journal).finish().code == 0)
        let before = try fleet.scene.folder.text(of: "j.jsonl")
        let other = try fleet.start("verify", "--journal", journal).finish()
        #expect(other.code == 65)
        #expect(other.errorText.contains("differs in the command"))
        #expect(try fleet.start("run", "-n", "--strict", "--journal", journal).finish().code == 65)
        #expect(try fleet.start("run", "-n", "--journal", fleet.scene.manifest).finish().code == 73)
        let store = fleet.scene.folder["fleet/a/" + Scene.local]
        #expect(try fleet.start("run", "-n", "--journal", store).finish().code == 73)
        #expect(try fleet.scene.folder.text(of: "j.jsonl") == before)
    }
}
