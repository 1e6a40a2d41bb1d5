import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// A manifest whose `key:` names another column of the table, so that records of their own count as duplicates.
struct WrongKeyTests {
    private static let create = """
        CREATE TABLE Item(id TEXT PRIMARY KEY, shelf TEXT, name TEXT, weight INTEGER, savedAt TEXT);
        """
    private static let right = "  Item: { key: id, modified: savedAt }"
    private static let wrong = "  Item: { key: shelf, modified: savedAt }"

    private func app(_ entities: String, _ records: String? = nil) throws -> NoteApp {
        let app = try NoteApp(entities: entities, migrations: [Self.create])
        try app.write(
            NoteApp.local,
            Self.create
                + (records
                    ?? """
                    INSERT INTO Item VALUES ('a', 's', 'Salt', 1, '2026-01-01'), ('b', 's', 'Rice', 2, '2026-01-02'),
                      ('c', 's', 'Tea', 3, '2026-01-03'), ('d', 't', 'Soap', 4, '2026-01-04');
                    """))
        return app
    }

    @Test("duplicates that hardly resemble the record that stays are a warning, before they are set aside")
    func strict() throws {
        let app = try app(Self.wrong)
        let report = try app.perform { $0.isStrict = true }
        #expect(report.stoppedBy == .strict)
        let warning = try #require(report.warnings.first { $0.code == "unlikeDuplicates" })
        let start = "2 of 2 `Item` records that count as duplicates by `shelf` have another `id`"
        #expect(warning.message.hasPrefix(start))
        #expect(try app.column(NoteApp.local, "SELECT count(*) FROM Item") == ["4"])
    }

    @Test("duplicates of one record give no warning, if they are equal or if some columns are empty")
    func trueDuplicates() throws {
        let app = try app(
            Self.wrong,
            """
            INSERT INTO Item VALUES ('a', 's', 'Salt', 1, '2026-01-01'), ('b', 's', 'Salt', 1, '2026-01-02'),
              ('c', 't', 'Tea', NULL, '2026-01-03'), ('d', 't', 'Tea', 4, '2026-01-04');
            """)
        #expect(try app.perform { $0.isStrict = true }.stoppedBy == nil)
        #expect(try app.column(NoteApp.cloud, "SELECT id FROM Item ORDER BY id") == ["b", "d"])
    }

    @Test("a singleton of many unlike records is a warning")
    func singleton() throws {
        let records = (1...6).map { "('\($0)', 's\($0)', 'name \($0)', \($0), '2026-01-0\($0)')" }
        let app = try app(
            "  Item: { key: id, modified: savedAt, singleton: one }",
            "INSERT INTO Item VALUES \(records.joined(separator: ", "));")
        let report = try app.perform(dryRun: true)
        #expect(report.warnings.first { $0.code == "unlikeDuplicates" }?.hint?.hasPrefix("Remove `singleton:`") == true)
    }

    @Test("a singleton that other records refer to is a warning, also with few records")
    func singletonWithChildren() throws {
        let app = try NoteApp(
            entities: Self.jars(shelf: "id, singleton: one"),
            migrations: [Self.shelves])
        try app.write(
            NoteApp.local,
            Self.shelves
                + "INSERT INTO Shelf VALUES ('a', 'r', 'Top', NULL), ('b', 's', 'Low', NULL), ('c', 't', 'Far', NULL);"
                + "INSERT INTO Jar VALUES ('1', 'a', 'Salt', NULL);")
        let report = try app.perform { $0.isStrict = true }
        #expect(report.stoppedBy == .strict && report.warningCodes.contains("unlikeDuplicates"))
    }

