import Foundation
import GodwitTestSupport
import Testing

/// Help, version, and documents that keep up with them.
struct HelpTests {
    /// `import` is not in the other list: it has no container, and does nothing without a document.
    static let commands = MissingInputTests.commands + ["import"]

    private func help(_ arguments: [String]) throws -> String {
        let folder = try TemporaryFolder()
        let finished = try Invocation(arguments, in: folder.path).finish()
        #expect(finished.code == 0, "\(finished.errorText)")
        #expect(finished.errors.isEmpty)
        return finished.text
    }

    @Test("every command explains itself and lists its exit codes", arguments: commands)
    func commandHelp(_ command: String) throws {
        let text = try help([command, "--help"])
        #expect(text.hasPrefix("OVERVIEW: "))
        #expect(text.contains("Exit codes:"))
        let lines = text.split(separator: "\n")
        for code in ["0", "64", "65", "66", "73", "74", "75", "77", "78", "130, 143"] {
            #expect(lines.contains { $0.hasPrefix(code + " ") }, "\(code)")
        }
        for option in ["--manifest", "--container", "--format", "--json", "--quiet", "--lock-timeout", "--now"] {
            #expect(text.contains(option), "\(option)")
        }
    }

    @Test("the help of import says what -o names there, and what is bad data to it")
    func importHelp() throws {
        let text = try help(["import", "--help"]).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(text.contains("-o, --output <store> The new store;"))
        #expect(!text.contains("Write the result") && !text.contains("- is standard output"))
        for part in ["65 bad data: a document that is damaged", "(wrong hash)", "newer reader"] {
            #expect(text.contains(part), "\(part)")
        }
        let plan = try help(["plan", "--help"]).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(plan.contains("Write the result to this new file; - is standard output."))
    }

    @Test("the help of export says what is bad data to it")
    func exportHelp() throws {
        let text = try help(["export", "--help"])
        let codes = try #require(text.range(of: "\n65  ")).upperBound
        let end = try #require(text.range(of: "\n66  ")).lowerBound
        for option in ["--min-records", "--max-shrink", "--since"] {
            #expect(text[codes..<end].contains(option), "\(option)")
        }
    }

    @Test("the root help lists the commands that there are")
    func rootHelp() throws {
        let text = try help(["--help"])
        let section = try #require(text.range(of: "SUBCOMMANDS:\n"))
        let names = text[section.upperBound...].split(separator: "\n").compactMap { line -> String? in
            // Indented by two is a command; deeper is its text, and the last line says how to learn more.
            guard line.hasPrefix("  "), !line.hasPrefix("   "), !line.hasPrefix("  See ") else { return nil }
            return line.split(separator: " ").first.map(String.init)
        }
        #expect(Set(names) == Set(Self.commands))
    }

    @Test("the version is a version")
    func version() throws {
        let text = try help(["--version"])
        #expect(text.wholeMatch(of: /\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?\n/) != nil, "\(text)")
        let manifest = try Scene()
        #expect(
            try manifest.godwit("plan", "--json").json()["run", "godwitVersion"]?.string == text.dropLast().description)
    }

    @Test("every command is documented in the README", arguments: commands)
    func documented(_ command: String) throws {
        let readme = try String(contentsOfFile: Repository.path + "/README.md", encoding: .utf8)
        #expect(readme.contains("godwit \(command)"))
    }

    @Test("every option is documented in the README or docs", arguments: commands)
    func documentedOptions(_ command: String) throws {
        let folder = Repository.path + "/docs"
        var text = try String(contentsOfFile: Repository.path + "/README.md", encoding: .utf8)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".md") {
            text += try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
        }
        let options = Set(try help([command, "--help"]).matches(of: /--[a-z][a-z-]+/).map { String($0.output) })
        #expect(options.filter { !text.contains($0) }.sorted() == [])
    }

    @Test("every exit code of the help is in docs/exit-codes.md")
    func exitCodes() throws {
        let page = try String(contentsOfFile: Repository.path + "/docs/exit-codes.md", encoding: .utf8)
        for code in [0, 1, 2, 3, 64, 65, 66, 73, 74, 75, 77, 78, 130, 143] {
            #expect(page.contains("| \(code) |"), "\(code)")
        }
    }

    @Test("closed standard streams do no harm")
    func closedStreams() throws {
        let scene = try Scene()
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        let line =
            "exec '\(try Executable.path())' run -m '\(scene.manifest)' -c '\(scene.container)' --now \(Scene.now) <&- >&- 2>&-"
        shell.arguments = ["-c", line]
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationReason == .exit)
        #expect(try scene.godwit("run", "--json").json()["outcome"] == "alreadyDone")
        #expect(try scene.open(Scene.cloud).text("PRAGMA integrity_check") == "ok")
    }
}
