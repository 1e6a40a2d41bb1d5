import Foundation
import GodwitTestSupport
import Testing

/// `--format`: each form of each command that has it, with errors, and the summary of a workflow's step.
struct ReportFormatCommandTests {
    private static let migration = ["plan", "run", "migrate", "dedupe", "copy", "verify"]

    @Test("the pipeline commands and status have every format", arguments: migration + ["status"])
    func everyForm(_ command: String) throws {
        for (format, start) in [("junit", "<?xml"), ("github", "::group::godwit "), ("html", "<!DOCTYPE html>\n")] {
            let scene = try Scene(.twoDevices)
            let finished = try scene.godwit(command, "--format", format)
            // `verify` finds differences in a container that was never run.
            #expect(finished.code == (command == "verify" ? 1 : 0), "\(finished.errorText)")
            #expect(finished.text.hasPrefix(start))
            #expect(finished.errors.isEmpty)
        }
    }

    @Test(
        "other commands list their formats", arguments: ["history", "export", "import"],
        ["junit", "github", "html"])
    func someForms(_ command: String, _ format: String) throws {
        let scene = try Scene(.twoDevices)
        let input = command == "import" ? [scene.folder["home/none.json"], "-n"] : []
        let finished = try scene.start([command, "--format", format] + input).finish()
        let offered = command == "history" ? format == "html" : format != "html"
        guard !offered else { return #expect(finished.code != 64, "\(finished.errorText)") }
        #expect(finished.code == 64)
        let others = command == "history" ? "text, json, html" : "text, json, junit, github"
        #expect(
            finished.errorText.hasPrefix("godwit: error: `godwit \(command)` has no \(format) report; it has \(others)")
        )
    }

    @Test("a report in another format is written to its file", arguments: ["junit", "html"])
    func intoFile(_ format: String) throws {
        let scene = try Scene()
        let path = scene.folder["report"]
        let finished = try scene.godwit("plan", "--format", format, "-o", path)
        #expect(finished.code == 0 && finished.output.isEmpty && finished.errors.isEmpty)
        #expect(try scene.folder.text(of: "report").hasPrefix(format == "junit" ? "<?xml" : "<!DOCTYPE html>"))
    }

    @Test("an error is a document in place of the report, and a line on standard error")
    func errorDocument() throws {
        let scene = try Scene()
        try scene.edit("app: TrainLog", "ap: TrainLog")
        for (format, part) in [
            ("junit", "<error type=\"exit 78\""), ("html", "<dt>At</dt><dd>\(scene.manifest):5:1</dd>"),
            ("github", "::error file=\(scene.manifest),line=5,col=1,title=godwit%3A manifest::"),
        ] {
            let finished = try scene.godwit("plan", "--format", format)
            #expect(finished.code == 78)
            #expect(finished.text.contains(part), "\(finished.text)")
            #expect(finished.errorLines.first?.hasPrefix("godwit: error: ") == true)
            #expect(finished.errorLines.count == 2)
            let path = scene.folder["report.\(format)"]
            let filed = try scene.godwit("plan", "--format", format, "-o", path)
            #expect(filed.code == 78 && filed.output.isEmpty)
            #expect(try scene.folder.text(of: "report.\(format)").contains(part))
        }
    }

    @Test("an error of an export to standard output goes to standard error")
    func errorBesideExport() throws {
        let scene = try Scene()
        try scene.folder.write("this is no SQLite store", to: "home/container/" + Scene.local)
        for (format, part) in [("github", "::error"), ("junit", "<error ")] {
            let finished = try scene.start(["export", "--format", format]).finish()
            #expect(finished.code == 65)
            #expect(finished.output.isEmpty)
            #expect(finished.errorText.contains(part))
        }
    }

    @Test("a usage error is a document too, but never in a file that the command names")
    func usageDocument() throws {
        let scene = try Scene()
        let finished = try scene.start(["plan", "--format", "junit", "--nonsense"]).finish()
        #expect(finished.code == 64)
        #expect(finished.text.contains("<error type=\"exit 64\""))
        #expect(finished.errorText.hasPrefix("godwit: error: "))
        let path = scene.folder["report.xml"]
        let filed = try scene.start(["plan", "--format", "junit", "--nonsense", "-o", path]).finish()
        #expect(filed.code == 64 && filed.output.isEmpty)
        #expect(!scene.folder.exists("report.xml"))
    }

    @Test("an error document is not written to an existing file or a path of the app")
    func errorIntoFile() throws {
        let scene = try Scene()
        try scene.folder.write("my only copy", to: "home/report.xml")
        for format in ["junit", "github", "html"] {
            for name in [scene.folder["home/report.xml"], scene.path(Scene.cloud)] {
                try scene.expectRefusal(73, of: ["plan", "--format", format, "-o", name], naming: [name])
            }
        }
    }

    @Test("an error in a schema file has the file's path from the checkout")
    func schemaPlace() throws {
        let scene = try Scene()
        try scene.folder.write("CREATE TABLE;", to: "home/Migrations/V0003__broken.sql")
        let finished = try scene.start(
            ["plan", "--format", "github"], environment: ["GITHUB_WORKSPACE": scene.folder.path]
        ).finish()
        #expect(finished.code == 65)
        let start = "::error file=home/Migrations/V0003__broken.sql,line=1,col=13,title=godwit%3A schema::"
        #expect(finished.text.hasPrefix(start))
        let json = try JSONValue(try scene.godwit("plan", "--json").errors)
        #expect(json["place", "file"]?.string?.hasSuffix("/home/Migrations/V0003__broken.sql") == true)
    }

