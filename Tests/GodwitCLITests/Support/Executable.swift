import Foundation
import Testing

/// The `godwit` that these tests run: the one that was built with them, or the one that GODWIT_BINARY names.
enum Executable {
    /// The path of a release build to test instead, which `Scripts/test --all` names.
    private static let named = ProcessInfo.processInfo.environment["GODWIT_BINARY"]

    /// Whether the executable is a debug build, which takes several times as long.
    static var isDebugBuild: Bool {
        #if DEBUG
            named == nil
        #else
            false
        #endif
    }

    /// The path of the executable: GODWIT_BINARY, or in the folder of the test bundle.
    static func path() throws -> String {
        if let named {
            try #require(FileManager.default.isExecutableFile(atPath: named), "GODWIT_BINARY: no program at \(named)")
            return named
        }
        let bundles = Bundle.allBundles.filter { $0.bundlePath.hasSuffix(".xctest") }
        let arguments = CommandLine.arguments.prefix(1).map { URL(filePath: $0) }
        let neighbours = bundles.map(\.bundleURL) + [Bundle.main.bundleURL.appending(path: "-")] + arguments
        let candidates = neighbours.map { $0.deletingLastPathComponent().appending(path: "godwit").path }
        return try #require(
            candidates.first { FileManager.default.isExecutableFile(atPath: $0) },
            "There is no godwit beside the tests; looked for \(candidates.joined(separator: ", ")).")
    }
}

/// Places in this repository.
enum Repository {
    /// The top folder.
    static let path = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL.path

    /// The folder of a sample app.
    static func sample(_ app: String) -> String { path + "/SampleData/" + app }

    /// The schema files of a sample app.
    static func migrations(_ app: String) -> String { path + "/Migrations/" + app }
}
