import GodwitModel
import Foundation
import GodwitTestSupport
import Testing

/// Stores that another app wrote.
///
/// They are not in this repository; tests that need them are skipped without them.
enum RealStores {
    static let folder = URL(filePath: Repository.path).appending(path: "../shared/real/ddg-bookmarks")
        .standardizedFileURL.path

    static var areHere: Bool { FileManager.default.fileExists(atPath: folder) }

    /// Why tests that need these stores are skipped.
    static let missing: Comment = "../shared/real does not exist"

    /// A store and its tables, read as plain SQLite; any framework may have made them.
    struct Store: CustomTestStringConvertible, Sendable {
        let name: String
        /// The manifest's entities: table, key, rest of the entry.
        let entities: [(table: String, key: String, rest: String)]

        var testDescription: String { name }

        var manifest: String {
            let lines = entities.map { "  \($0.table): { key: \($0.key)\($0.rest) }" }
            return """
                godwit: 1
                app: Browser
                container:
                  preferences: [Library/Preferences/browser.plist]
                  local: Library/Application Support/\(name).sqlite
                  cloud: Library/Application Support/\(name)-cloud.sqlite
                schema: Migrations
                entities:
                \(lines.joined(separator: "\n"))
                copy: { flag: cloudMigrationDone }

                """
        }
    }

    private static let plain: [(table: String, key: String, rest: String)] = [
        ("Z_PRIMARYKEY", "Z_ENT", ""), ("Z_METADATA", "Z_VERSION", ""),
    ]

    static let syncMetadata = Store(
        name: "SyncMetadata_V3",
        entities: [
            ("ZSYNCABLESETTINGSMETADATA", "ZKEY", ", modified: { column: ZLASTMODIFIED, as: coreData }"),
            ("ZSYNCFEATUREENTITY", "ZNAME", ""),
        ] + plain)

    /// All stores; only the third version of the bookmarks has a date.
    static let all =
        [syncMetadata]
        + (1...3).map { version in
            let date = version == 3 ? ", modified: { column: ZMODIFIEDAT, as: coreData }" : ""
            return Store(
                name: "Bookmarks_V\(version)",
                entities: [
                    ("ZBOOKMARKENTITY", "ZUUID", date)
                ] + plain)
        }
}

extension RealStores.Store {
    /// A container with the files as they are, and a manifest and schema file for it.
    func makeContainer() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for name in ["tmp", "calls", "home/Migrations", "home/container/Library/Application Support", "copy"] {
            try folder.makeFolder(name)
        }
        for suffix in ["", "-wal", "-shm"] {
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: "\(RealStores.folder)/\(name).sqlite\(suffix)")))
            try folder.write(bytes, to: "home/container/Library/Application Support/\(name).sqlite\(suffix)")
            if suffix != "-shm" { try folder.write(bytes, to: "copy/\(name).sqlite\(suffix)") }
        }
        try folder.write(manifest, to: "home/godwit.yaml")
        // The schema file is the store's own schema in SQLite: every table and index.
        let store = try SampleStore(folder["copy/\(name).sqlite"])
        let statements = try store.rows("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY type DESC, name")
        try folder.write(
            statements.map { $0[0].readable + ";\n" }.joined(), to: "home/Migrations/V0001__as_the_app_made_it.sql")
        return folder
    }
}
