import Foundation
import Testing

/// Results that were checked by a person and committed: `SampleData/<app>/expected/<scenario>/`.
///
/// With GODWIT_UPDATE_EXPECTED=1 in the environment they are written again instead; read the difference before it is
/// committed.
enum Golden {
    static func path(_ name: String, of app: String = "trainlog") -> String {
        Repository.sample(app) + "/expected/" + name
    }

    static var isUpdating: Bool { ProcessInfo.processInfo.environment["GODWIT_UPDATE_EXPECTED"] == "1" }

    /// Expects a text to equal the committed one; reports the first difference.
    static func expect(
        _ text: String, equals name: String, of app: String = "trainlog",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let path = path(name, of: app)
        if isUpdating {
            let folder = URL(filePath: path).deletingLastPathComponent().path
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: URL(filePath: path))
        }
        let wanted = try String(contentsOfFile: path, encoding: .utf8)
        guard text != wanted else { return }
        let (found, expected) = (text.components(separatedBy: "\n"), wanted.components(separatedBy: "\n"))
        let line = zip(found, expected).enumerated().first { $1.0 != $1.1 }?.offset ?? min(found.count, expected.count)
        Issue.record(
            """
            \(name) differs from line \(line + 1) on:
            expected: \(expected.indices.contains(line) ? expected[line] : "the end")
            found:    \(found.indices.contains(line) ? found[line] : "the end")
            """, sourceLocation: sourceLocation)
    }
}

extension JSONValue {
    /// A run report without what differs between runs: identifier, duration, and the path of the test's folder.
    func normalisedReport(in scene: Scene) -> JSONValue {
        var report = mapStrings {
            $0.replacingOccurrences(of: scene.container, with: "CONTAINER")
                .replacingOccurrences(of: scene.manifest, with: "MANIFEST")
        }
        report["run"]?["id"] = "ID"
        report["run"]?["durationMilliseconds"] = 0
        return report
    }
}
