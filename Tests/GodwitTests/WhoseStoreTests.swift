import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// A manifest that named the wrong local store when the copy was made, and is corrected.
struct WhoseStoreTests {
    private static let create = "CREATE TABLE Note(id TEXT PRIMARY KEY, title TEXT, at TEXT);"
    private static let folder = "container/Library/Application Support/"
    private static let right = "INSERT INTO Note VALUES ('a', 'one', '2026-01-01'), ('b', 'two', '2026-01-02');"
    private static let wrong = "INSERT INTO Note VALUES ('a', 'one', '2026-01-01'), ('z', 'old', '2025-01-01');"

    /// An app whose copy was made of `Old.store` though its records are in `Notes.store`.
    private func copiedWrongly() throws -> NoteApp {
        var app = try NoteApp(entities: "  Note: { key: id, modified: at }", migrations: [Self.create])
        app.localName = "Old.store"
        try app.write(Self.folder + "Old.store", Self.create + Self.wrong)
        try app.write(NoteApp.local, Self.create + Self.right)
        try app.perform()
        app.localName = "Notes.store"
        return app
    }

    /// An app whose copy was made of `Notes.store`.
    private func copied() throws -> NoteApp {
        let app = try NoteApp(entities: "  Note: { key: id, modified: at }", migrations: [Self.create])
        try app.write(NoteApp.local, Self.create + Self.right)
        try app.perform()
        return app
    }

    private func keys(_ app: NoteApp) throws -> [String] {
        try app.column(NoteApp.cloud, "SELECT id FROM Note ORDER BY id")
    }

    @Test("a corrected path is refused with the way on, and reopen and run copy its records")
    func corrected() throws {
        let app = try copiedWrongly()
        let before = try FolderFingerprint(app.folder["container"])
        for command in [Command.run, .copy] {
            for dryRun in [true, false] {
                let error = try #require(failure { try app.perform(command, dryRun: dryRun) })
                #expect(error.code == .data)
                #expect(error.message.contains("Old.store") && error.message.contains("records of `Note`"))
                #expect(error.hint?.contains("`Migration.reopen()`") == true)
            }
        }
        let status = try app.migration().status()
        #expect(status.warnings.map(\.code) == ["copyOfOtherStore"] && status.nextSteps.count == 1)
        #expect(failure { try app.perform(.verify) }?.hint?.contains("`Migration.reopen()`") == true)
        #expect(try FolderFingerprint(app.folder["container"]).differences(from: before) == [])
        try app.write(NoteApp.cloud, "DELETE FROM Note WHERE id = 'z'")
        _ = try app.migration().reopen(dryRun: false)
        #expect(try app.perform().outcome == .done)
        #expect(try keys(app) == ["a", "b"])
        #expect(try app.perform().outcome == .alreadyDone)
    }

    @Test(
        "stores that are alike at both ends are seen as different, and so is an older copy of the same store",
        arguments: [
            (
                "('a', 'x', '2026-01-01'), ('m', 'x', '2026-01-01'), ('z', 'x', '2026-01-01')",
                "('a', 'x', '2026-01-01'), ('n', 'new', '2026-01-01'), ('z', 'x', '2026-01-01')"
            ),
            (
                "('1', 'old', '2026-01-01'), ('2', 'old', '2026-01-01')",
                "('1', 'new', '2026-02-01'), ('2', 'new', '2026-02-01')"
            ),
            ("('a', 'old', '2026-01-01')", "('a', 'edited', '2026-01-02')"),
        ])
    func alike(_ stores: (wrong: String, right: String)) throws {
        var app = try NoteApp(entities: "  Note: { key: id, modified: at }", migrations: [Self.create])
        app.localName = "Old.store"
        try app.write(Self.folder + "Old.store", Self.create + "INSERT INTO Note VALUES \(stores.wrong)")
        try app.write(NoteApp.local, Self.create + "INSERT INTO Note VALUES \(stores.right)")
        try app.perform()
        app.localName = "Notes.store"
        #expect(failure { try app.perform() }?.hint?.contains("`Migration.reopen()`") == true)
        _ = try app.migration().reopen(dryRun: false)
        try app.perform()
        let right = try app.column(NoteApp.local, "SELECT id || title FROM Note ORDER BY id")
        #expect(try Set(right).isSubset(of: app.column(NoteApp.cloud, "SELECT id || title FROM Note")))
    }

    @Test(
        "a store that was only renamed is the one that was copied, also after records were deleted in the cloud store")
    func renamed() throws {
        var app = try copied()
        try app.write(NoteApp.cloud, "DELETE FROM Note WHERE id = 'a'")
        app.localName = "Renamed.store"
        try app.write(Self.folder + "Renamed.store", Self.create + Self.right)
        try app.perform()
        #expect(try keys(app) == ["b"])
    }

    @Test(
        "a renamed store is known although it is copied by way of a private clone, and its list of entities has grown")
    func renamedClone() throws {
        let tag = "CREATE TABLE Tag(id TEXT PRIMARY KEY, title TEXT, at TEXT);"
        var app = try NoteApp(entities: "  Note: { key: title, modified: at }", migrations: [Self.create, tag])
        let store = Self.create + Self.right + "INSERT INTO Note VALUES ('c', 'two', '2026-01-03');"
        try app.write(NoteApp.local, store)
        try app.perform(.copy)
        try app.write(NoteApp.cloud, "DELETE FROM Note WHERE title = 'one'")
        app.entities += "\n  Tag: { key: id, modified: at }"
        app.localName = "Renamed.store"
        try app.write(Self.folder + "Renamed.store", store)
        try app.perform(.copy)
        #expect(try app.column(NoteApp.cloud, "SELECT title FROM Note") == ["two"])
    }

    @Test("another store is not refused if the cloud store has all its records")
    func nothingMissing() throws {
        var app = try copied()
        app.localName = "Part.store"
        try app.write(Self.folder + "Part.store", Self.create + "INSERT INTO Note VALUES ('b', 'two', '2026-01-02')")
        #expect(try app.perform().copy?.outcome == .alreadyDone)
    }

    @Test("a receipt of an older version says nothing, and refuses nothing")
    func olderReceipt() throws {
        let app = try copiedWrongly()
        try app.write(NoteApp.cloud, "UPDATE godwit_receipt SET detail = '{\"entities\":[]}' WHERE stage = 'copy'")
        #expect(failure { try app.perform(.verify) }?.code != .data)
    }

    @Test("a wrong path after the copy is a warning while another store has records of the app")
    func missingAfterCopy() throws {
        var app = try copied()
        app.localName = "Nots.store"
        for command in [Command.run, .verify] {
            let warning = try #require(try app.perform(command).warnings.first { $0.code == "localStoreMissing" })
            #expect(warning.message.contains("Notes.store` has 2 records of `Note`"), "\(warning.message)")
        }
    }

    @Test("a preferences file that is misspelt after the copy is refused, and no second file is made")
    func wrongPreferences() throws {
        let app = try copied()
        let name = "container/Library/Preferences/com.example.other.plist"
        try app.folder.write(app.folder.bytes(of: NoteApp.preferences), to: name)
        try app.folder.remove(NoteApp.preferences)
        let before = try FolderFingerprint(app.folder["container"])
        for dryRun in [true, false] {
            let error = try #require(failure { try app.perform(dryRun: dryRun) })
            #expect(
                error.code == .noInput && error.message.contains("com.example.other.plist` has the completion flag"))
        }
        #expect(try FolderFingerprint(app.folder["container"]).differences(from: before) == [])
    }
}
