import Foundation
import Testing

/// The pages of the sample apps: the output they show is the output of a run.
struct AppPageTests {
    /// A command shown on a page, with its output.
    struct Transcript: CustomTestStringConvertible, Sendable {
        let app: SampleApp
        let command: String
        let output: String

        var testDescription: String { command }

        /// The container that the command's `-c` is a copy of: `/tmp/deets-two-devices` is a copy of `two-devices`.
        var sample: AppSample? {
            let path = command.split(separator: " ").last ?? ""
            let name = path.dropFirst("/tmp/\(app.name)".count).drop { $0 == "-" }
            return AppSample.all.first { $0.app.name == app.name && $0.name == (name.isEmpty ? "container" : name) }
        }
    }

    static let transcripts: [Transcript] = [SampleApp.luego, .trendy, .deets].flatMap { app in
        let page = (try? String(contentsOfFile: Repository.sample(app.name) + "/README.md", encoding: .utf8)) ?? ""
        return page.components(separatedBy: "```text\n$ ").dropFirst().map { block in
            let lines = block.components(separatedBy: "```")[0].components(separatedBy: "\n")
            return Transcript(app: app, command: lines[0], output: lines.dropFirst().joined(separator: "\n"))
        }
    }

    @Test("each page of the app guide shows at least one run")
    func shown() {
        #expect(Set(Self.transcripts.map(\.app.name)) == ["luego", "trendy", "deets"])
    }

    @Test("a page shows what the command prints, except for times", arguments: transcripts)
    func transcript(_ shown: Transcript) throws {
        let words = shown.command.split(separator: " ").map(String.init)
        let sample = try #require(shown.sample, "\(shown.command)")
        let scene = try sample.makeScene()
        try #require(words.prefix(3) == ["godwit", "run", "-m"] && words.count == 6)
        let finished = try scene.start(["run"]).finish()
        let printed = (finished.text + "\n" + finished.errorText)
            .replacingOccurrences(of: scene.manifest, with: words[3])
            .replacingOccurrences(of: scene.container, with: words[5])
            // The command on the page uses the real clock.
            .replacingOccurrences(of: "  • clock set to 2026-11-21 06:00:00 UTC by --now\n", with: "")
        #expect(normalised(printed) == normalised(shown.output))
    }

    /// The words only: the wrapping depends on the length of paths, and durations on the machine.
    private func normalised(_ text: String) -> [String] {
        let words = text.split { $0 == " " || $0 == "\n" }.map(String.init)
        return words.indices.map { at in
            at + 1 < words.count && words[at + 1].hasPrefix("ms") && Int(words[at]) != nil ? "N" : words[at]
        }
    }
}