    @Test("an edited schema file is the position of its error")
    func divergent() throws {
        let scene = try Scene()
        #expect(try scene.godwit("migrate", "-q").code == 0)
        let name = try #require(scene.folder.names(in: "home/Migrations").first { $0.hasPrefix("V0001") })
        let text = try scene.folder.text(of: "home/Migrations/\(name)")
        try scene.folder.write(text + "-- edited\n", to: "home/Migrations/\(name)")
        let json = try JSONValue(try scene.godwit("plan", "--json").errors)
        #expect(json["code"] == 65)
        #expect(json["place", "file"]?.string?.hasSuffix("/home/Migrations/\(name)") == true)
    }

    @Test("a document has a failure or an error exactly if the exit code is not 0")
    func verdicts() throws {
        let scene = try Scene()
        for arguments in [
            ["plan"], ["plan", "--exit-code"], ["plan", "--strict"], ["verify"], ["status", "--exit-code"], ["run"],
            ["verify"], ["plan", "--exit-code"], ["status"], ["plan", "--baseline", "900"],
        ] {
            let finished = try scene.start(arguments + ["--format", "junit"]).finish()
            let isBad = finished.text.contains("<failure ") || finished.text.contains("<error ")
            #expect(isBad == (finished.code != 0), "\(arguments): \(finished.code)")
        }
    }

    // MARK: The summary of a step

    private func summary(_ scene: Scene) -> [String: String] { ["GITHUB_STEP_SUMMARY": scene.folder["summary.md"]] }

    @Test("a step summary is appended to those of other commands, with success and with failure")
    func summaries() throws {
        let scene = try Scene()
        try scene.folder.write("# before\n\n", to: "summary.md")
        for command in ["plan", "run", "verify"] {
            #expect(try scene.start([command, "--format", "github"], environment: summary(scene)).finish().code == 0)
        }
        try scene.folder.remove("home/container")
        #expect(try scene.start(["verify", "--format", "github"], environment: summary(scene)).finish().code == 66)
        let text = try scene.folder.text(of: "summary.md")
        #expect(
            text.split(separator: "\n").filter { $0.hasPrefix("#") && !$0.hasPrefix("###") } == [
                "# before", "## ➡️ godwit plan: TrainLog", "## ✅ godwit run: TrainLog", "## ✅ godwit verify: TrainLog",
                "## ❌ godwit verify: TrainLog",
            ])
    }

    @Test("a missing step summary is created, and other formats do not write it")
    func madeSummary() throws {
        let scene = try Scene()
        for format in ["text", "json", "junit", "html"] {
            #expect(try scene.start(["plan", "--format", format], environment: summary(scene)).finish().code == 0)
            #expect(!scene.folder.exists("summary.md"))
        }
        #expect(try scene.start(["plan", "--format", "github", "-q"], environment: summary(scene)).finish().code == 0)
        #expect(try scene.folder.text(of: "summary.md").hasPrefix("## "))
    }

    @Test(
        "an unusable step summary is reported and kept, and the command continues",
        arguments: ["other store", "link", "pipe", "full", "folder"])
    func noSummary(_ kind: String) throws {
        let scene = try Scene()
        let path = scene.folder["summary.md"]
        switch kind {
        case "other store": try SampleStore.make(path, "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
        case "link":
            try scene.folder.write("text", to: "elsewhere.md")
            try scene.folder.makeLink("summary.md", to: scene.folder["elsewhere.md"])
        case "pipe": try scene.folder.makeFIFO("summary.md")
        case "full": try scene.folder.write(String(repeating: "x", count: 1 << 20), to: "summary.md")
        default: try scene.folder.makeFolder("summary.md")
        }
        let before = try FolderFingerprint(scene.folder.path)
        let finished = try scene.start(
            ["plan", "--format", "github"], environment: ["GITHUB_STEP_SUMMARY": path]
        ).finish()
        #expect(finished.code == 0)
        #expect(finished.text.contains("::group::"))
        #expect(finished.errorLines.first?.hasPrefix("godwit: error: ") == true, "\(finished.errorText)")
        let differences = try FolderFingerprint(scene.folder.path).differences(from: before)
        #expect(differences.filter { !$0.contains("calls") && !$0.contains("tmp") } == [])
    }

    @Test("a step summary begins on its own line after any earlier text")
    func ownLine() throws {
        let scene = try Scene()
        try scene.folder.write("no newline", to: "summary.md")
        #expect(try scene.start(["plan", "--format", "github"], environment: summary(scene)).finish().code == 0)
        #expect(try scene.folder.text(of: "summary.md").hasPrefix("no newline\n## "))
    }

    @Test(
        "a step summary with a path of the app gives 73, and nothing is done",
        arguments: ["plan", "run", "status"])
    func reservedSummary(_ command: String) throws {
        let scene = try Scene()
        try scene.folder.makeLink("schema.md", to: "home/Migrations/V0001__create_store.sql")
        let sources = ["home/godwit.yaml", "home/Migrations/V0001__create_store.sql", "schema.md"]
        let texts = try sources.map { try scene.folder.bytes(of: $0) }
        let own = [Scene.local, Scene.cloud, Scene.cloud + "-wal", Scene.plist].map(scene.path)
        for path in own + sources.map({ scene.folder[$0] }) {
            let before = try scene.fingerprint()
            let finished = try scene.start(
                [command, "--format", "github"], environment: ["GITHUB_STEP_SUMMARY": path]
            ).finish()
            #expect(finished.code == 73)
            #expect(finished.errorLines.first?.contains(path) == true)
            try scene.expectUnchanged(since: before)
        }
        #expect(try sources.map { try scene.folder.bytes(of: $0) } == texts)
    }
}
