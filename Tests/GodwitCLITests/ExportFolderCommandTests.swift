import Foundation
import GodwitTestSupport
import Testing

struct ExportFolderCommandTests {
    private let scene: Scene

    init() throws {
        scene = try Scene(.twoDevices)
        try scene.folder.makeFolder("exports")
    }

    private func export(_ options: [String] = []) throws -> Invocation.Finished {
        try scene.start(["export", "--into", scene.folder["exports"]] + options).finish()
    }

    private var names: [String] { scene.folder.names(in: "exports").sorted() }

    @Test("an export into a folder reports its file and the link, and a second one has another file")
    func exported() throws {
        let before = try scene.fingerprint()
        let first = try export()
        #expect(first.code == 0 && first.errors.isEmpty, "\(first.errorText)")
        #expect(first.text.contains("exports/latest to it\n"))
        let json = try export(["--json"])
        #expect(try json.json()["latest"]?.string == scene.folder["exports/latest"])
        #expect(
            names == [
                "TrainLog-2026-11-21T060000Z-2.json", "TrainLog-2026-11-21T060000Z.json", "exports.jsonl", "latest",
            ])
        try scene.expectUnchanged(since: before)
    }

    @Test("an export in a folder is restored through its link")
    func restored() throws {
        #expect(try export(["--gzip", "-q"]).output.isEmpty)
        let restored = try scene.startBare([
            "import", scene.folder["exports/latest"], "-m", scene.manifest, "-o", scene.folder["new.store"],
        ]).finish()
        #expect(restored.code == 0, "\(restored.errorText)")
    }

    @Test("several exports at once all finish, each with its line in the index")
    func atOnce() throws {
        let started = try (0..<4).map { _ in
            try scene.start(["export", "-q", "--into", scene.folder["exports"], "--lock-timeout", "20m"])
        }
        for call in started {
            let finished = try call.finish()
            #expect(finished.code == 0, "\(finished.errorText)")
        }
        #expect(names.count == 6)
        #expect(try scene.folder.text(of: "exports/exports.jsonl").split(separator: "\n").count == 4)
    }

    @Test("a failed export is recorded in the index, with the usual error")
    func failed() throws {
        let finished = try export(["--min-records", "100000"])
        #expect(finished.code == 65)
        #expect(finished.errorText.hasPrefix("godwit: error: 641 records, fewer than the 100,000"))
        #expect(names == ["exports.jsonl"])
        #expect(try scene.folder.text(of: "exports/exports.jsonl").contains("\"code\":65"))
    }

    @Test(
        "an invalid command line for a folder of exports gives 64",
        arguments: [["-o", "x.json"], ["--replace"], ["-o", "-"], ["--into", ""]])
    func usage(_ options: [String]) throws {
        #expect(try export(options).code == 64)
        #expect(names.isEmpty)
    }
}
