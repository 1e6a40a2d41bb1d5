import Foundation
import Testing

/// The `godwit` that these tests run: the build they belong to, or the one in GODWIT_BINARY.
enum Executable {
    /// The path of a release build to test instead; `Scripts/test --all` sets it.
    private static let named = ProcessInfo.processInfo.environment["GODWIT_BINARY"]

    /// Whether the executable is a debug build, which is several times slower.
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
            "There is no godwit next to the tests; looked for \(candidates.joined(separator: ", ")).")
    }
}

/// Paths in this repository.
enum Repository {
    static let path = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL.path

    static func sample(_ app: String) -> String { path + "/SampleData/" + app }

    static func migrations(_ app: String) -> String { path + "/Migrations/" + app }
}
