import Foundation
import Testing

/// The `godwit` that was built along with these tests.
enum Executable {
    /// Its path: it lies in the folder of the test bundle.
    static func path() throws -> String {
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
