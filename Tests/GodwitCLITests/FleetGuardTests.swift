import Foundation
import GodwitTestSupport
import Testing

/// A folder that is no fleet is rejected, and nothing is skipped without a message.
@Suite(.hangGuard)
struct FleetGuardTests {
    @Test("the same names in another folder are another fleet, for journals and for merging")
    func otherFolder() throws {
        let fleet = try FleetFolder(4)
        let folder = fleet.scene.folder
        try FileManager.default.copyItem(atPath: fleet.path, toPath: folder["later"])
        let common = ["-m", fleet.scene.manifest, "--now", Scene.now]
        #expect(try fleet.start("run", "--journal", folder["j.jsonl"]).finish().code == 0)
        let later = ["run", "--all", folder["later"]] + common
        let refused = try fleet.scene.startBare(later + ["--journal", folder["j.jsonl"]]).finish()
        #expect(refused.code == 65)
        #expect(refused.errorText.contains("the folder that names are relative to"))
        // Another spelling of the same folder is the same folder.
        let again = ["run", "--all", folder["fleet/./"]] + common + ["--journal", folder["j.jsonl"]]
        #expect(try fleet.scene.startBare(again).finish().code == 0)
        let first = try fleet.start("verify", "--shard", "1/2", "--journal", folder["1.jsonl"])
        #expect(try first.finish().code == 0)
        let second = ["verify", "--all", folder["later"], "--shard", "2/2", "--journal", folder["2.jsonl"]] + common
        _ = try fleet.scene.startBare(second).finish()
        let merged = try fleet.scene.startBare(["merge-reports", folder["1.jsonl"], folder["2.jsonl"]]).finish()
        #expect(merged.code == 65)
        #expect(merged.errorText.contains("another folder that names are relative to"))
    }

    @Test("the choice of the store is part of the settings that must be equal to resume")
    func otherAccount() throws {
        let fleet = try FleetFolder(1)
        let journal = fleet.scene.folder["j.jsonl"]
        #expect(try fleet.start("run", "-n", "--journal", journal).finish().code == 0)
        #expect(try fleet.start("run", "-n", "--journal", journal, "--account", "noAccount").finish().code == 65)
    }

    @Test(
        "a file that is not a journal is rejected and unchanged, with any start",
        arguments: ["{\"theme\":\"dark\"}", "bplist00", "x", "{\"messageType\":\"run\"}", "\0\0y"])
    func foreignFile(text: String) throws {
        let fleet = try FleetFolder(1)
        try fleet.scene.folder.write(text, to: "settings")
        let finished = try fleet.start("run", "-n", "--journal", fleet.scene.folder["settings"]).finish()
        #expect(finished.code == 65)
        #expect(try fleet.scene.folder.text(of: "settings") == text)
    }

    @Test("a run resumes from a journal with an incomplete header")
    func tornHeader() throws {
        let fleet = try FleetFolder(1)
        for text in ["", "{", "{\"messageType\":\"fleet\",\"app\":\"Tr"] {
            try fleet.scene.folder.write(text, to: "j.jsonl")
            #expect(try fleet.start("run", "-n", "--journal", fleet.scene.folder["j.jsonl"]).finish().code == 0)
            #expect(try fleet.start("run", "-n", "--journal", fleet.scene.folder["j.jsonl"]).finish().code == 0)
        }
    }

    @Test("a complete run is not repeated without a message")
    func finished() throws {
        let fleet = try FleetFolder(2)
        let journal = fleet.scene.folder["j.jsonl"]
        #expect(try fleet.start("run", "-n", "--journal", journal).finish().errors.isEmpty)
        let again = try fleet.start("run", "-n", "--journal", journal).finish()
        #expect(again.code == 0)
        #expect(again.errorText.contains("no container is read again"))
        #expect(again.text.contains("2 were done earlier, by the journal"))
    }

    @Test("a journal that is removed during the run is an error at the end")
    func removedJournal() throws {
        let fleet = try FleetFolder(2)
        let lock = try HeldLock(fleet.path + "/b")
        let call = try fleet.start(
            "run", "--jobs", "1", "--journal", fleet.scene.folder["j.jsonl"], "--lock-timeout", "10m")
        try wait(for: "a is done") { (try? fleet.journaled("j.jsonl")) == ["a"] }
        try fleet.scene.folder.remove("j.jsonl")
        lock.release()
        let finished = try call.finish()
        #expect(finished.code == 74)
        #expect(finished.errorText.contains("was removed, replaced or cut"))
    }

