import Foundation
import GodwitTestSupport
import Testing

/// Help, version, and documents that must agree with them.
struct HelpTests {
    /// `import` is not in the other list: it has no container, and needs an export.
    static let commands = MissingInputTests.commands + ["import", "schedule", "rollback", "reopen"] + bare
    /// These need no manifest.
    static let bare = ["inspect", "init", "freshness", "forget", "merge-reports"]

    private func help(_ arguments: [String]) throws -> String {
        let folder = try TemporaryFolder()
        let finished = try Invocation(arguments, in: folder.path).finish()
        #expect(finished.code == 0, "\(finished.errorText)")
        #expect(finished.errors.isEmpty)
        return finished.text
    }

    @Test("every command has a help text with its exit codes", arguments: commands)
    func commandHelp(_ command: String) throws {
        let text = try help([command, "--help"])
        #expect(text.hasPrefix("OVERVIEW: "))
        #expect(text.contains("Exit codes:"))
        let lines = text.split(separator: "\n")
        let isBare = Self.bare.contains(command)
        // For these commands unreadable data is a finding, or is not touched.
        let knowsBadData = !["freshness", "forget"].contains(command)
        #expect(lines.contains { $0.hasPrefix("65 ") } == knowsBadData)
        for code in ["0", "64", "66", "73", "74", "77", "130, 143"] + (isBare ? [] : ["78"]) {
            #expect(lines.contains { $0.hasPrefix(code + " ") }, "\(code)")
        }
        // A command that only reads reports waits for no lock.
        #expect(lines.contains { $0.hasPrefix("75 ") } == (command != "merge-reports"))
        for option in ["--format", "--json", "--quiet", "--lock-timeout", "--now"] {
            #expect(text.contains(option), "\(option)")
        }
        for option in ["--manifest", "--container"] { #expect(text.contains(option + " <") != isBare, "\(option)") }
    }

    @Test("the help of import explains -o and bad data")
    func importHelp() throws {
        let text = try help(["import", "--help"]).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(text.contains("-o, --output <store> The new store;"))
        #expect(!text.contains("Write the result") && !text.contains("- is standard output"))
        for part in ["65 bad data: an export that is damaged", "(wrong hash)", "newer reader"] {
            #expect(text.contains(part), "\(part)")
        }
        let plan = try help(["plan", "--help"]).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(plan.contains("Write the result to this file, which must not exist; - is standard output."))
    }

    @Test("the help of export explains bad data")
    func exportHelp() throws {
        let text = try help(["export", "--help"])
        let codes = try #require(text.range(of: "\n65  ")).upperBound
        let end = try #require(text.range(of: "\n66  ")).lowerBound
        for option in ["--min-records", "--max-shrink", "--since"] {
            #expect(text[codes..<end].contains(option), "\(option)")
        }
    }

    @Test("the root help lists exactly the commands")
    func rootHelp() throws {
        let text = try help(["--help"])
        let section = try #require(text.range(of: "SUBCOMMANDS:\n"))
        let names = text[section.upperBound...].split(separator: "\n").compactMap { line -> String? in
            // A command is indented by two; its text is indented more, and the last line says how to get more help.
            guard line.hasPrefix("  "), !line.hasPrefix("   "), !line.hasPrefix("  See ") else { return nil }
            return line.split(separator: " ").first.map(String.init)
        }
        #expect(Set(names) == Set(Self.commands))
    }

    @Test("--version prints a semantic version")
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

    /// The output of `--experimental-dump-help`: commands and their arguments.
    private func dumpedCommands() throws -> [JSONValue] {
        let dump = try JSONValue(Array(help(["--experimental-dump-help"]).utf8))
        return (dump["command", "subcommands"]?.items ?? []).filter { $0["commandName"] != "help" }
    }

    /// The section of a page about a command: from its heading to the next one.
    private func section(_ command: String, of page: String) -> Substring? {
        guard let start = page.range(of: "\n.SS \(command)\n")?.upperBound else { return nil }
        let end = page[start...].range(of: "\n.S")?.lowerBound ?? page.endIndex
        return page[start..<end]
    }

    @Test("every command and option, also short names, is in the man page and in docs/cli.md")
    func everyOption() throws {
        let manual = try String(contentsOfFile: Repository.path + "/docs/man/godwit.1", encoding: .utf8)
        let cli = try String(contentsOfFile: Repository.path + "/docs/cli.md", encoding: .utf8)
        let common = manual.components(separatedBy: "\n.SH OPTIONS OF EVERY COMMAND\n").last ?? ""
        let commands = try dumpedCommands()
        #expect(Set(commands.compactMap { $0["commandName"]?.string }) == Set(Self.commands))
        for command in commands {
            let name = try #require(command["commandName"]?.string)
            let own = try #require(section(name, of: manual), "\(name)")
            #expect(cli.contains("| `\(name)") || cli.contains("`\(name) "), "\(name)")
            for argument in command["arguments"]?.items ?? [] where argument["shouldDisplay"]?.bool == true {
                let names = argument["names"]?.items.compactMap { spelling -> String? in
                    let dashes = spelling["kind"] == "short" ? "-" : "--"
                    return spelling["name"]?.string.map { dashes + $0 }
                }
                for spelling in names ?? [] {
                    let escaped = "\\fB" + spelling.replacingOccurrences(of: "-", with: "\\-") + "\\fR"
                    #expect(own.contains(escaped) || common.contains(escaped), "\(name) \(spelling)")
                    guard spelling != "--version" else { continue }
                    #expect(cli.contains("`\(spelling)`") || cli.contains("`\(spelling) "), "\(name) \(spelling)")
                }
            }
        }
    }

    @Test("completion scripts know commands, options, formats and files", arguments: ["bash", "zsh", "fish"])
    func completions(shell: String) throws {
        let script = try help(["--generate-completion-script", shell])
        for word in Self.commands + ["dry-run", "format", "junit", "github", "html", "noAccount", "offline", "yaml"] {
            #expect(script.contains(word), "\(word)")
        }
    }

    @Test("every exit code of the help is in docs/exit-codes.md")
    func exitCodes() throws {
        let page = try String(contentsOfFile: Repository.path + "/docs/exit-codes.md", encoding: .utf8)
        for code in [0, 1, 2, 3, 64, 65, 66, 73, 74, 75, 77, 78, 130, 143] {
            #expect(page.contains("| \(code) |"), "\(code)")
        }
    }

    @Test("closed standard streams are harmless")
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
