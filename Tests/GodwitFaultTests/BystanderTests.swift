import Godwit
import GodwitModel
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Records that no command should change stay as they are, or the command changes nothing.
struct BystanderTests {
    private static let create = """
        CREATE TABLE Note(id TEXT NOT NULL, code TEXT UNIQUE, m INTEGER);
        CREATE TABLE Page(id TEXT NOT NULL, noteId TEXT, m INTEGER);
        CREATE TABLE Log(what TEXT);

        """
    private static let entities = """
          Note: { key: id, modified: m }
          Page: { key: id, modified: m, belongsTo: { noteId: Note } }
        """
    private static let duplicates = """
        INSERT INTO Note VALUES ('a', 'old', 1), ('a', 'new', 2);
        INSERT INTO Page VALUES ('p', 'a', 1), ('q', 'a', 1);
        """

    private func app(_ code: String, _ rows: String) throws -> NoteApp {
        let app = try NoteApp(entities: Self.entities, migrations: [Self.create + code])
        try app.write(NoteApp.local, Self.create + code + rows)
        return app
    }

    @Test(
        "a trigger that removes or changes a duplicate's children does not run",
        arguments: [
            "AFTER DELETE ON Note BEGIN DELETE FROM Page WHERE noteId = OLD.id; END;",
            "AFTER DELETE ON Note BEGIN UPDATE Page SET noteId = NULL WHERE noteId = OLD.id; END;",
            "BEFORE DELETE ON Note BEGIN DELETE FROM Note WHERE id = OLD.id; END;",
        ], [Command.run, .dedupe])
    func cascade(code: String, command: Command) throws {
        let app = try app("CREATE TRIGGER cascade " + code, Self.duplicates)
        if command == .dedupe { try app.perform(.migrate) }
        let tables = try app.column(NoteApp.local, "SELECT sql FROM sqlite_schema ORDER BY name")
        for isDryRun in [true, false] {
            let error = failure { try app.perform(command, dryRun: isDryRun) }
            #expect(error?.code == .data)
            #expect(error?.stage == .dedupe)
        }
        #expect(try app.column(NoteApp.local, "SELECT id || noteId FROM Page ORDER BY id") == ["pa", "qa"])
        #expect(try app.column(NoteApp.local, "SELECT code FROM Note ORDER BY m") == ["old", "new"])
        guard command == .dedupe else { return }
        // The store records only that the run failed.
        #expect(try app.column(NoteApp.local, "SELECT sql FROM sqlite_schema ORDER BY name") == tables)
        #expect(try app.column(NoteApp.local, "SELECT outcome FROM godwit_run ORDER BY rowid") == ["done", "failed"])
    }

    @Test("a trigger that only records changes runs")
    func note() throws {
        let app = try app(
            "CREATE TRIGGER note AFTER DELETE ON Note BEGIN INSERT INTO Log VALUES (OLD.code); END;", Self.duplicates)
        #expect(try app.perform().dedupe?.removed == ["Note": 1])
        #expect(try app.column(NoteApp.local, "SELECT what FROM Log") == ["old"])
        #expect(try app.column(NoteApp.local, "SELECT id FROM Page ORDER BY id") == ["p", "q"])
    }

    @Test("a trigger of the cloud store that would change or remove its records does not run")
    func copyTrigger() throws {
        let code = "CREATE TRIGGER sweep AFTER INSERT ON Note BEGIN DELETE FROM Page WHERE noteId = NEW.id; END;\n"
        let app = try app(code, "INSERT INTO Note VALUES ('a', 'x', 1)")
        try app.write(NoteApp.cloud, Self.create + code + "INSERT INTO Page VALUES ('c', 'a', 1)")
        let error = failure { try app.perform { $0.allowsOrphans = true } }
        #expect(error?.code == .data)
        #expect(error?.message.contains("'sweep'") == true)
        #expect(try app.column(NoteApp.cloud, "SELECT id FROM Page") == ["c"])
    }

    @Test(
        "records of the cloud store follow a parent's new value by Godwit's update, not by the foreign key",
        arguments: ["SET NULL", "CASCADE"])
    func copyForeignKey(action: String) throws {
        let app = try Self.appWithForeignKey(action, trigger: "")
        try app.perform()
        #expect(try app.column(NoteApp.cloud, "SELECT code FROM Page") == ["later"])
        let reasons = "SELECT reason FROM godwit_changed WHERE entity = 'Page'"
        #expect(try app.column(NoteApp.cloud, reasons) == ["replaced:parent"])
    }

    @Test(
        "a foreign key that would change cloud records ends the copy if the parent's table has a trigger",
        arguments: ["SET NULL", "CASCADE"])
    func copyForeignKeyWithTrigger(action: String) throws {
        let app = try Self.appWithForeignKey(
            action, trigger: "CREATE TRIGGER t AFTER UPDATE ON Note BEGIN INSERT INTO Log VALUES (NEW.id); END;")
        let error = failure { try app.perform() }
        #expect(error?.code == .data)
        #expect(error?.message.contains("foreign key") == true)
        #expect(try app.column(NoteApp.cloud, "SELECT code FROM Page") == ["early"])
    }

    /// A page in the cloud store refers to a note by its code, which differs in the local store.
    private static func appWithForeignKey(_ action: String, trigger: String) throws -> NoteApp {
        let create = """
            CREATE TABLE Note(id TEXT NOT NULL, code TEXT UNIQUE, m INTEGER);
            CREATE TABLE Page(id TEXT NOT NULL, code TEXT REFERENCES Note(code) ON UPDATE \(action), m INTEGER);
            CREATE TABLE Log(what TEXT);
            \(trigger)

            """
        let entities = "  Note: { key: id, modified: m }\n  Page: { key: id, modified: m }"
        let app = try NoteApp(entities: entities, migrations: [create])
        try app.write(NoteApp.local, create + "INSERT INTO Note VALUES ('a', 'later', 2), ('b', 'same', 2)")
        let cloud = "INSERT INTO Note VALUES ('b', 'same', 1); "
        try app.write(
            NoteApp.cloud,
            create + cloud + "INSERT INTO Note VALUES ('a', 'early', 1); INSERT INTO Page VALUES ('c', 'early', 1)")
        return app
    }

    @Test("a replaced record that keeps its referred values is replaced")
    func keptReference() throws {
        let create = """
            CREATE TABLE Note(id TEXT PRIMARY KEY, body TEXT, m INTEGER);
            CREATE TABLE Page(id TEXT PRIMARY KEY, noteId TEXT REFERENCES Note ON UPDATE CASCADE, m INTEGER);
            CREATE TABLE Log(what TEXT);
            CREATE TRIGGER t AFTER UPDATE ON Note BEGIN INSERT INTO Log VALUES (NEW.id); END;

            """
        let entities = "  Note: { key: id, modified: m }\n  Page: { key: id, modified: m }"
        let app = try NoteApp(entities: entities, migrations: [create])
        try app.write(NoteApp.local, create + "INSERT INTO Note VALUES ('a', 'new', 2)")
        try app.write(
            NoteApp.cloud, create + "INSERT INTO Note VALUES ('a', 'old', 1); INSERT INTO Page VALUES ('c', 'a', 1)")
        try app.perform()
        #expect(try app.column(NoteApp.cloud, "SELECT body || noteId FROM Note, Page") == ["newa"])
    }
}