    @Test("warnings of a single run are in the fleet's report, in every format")
    func warnings() throws {
        let fleet = try FleetFolder(2)
        try fleet.scene.folder.remove("fleet/b/" + Scene.plist)
        let single = try fleet.scene.startBare(
            ["run", "-n", "-m", fleet.scene.manifest, "-c", fleet.path + "/b", "--json"]).finish()
        #expect(try single.json()["warnings"]?.items.first?["code"] == "legacyMissing")
        let text = try fleet.start("run", "-n").finish().text
        #expect(text.contains("preferences file"))
        #expect(text.contains("1 with warnings"))
        #expect(try fleet.start("run", "-n", "--format", "html").finish().text.contains("preferences file"))
        #expect(try fleet.start("run", "-n", "--format", "github").finish().text.contains("::warning"))
        let report = try fleet.start("run", "-n", "--json").finish().json()
        #expect(report["containers"]?.items.last?["warnings"]?.items.first?["code"] == "legacyMissing")
        // A strict run stops in the container with the warning, and completes the other; its plan says the same.
        let plan = try fleet.start("run", "-n", "--strict", "--json").finish()
        #expect(plan.code == 3, "\(plan.errorText)")
        #expect(try plan.json()["containers"]?.items.map { $0["verdict"]?.string } == ["completed", "failed"])
        let strict = try fleet.start("run", "--strict", "--json").finish()
        #expect(strict.code == 3, "\(strict.errorText)")
        #expect(try strict.json()["containers"]?.items.map { $0["verdict"]?.string } == ["completed", "failed"])
    }

    @Test("containers reached through links are not processed below a folder")
    func links() throws {
        let fleet = try FleetFolder(2)
        let folder = fleet.scene.folder
        try FileManager.default.moveItem(atPath: folder["fleet/b"], toPath: folder["elsewhere"])
        try folder.makeFolder("fleet/b.xcappdata")
        try folder.makeLink("fleet/b.xcappdata/AppData", to: "../../elsewhere")
        let before = try FolderFingerprint(folder["elsewhere"])
        let finished = try fleet.start("run", "--json").finish()
        #expect(finished.code == 1)
        #expect(try finished.json()["containers"]?.items.last?["error", "code"] == 66)
        #expect(try FolderFingerprint(folder["elsewhere"]).differences(from: before) == [])
    }

    @Test("a container that a link replaced during the run is not processed")
    func swapped() throws {
        let fleet = try FleetFolder(2)
        let folder = fleet.scene.folder
        let lock = try HeldLock(fleet.path + "/a")
        let call = try fleet.start("run", "--jobs", "1", "--lock-timeout", "10m", "--json")
        try wait(for: "a worker") { !fleet.workers(of: call.identifier).isEmpty }
        try FileManager.default.moveItem(atPath: folder["fleet/b"], toPath: folder["elsewhere"])
        try folder.makeLink("fleet/b", to: "../elsewhere")
        let before = try FolderFingerprint(folder["elsewhere"])
        lock.release()
        let report = try call.finish().json()
        #expect(report["containers"]?.items.last?["error", "code"] == 75)
        #expect(try FolderFingerprint(folder["elsewhere"]).differences(from: before) == [])
    }

    @Test("two containers never share a folder for their exports")
    func separateFolders() throws {
        let fleet = try FleetFolder(1)
        let folder = fleet.scene.folder
        try folder.makeFolder("exports")
        let inside = String(fleet.path.dropFirst()) + "/a"
        try FileManager.default.createDirectory(
            atPath: folder["home/" + inside] + "/..", withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: fleet.path + "/a", toPath: folder["home/" + inside])
        try folder.write("\(inside)\n/\(inside)\n", to: "list")
        let common = ["--all", folder["list"], "-m", fleet.scene.manifest, "--now", Scene.now]
        let export = try fleet.scene.startBare(["export", "--into", folder["exports"]] + common).finish()
        #expect(export.code == 64)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder["exports"]).isEmpty)
        #expect(try fleet.scene.startBare(["run", "-n"] + common).finish().code == 0)
    }

    @Test("a store, a property list or JSON is not a list, and its content is not printed")
    func lists() throws {
        let fleet = try FleetFolder(1)
        let stores = [Scene.local, Scene.plist].map { fleet.scene.folder[fleet.file($0, of: "a")] }
        for path in try stores + [Executable.path(), fleet.scene.folder.write("a\u{1B}b", to: "control")] {
            let finished = try fleet.scene.startBare(["run", "-n", "--all", path, "-m", fleet.scene.manifest]).finish()
            #expect(finished.code == 65)
            #expect(finished.output.isEmpty)
            #expect(finished.errorLines.count == 2)
        }
    }

    @Test("folders without files of the app are reported, and are missing input if there are no others")
    func wrongLevel() throws {
        let fleet = try FleetFolder(2)
        let folder = fleet.scene.folder
        try folder.makeFolder("fleet/empty")
        let common = ["-m", fleet.scene.manifest, "--now", Scene.now]
        let some = try fleet.scene.startBare(["run", "-n", "--all", fleet.path + "/*"] + common).finish()
        #expect(some.code == 1 && some.text.contains("1 failed"), "\(some.text)")
        #expect(some.errorText.contains("1 folder named by"))
        let none = try fleet.scene.startBare(["run", "-n", "--all", fleet.path + "/*/Library"] + common).finish()
        #expect(none.code == 66)
    }

    @Test("--quiet prints only failures")
    func quiet() throws {
        let fleet = try FleetFolder(2)
        #expect(try fleet.start("run", "-n", "-q").finish().errors.isEmpty)
        try fleet.scene.folder.write("no store", to: fleet.file(Scene.local, of: "b"))
        let finished = try fleet.start("run", "-n", "-q").finish()
        #expect(finished.code == 1)
        #expect(finished.output.isEmpty)
        #expect(finished.errorText == "godwit: error: 1 of 2 containers failed; the first is `b`\n")
    }
}
