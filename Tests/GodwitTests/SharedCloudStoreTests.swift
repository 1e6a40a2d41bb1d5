import Godwit
import GodwitModel
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// A cloud store that more than one container writes to, or that came along from another device.
struct SharedCloudStoreTests {
    private static let schema = """
        CREATE TABLE Item(id TEXT PRIMARY KEY);
        CREATE TABLE Pin(itemId TEXT PRIMARY KEY, pinnedAt TEXT);
        CREATE TABLE Kitchen(id TEXT PRIMARY KEY, unit TEXT, at TEXT);
        """

    /// A container with favourites and a setting of its own.
    private func device(pins: [String], unit: String, written: Int64) throws -> NoteApp {
        var app = try NoteApp(
            entities: """
                  Item: { key: id }
                  Pin: { key: itemId }
                  Kitchen: { key: id, modified: at, singleton: home }
                """,
            migrations: [Self.schema],
            preferences: ["pins": pins, "unit": unit])
        app.legacy = """
              settings: [ { key: unit, into: Kitchen.unit } ]
              favorites: [ { key: pins, into: Pin.itemId, mode: merge } ]
            """
        try app.write(NoteApp.local, Self.schema + "INSERT INTO Item VALUES ('I1'), ('I2'), ('I3');")
        try app.folder.setModified(seconds: written, of: NoteApp.preferences)
        return app
    }

    private func pins(_ app: NoteApp) throws -> [String] {
        try app.column(NoteApp.cloud, "SELECT itemId FROM Pin ORDER BY itemId")
    }

    @Test("each device's own legacy values are imported, though the cloud store knows of an import")
    func imports() throws {
        let (first, second) = (
            try device(pins: ["I1"], unit: "g", written: 1_700_000_000),
            try device(pins: ["I2", "I3"], unit: "oz", written: 1_710_000_000)
        )
        try first.perform()
        #expect(try pins(first) == ["I1"])
        try second.folder.write(first.folder.bytes(of: NoteApp.cloud), to: NoteApp.cloud)

        let planned = try second.perform(dryRun: true)
        #expect(planned.legacy?.outcome != .alreadyDone)
        let report = try second.perform()
        #expect(report.legacy?.outcome == .done)
        #expect(try pins(second) == ["I1", "I2", "I3"])
        #expect(try second.column(NoteApp.cloud, "SELECT unit FROM Kitchen") == ["oz"])
        #expect(try second.perform(.verify).failedChecks == [])

        let again = try second.perform()
        #expect(again.outcome == .alreadyDone)
        #expect(again.legacy?.outcome == .alreadyDone)
    }

    @Test("the same file is not imported twice: it is the same device's, whose local store was made again")
    func sameFile() throws {
        let app = try device(pins: ["I1"], unit: "g", written: 1_700_000_000)
        let preferences = try app.folder.bytes(of: NoteApp.preferences)
        try app.perform()
        let other = try device(pins: [], unit: "", written: 1_700_000_000)
        try other.folder.write(preferences, to: NoteApp.preferences)
        try other.folder.write(app.folder.bytes(of: NoteApp.cloud), to: NoteApp.cloud)
        let report = try other.perform()
        #expect(report.legacy?.outcome == .alreadyDone)
        #expect(try pins(other) == ["I1"])
    }

    @Test("where the flag is set the import is done, also if the app has saved other values since")
    func flagSet() throws {
        let app = try device(pins: ["I1"], unit: "g", written: 1_700_000_000)
        try app.perform()
        let list = try PropertyListSerialization.data(
            fromPropertyList: ["moved": true, "pins": ["I2"], "unit": "oz"], format: .binary, options: 0)
        try app.folder.write(Array(list), to: NoteApp.preferences)
        try app.write(NoteApp.local, "DROP TABLE godwit_receipt")
        #expect(try app.perform().legacy?.outcome == .alreadyDone)
        #expect(try pins(app) == ["I1"])
    }
}
