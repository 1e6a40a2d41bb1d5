import Foundation
package import Godwit
package import GodwitModel
package import GodwitTestSupport

/// A small app whose schema files a test writes itself, and whose manifest it may change between two runs.
package struct NoteApp {
    package static let local = "container/Library/Application Support/Notes.store"
    package static let cloud = "container/Library/Application Support/NotesCloud.store"
    package static let preferences = "container/Library/Preferences/com.example.notes.plist"

    package let folder: TemporaryFolder
    /// The lines below `entities:`.
    package var entities: String
    /// The lines below `legacy:`; none for no legacy section.
    package var legacy = ""

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

    private var manifest: String {
        """
        godwit: 1
        app: Notes
        container:
          preferences: [Library/Preferences/com.example.notes.plist]
          local: Library/Application Support/Notes.store
          cloud: Library/Application Support/NotesCloud.store
        schema: migrations
        entities:
        \(entities)
        \(legacy.isEmpty ? "" : "legacy:\n" + legacy)
        copy: { flag: moved }

        """
    }

    package func pipeline(_ change: (inout PipelineOptions) -> Void = { _ in }) throws -> Pipeline {
        var options = PipelineOptions()
        (options.now, options.lockTimeoutMilliseconds) = (.sampleNow, 0)
        change(&options)
        return try Pipeline(
            manifest: .load(path: folder.write(manifest, to: "godwit.yaml")),
            container: .directory(folder["container"]), options: options)
    }

    @discardableResult
    package func perform(
        _ command: Command = .run, dryRun: Bool = false, _ change: (inout PipelineOptions) -> Void = { _ in }
    ) throws -> RunReport {
        try pipeline(change).perform(command, dryRun: dryRun)
    }

    /// Lets the app write into a store, which is made if it is not there.
    package func write(_ store: String, _ sql: String) throws {
        let opened = try SampleStore(folder[store])
        try opened.execute(sql)
        try opened.close()
    }

    /// The first column of a query on a copy of a store.
    package func column(_ store: String, _ sql: String) throws -> [String] {
        try StoreCopy(of: folder[store]).store.rows(sql).map { $0[0].readable }
    }
}
