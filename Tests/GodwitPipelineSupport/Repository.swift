import GodwitFiles
import FoundationLite

/// The repository that this test was built from; its samples and schema files are read where they are.
package enum Repository {
    private static let root = (0..<3).reduce(#filePath) { path, _ in PathText.directory(of: path) }

    package static func path(_ relative: String) -> String { root + "/" + relative }

    package static func text(_ relative: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: path(relative))), as: UTF8.self)
    }

    /// TrainLog's schema up to a version, 1 or 2.
    package static func schema(version: Int) throws -> String {
        let files = ["V0001__create_store.sql", "V0002__settings_and_favorites.sql"]
        return try files.prefix(version).map { try text("Migrations/trainlog/" + $0) }.joined(separator: "\n")
    }
}