    @Test("after the key was corrected, the records that were set aside are named until they are back")
    func corrected() throws {
        var app = try app(Self.wrong)
        try app.perform()
        app.entities = Self.right
        #expect(try app.migration().status().warnings.map(\.code) == ["setAsideByOtherKey"])
        let verified = try app.perform(.verify)
        #expect(verified.verify?.outcome == .failed)
        #expect(verified.nextSteps.first?.hasPrefix("Put the records back: ") == true)
        #expect(verified.nextSteps.count == 4, "a step for each command")
        #expect(!verified.nextSteps.contains { $0.hasPrefix("To set the duplicates aside") })
        let stopped = try app.perform { $0.isStrict = true }
        #expect(stopped.stoppedBy == .strict && stopped.warnings.contains { $0.code == "setAsideByOtherKey" })
        let undone = try app.migration().undoDedupe(of: "latest", dryRun: false)
        let hint = try #require(undone.warnings.first { $0.code == "setAsideByOtherKey" }?.hint)
        #expect(hint.contains("reopen(all: true)") && !hint.contains("undoDedupe"), "no step that is done")
        _ = try app.migration().reopen(all: true, dryRun: false)
        try app.perform()
        #expect(try app.column(NoteApp.cloud, "SELECT id FROM Item ORDER BY id") == ["a", "b", "c", "d"])
        #expect(try app.perform(.verify).verify?.outcome == .done)
        #expect(try app.perform { $0.isStrict = true }.stoppedBy == nil)
    }

    private static let shelves = """
        CREATE TABLE Shelf(id TEXT PRIMARY KEY, room TEXT, name TEXT, savedAt TEXT);
        CREATE TABLE Jar(id TEXT PRIMARY KEY, shelf TEXT REFERENCES Shelf(id), label TEXT, savedAt TEXT);
        """
    private static let records = """
        INSERT INTO Shelf VALUES ('a', 'r', 'Top', '2026-01-01'), ('b', 'r', 'Low', '2026-01-02'),
          ('c', 'r', 'Far', '2026-01-03');
        INSERT INTO Jar VALUES ('1', 'a', 'Salt', '2026-01-01'), ('2', 'a', 'Rice', '2026-01-01'),
          ('3', 'b', 'Tea', '2026-01-01'), ('4', 'c', 'Soap', '2026-01-01');
        """
    private static func jars(shelf: String, parent: String = "Shelf") -> String {
        """
          Shelf: { key: \(shelf), modified: savedAt }
          Jar: { key: id, modified: savedAt, belongsTo: { shelf: \(parent) } }
        """
    }

    @Test("after the records are back, references to them are restored, except those that were edited since")
    func references() throws {
        var app = try NoteApp(entities: Self.jars(shelf: "room"), migrations: [Self.shelves])
        try app.write(NoteApp.local, Self.shelves + Self.records)
        try app.perform()
        try app.write(
            NoteApp.cloud,
            """
            UPDATE Jar SET label = 'Salt!', savedAt = '2026-02-01' WHERE id = '1';
            UPDATE Jar SET shelf = NULL, savedAt = '2026-02-01' WHERE id = '2';
            """)
        app.entities = Self.jars(shelf: "id")
        _ = try app.migration().undoDedupe(of: "latest", dryRun: false)
        // As on another device that has an earlier value of a user.
        try app.write(NoteApp.local, "UPDATE Jar SET shelf = 'a', savedAt = '2025-01-01' WHERE id = '3'")
        _ = try app.migration().reopen(all: true, dryRun: false)
        let report = try app.perform()
        #expect(report.copy?.referencesTakenBack == ["Jar.shelf": 1])
        let jars = try app.column(NoteApp.cloud, "SELECT id || label || coalesce(shelf, '-') FROM Jar ORDER BY id")
        #expect(jars == ["1Salt!a", "2Rice-", "3Teac", "4Soapc"])
        #expect(try app.perform(.verify).verify?.outcome == .done)
        #expect(try app.perform().copy?.referencesTakenBack == nil)
    }

    @Test("references that a wrong parent key made NULL have their value again after a corrected run")
    func settled() throws {
        let wrong = "{ entity: Shelf, by: name, missing: setNull }"
        var app = try NoteApp(entities: Self.jars(shelf: "id", parent: wrong), migrations: [Self.shelves])
        try app.write(NoteApp.local, Self.shelves + Self.records)
        try app.perform()
        #expect(try app.column(NoteApp.cloud, "SELECT count(shelf) FROM Jar") == ["0"])
        app.entities = Self.jars(shelf: "id")
        _ = try app.migration().reopen(all: true, dryRun: false)
        #expect(try app.perform().copy?.referencesTakenBack == ["Jar.shelf": 4])
        #expect(try app.column(NoteApp.cloud, "SELECT shelf FROM Jar ORDER BY id") == ["a", "a", "b", "c"])
    }
}
