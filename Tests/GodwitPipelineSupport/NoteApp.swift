import GodwitModel
import Foundation
package import GodwitTestSupport

/// A small app whose schema files a test writes, and whose manifest it may change between two runs.
package struct NoteApp: ManifestApp {
    package static let local = "container/Library/Application Support/Notes.store"
    package static let cloud = "container/Library/Application Support/NotesCloud.store"
    package static let preferences = "container/Library/Preferences/com.example.notes.plist"

    package let folder: TemporaryFolder
    /// The lines below `entities:`.
    package var entities: String
    /// The lines below `legacy:`; empty for no legacy section.
    package var legacy = ""
    /// The preferences files that the manifest names, in their order; the flag goes into the first one.
    package var preferenceNames = ["com.example.notes.plist"]
    /// The file that `local:` names, next to the cloud store.
    package var localName = "Notes.store"
    /// More lines of the manifest.
    package var settings = ""

    /// - Parameter migrations: the SQL of V0001, V0002 and so on.
    package init(entities: String, migrations: [String], preferences: [String: Any] = [:]) throws {
        folder = try TemporaryFolder()
        self.entities = entities
        for name in ["container/Library/Preferences", "container/Library/Application Support", "migrations"] {
            try folder.makeFolder(name)
        }
        for (index, sql) in migrations.enumerated() {
            try folder.write(sql, to: "migrations/V000\(index + 1)__step.sql")
        }
        let list = try PropertyListSerialization.data(fromPropertyList: preferences, format: .binary, options: 0)
        try folder.write(Array(list), to: Self.preferences)
    }

    package var manifest: String {
        """
        godwit: 1
        app: Notes
        container:
          preferences: [\(preferenceNames.map { "Library/Preferences/\($0)" }.joined(separator: ", "))]
          local: Library/Application Support/\(localName)
          cloud: Library/Application Support/NotesCloud.store
        schema: migrations
        entities:
        \(entities)
        \(legacy.isEmpty ? "" : "legacy:\n" + legacy)
        copy: { flag: moved }
        \(settings)

        """
    }

    /// The first column of a query on a copy of a store.
    package func column(_ store: String, _ sql: String) throws -> [String] {
        try StoreCopy(of: folder[store]).store.rows(sql).map { $0[0].readable }
    }
}
