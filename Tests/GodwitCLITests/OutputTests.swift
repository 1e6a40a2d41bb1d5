import Libc
import Foundation
import GodwitTestSupport
import Testing

/// Where results are written, and what happens when they can't be.
struct OutputTests {
    @Test(
        "an export does not overwrite a file", arguments: ["", "{}", "{\"$schema\": \"urn:godwit:schema:export:1\"}"])
    func exportOntoFile(_ content: String) throws {
        let scene = try Scene(.twoDevices)
        let path = scene.folder["home/export.json"]
        try scene.folder.write(content, to: "home/export.json")
        try scene.expectRefusal(73, of: ["export", "-o", path], naming: [path])
    }

    @Test(
        "a file that is not an export is not replaced, even with --replace",
        arguments: [
            "", "my only copy", "{\"$schema\": \"urn:other\"}",
            "{\"$schema\": \"urn:godwit:schema:export:1\",\n \"format\": \"something-else\", \"entities\": []}",
        ])
    func replaceOther(_ content: String) throws {
        let scene = try Scene(.twoDevices)
        let path = scene.folder["home/notes.json"]
        try scene.folder.write(content, to: "home/notes.json")
        try scene.expectRefusal(73, of: ["export", "--replace", "-o", path], naming: [path])
    }

    @Test("a slow reader of an export blocks neither runs nor the app")
    func slowReader() throws {
        let scene = try Scene(.twoDevices)
        let pipe = scene.folder["home/pipe"]
        try #require(mkfifo(pipe, 0o600) == 0)
        // Opened for both, so that opening doesn't wait; the export is larger than a pipe's buffer.
        let reader = try #require(FileHandle(forUpdatingAtPath: pipe))
        let export = try scene.start(["export", "-q"], output: pipe)
        let first = try #require(try reader.read(upToCount: 1))
        #expect(try scene.godwit("run", "-q", "--lock-timeout", "0").code == 0)
        let store = try SampleStore(scene.path(Scene.local))
        try store.execute("INSERT INTO FavoriteExercise VALUES ('slow', NULL, '2026-11-21')")
        var text = first
        while !text.suffix(4).elementsEqual("\"}}\n".utf8) { text += reader.availableData }
        let finished = try export.finish()
        #expect(finished.code == 0, "\(finished.errorText)")
        #expect(try JSONValue(Array(text))["format"] == "godwit-export")
    }

    // The message must name the user's path, not Godwit's temporary file next to it.
    @Test("an export into a missing folder gives 73")
    func noFolder() throws {
        let scene = try Scene(.twoDevices)
        let path = scene.folder["home/nowhere/export.json"]
        try scene.expectRefusal(73, of: ["export", "-o", path], naming: [path])
    }

    @Test("an export onto a store of the container gives 73")
    func ontoStore() throws {
        let scene = try Scene(.twoDevices)
        for options in [["-o", scene.path(Scene.local)], ["--replace", "-o", scene.path(Scene.local)]] {
            try scene.expectRefusal(73, of: ["export"] + options, naming: [scene.path(Scene.local)])
        }
    }

    @Test(
        "a report is not written to a path of the app's own files, existing or not",
        arguments: ["plan", "run", "status", "history", "verify", "copy"],
        [Scene.cloud, Scene.cloud + "-wal", Scene.local + "-journal"])
    func reportOntoStore(_ command: String, _ name: String) throws {
        let scene = try Scene()
        try scene.expectRefusal(73, of: [command, "-o", scene.path(name)], naming: [scene.path(name)])
    }

    @Test("an output must not have a name like Godwit's temporary files", arguments: ["export", "plan", "status"])
    func reservedName(_ command: String) throws {
        let scene = try Scene(.twoDevices)
        let path = scene.folder["home/.godwit-out-0123ABCD"]
        try scene.expectRefusal(73, of: [command, "-o", path], naming: [path])
    }

    @Test("a path that is too long is shown truncated", arguments: [300, 100_000])
    func longPath(_ length: Int) throws {
        let scene = try Scene()
        let finished = try scene.startBare(["plan", "-c", "/" + String(repeating: "x", count: length)]).finish()
        #expect(finished.code == 66)
        #expect(finished.errorLines.count == 2)
        #expect(finished.errors.count < 3000)
    }

    @Test(
        "a usage error shows control characters escaped",
        arguments: ["--\u{1B}[31m", "--format=\u{1B}]0;x\u{7}", "a\u{202E}b\nc", "--now=\u{7}"])
    func hostileWord(_ word: String) throws {
        let scene = try Scene()
        let finished = try scene.start(["plan", word]).finish()
        #expect(finished.code == 64)
        #expect(finished.errorText.hasPrefix("godwit: error: "))
        #expect(
            finished.errorText.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
        #expect(!finished.errorText.unicodeScalars.contains("\u{202E}"))
    }

    @Test("a usage error of any length is shown truncated")
    func longWord() throws {
        let scene = try Scene()
        let long = try scene.start(["plan", "--" + String(repeating: "x", count: 20_000)]).finish()
        #expect(long.code == 64)
        #expect(long.errors.count < 1000)
    }

