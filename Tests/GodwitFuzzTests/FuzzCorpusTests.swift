import FoundationLite
import GodwitFuzzTargets
import Testing

/// Runs every seed and every former finding through its target, so that none returns.
struct FuzzCorpusTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fuzz").path

    /// An input of a target; tests show its name.
    struct Input: Sendable, CustomTestStringConvertible {
        let target: FuzzTarget
        let path: String

        var testDescription: String { path.split(separator: "/").suffix(3).joined(separator: "/") }
    }

    private static func inputs(_ kind: String) -> [Input] {
        FuzzTarget.allCases.flatMap { target in
            let folder = folder + "/\(kind)/\(target.rawValue)"
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.sorted().map { Input(target: target, path: folder + "/" + $0) }
        }
    }

    @Test("a fuzz target keeps every promise for a seed", arguments: inputs("Corpus"))
    func seed(_ input: Input) throws {
        try input.target.run(Array(try Data(contentsOf: URL(filePath: input.path))))
    }

    @Test("a fuzz target keeps every promise for a former finding", arguments: inputs("Regressions"))
    func regression(_ input: Input) throws {
        try input.target.run(Array(try Data(contentsOf: URL(filePath: input.path))))
    }

    @Test("every fuzz target has seeds, and the seeds are small", arguments: FuzzTarget.allCases)
    func hasSeeds(_ target: FuzzTarget) throws {
        let inputs = Self.inputs("Corpus").filter { $0.target == target }
        // New inputs of a fuzz run are written to .build-fuzz/corpus; thousands of files here would be a mistake.
        #expect((5...40).contains(inputs.count))
        for input in inputs {
            #expect(try Data(contentsOf: URL(filePath: input.path)).count <= 16_384, "\(input.path)")
        }
    }

    @Test("every folder of inputs belongs to a fuzz target", arguments: ["Corpus", "Regressions"])
    func noStrangers(_ kind: String) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder + "/" + kind)
        let strangers = names.filter { FuzzTarget(rawValue: $0) == nil && $0 != "README.md" }
        #expect(strangers.isEmpty)
    }
}