    #if os(Linux)
        @Test("a result that cannot be written gives 74", arguments: ["export", "plan", "status", "history"])
        func unwritable(_ command: String) throws {
            let scene = try Scene(.twoDevices)
            try scene.expectRefusal(74, of: [command], naming: ["standard output"], output: "/dev/full")
        }

        @Test("a run whose report cannot be written gives 74, and the next one reports it done")
        func unwritableRun() throws {
            let scene = try Scene()
            #expect(try scene.godwit("run", output: "/dev/full").code == 74)
            #expect(try scene.godwit("run", "--json").json()["outcome"] == "alreadyDone")
        }
    #endif

    @Test("an error is JSON on request", arguments: [["--format", "json"], ["--json"]])
    func errorAsJSON(_ format: [String]) throws {
        let scene = try Scene()
        try scene.folder.remove("home/container")
        let finished = try scene.start(["run"] + format).finish()
        #expect(finished.code == 66)
        #expect(finished.output.isEmpty)
        let error = try JSONValue(finished.errors)
        #expect(error["messageType"] == "error")
        #expect(error["code"] == 66)
        #expect(error["stage"] == "container")
        #expect(error["message"]?.string?.contains("no container at") == true)
        #expect(error["hint"]?.string?.isEmpty == false)
        #expect(error["report", "outcome"] == "failed")
        #expect(finished.errorLines.count == 1)
    }

    @Test("a run that is rejected before its first write gives a report without changes")
    func emptyReport() throws {
        let scene = try Scene()
        try SampleStore.make(
            scene.path(Scene.local), "UPDATE ExerciseSet SET workoutId = 'NOWHERE' WHERE rowid = 1")
        let finished = try scene.godwit("run", "--json")
        #expect(finished.code == 65)
        let error = try JSONValue(finished.errors)
        #expect(error["stage"] == "copy")
        #expect(error["report", "outcome"] == "failed")
        for stage in ["schema", "legacy", "copy"] { #expect(error["report", stage] == nil) }
    }

    @Test(
        "an invalid command line gives 64, and nothing is done",
        arguments: [
            ["run", "--dry-rnu"], ["rnu"], ["run", "--lock-timeout", "soon"], ["run", "--now", "yesterday"],
            ["run", "--json", "--format", "text"], ["run", "-q", "-v"], ["status", "--lang", "tlh"],
            ["export", "--format", "xml"], ["run", "--account", "maybe"], ["run", "extra"],
        ])
    func usage(_ arguments: [String]) throws {
        let scene = try Scene()
        let before = try scene.fingerprint()
        let finished = try scene.start(arguments).finish()
        #expect(finished.code == 64, "\(finished.errorText)")
        #expect(finished.output.isEmpty)
        #expect(
            finished.errorText.hasPrefix(
                arguments.contains("--json") ? "{\"messageType\":\"error\"" : "godwit: error: "))
        try scene.expectUnchanged(since: before)
    }

    @Test(
        "--quiet prints nothing, and color goes only to terminals",
        arguments: ["run", "plan", "status", "history", "verify"])
    func quiet(_ command: String) throws {
        let scene = try Scene()
        let quiet = try scene.godwit(command, "--quiet")
        #expect(quiet.output.isEmpty && quiet.errors.isEmpty)
        let loud = try scene.godwit(command, "--verbose")
        #expect(!loud.output.isEmpty)
        #expect(!loud.output.contains(0x1B) && !loud.errors.contains(0x1B))
        let lines = loud.errorText.split(separator: "\n")
        #expect(lines.allSatisfy { $0.hasPrefix("godwit: ") }, "\(loud.errorText)")
    }

    @Test("a report is written to its file, and an existing file is reported before anything is done")
    func reportIntoFile() throws {
        let scene = try Scene()
        let finished = try scene.godwit("run", "-o", scene.folder["report.txt"])
        #expect(finished.code == 0, "\(finished.errorText)")
        #expect(try scene.folder.text(of: "report.txt").hasPrefix("godwit run: TrainLog"))

        let other = try Scene()
        try other.folder.write("my only copy", to: "home/report.txt")
        let path = other.folder["home/report.txt"]
        for command in ["run", "plan", "migrate", "dedupe", "copy", "verify", "status", "history"] {
            try other.expectRefusal(73, of: [command, "-o", path], naming: [path])
        }
    }

    @Test("a saved plan is JSON unless text is requested")
    func savedPlan() throws {
        let scene = try Scene()
        #expect(try scene.godwit("plan", "-o", scene.folder["plan.json"]).code == 0)
        #expect(try scene.folder.text(of: "plan.json").hasPrefix("{"))
        #expect(try scene.godwit("plan", "--format", "text", "-o", scene.folder["plan.txt"]).code == 0)
        #expect(try scene.folder.text(of: "plan.txt").hasPrefix("godwit plan: TrainLog"))
    }
}
