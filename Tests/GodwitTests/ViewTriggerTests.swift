import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Triggers of an app that write to a view, whose own INSTEAD OF triggers do the work.
struct ViewTriggerTests {
    private static let entities = """
          Note: { key: id, modified: updatedAt }
          Choice: { key: id }
        """
    private static let tables = """
        CREATE TABLE Note(id TEXT PRIMARY KEY, title TEXT, updatedAt TEXT);
        CREATE TABLE Choice(id TEXT PRIMARY KEY);
        CREATE TABLE Log(line TEXT);
        CREATE VIEW Bare AS SELECT id FROM Note;
        CREATE VIEW Shown AS SELECT id, title FROM Note;

        """

    private func app(_ triggers: String) throws -> NoteApp {
        let create = Self.tables + triggers
        var app = try NoteApp(entities: Self.entities, migrations: [create], preferences: ["starred": ["f"]])
        app.legacy = "  favorites: [{ mode: merge, key: starred, into: Note.id }]"
        try app.write(
            NoteApp.local,
            Self.tables + "INSERT INTO Note VALUES ('n', 'one', '2026-01-02'), ('m', 'two', '2026-01-02');")
        try app.write(NoteApp.local, triggers)
        return app
    }

    @Test(
        "records go into a new cloud store and into a restored one, with any triggers of the view",
        arguments: [
            // Into an entity, by another view, or refusing: held back, with all that write to the view.
            """
            CREATE TRIGGER a AFTER INSERT ON Note WHEN new.title IS NOT NULL BEGIN INSERT INTO Shown VALUES (new.id, ''); END;
            CREATE TRIGGER b INSTEAD OF INSERT ON Shown BEGIN INSERT OR IGNORE INTO Choice VALUES (new.id); END;
            """,
            """
            CREATE TRIGGER a AFTER INSERT ON Note WHEN new.title IS NOT NULL BEGIN UPDATE Shown SET title = 'x' WHERE id = new.id; END;
            CREATE TRIGGER b INSTEAD OF UPDATE ON Shown BEGIN UPDATE Note SET title = new.title WHERE id = old.id; END;
            """,
            """
            CREATE TRIGGER a AFTER INSERT ON Note WHEN new.title IS NOT NULL BEGIN INSERT INTO Log VALUES (new.id); END;
            CREATE TRIGGER b AFTER INSERT ON Log BEGIN INSERT INTO Bare VALUES (new.line); END;
            CREATE TRIGGER c INSTEAD OF INSERT ON Bare BEGIN INSERT INTO Shown VALUES (new.id, ''); END;
            CREATE TRIGGER d INSTEAD OF INSERT ON Shown BEGIN INSERT OR IGNORE INTO Choice VALUES (new.id); END;
            """,
            """
            CREATE TRIGGER a AFTER INSERT ON Note BEGIN INSERT INTO Shown VALUES (new.id, ''); END;
            CREATE TRIGGER b INSTEAD OF INSERT ON Shown BEGIN
              SELECT RAISE(ABORT, 'no') WHERE new.id IS NULL; INSERT INTO Log VALUES (new.id);
            END;
            """,
            // Into a table of no entity.
            """
            CREATE TRIGGER a AFTER INSERT ON Note BEGIN INSERT INTO Shown VALUES (new.id, new.title); END;
            CREATE TRIGGER b INSTEAD OF INSERT ON Shown BEGIN INSERT INTO Log VALUES (new.id); END;
            """,
        ])
    func held(_ triggers: String) throws {
        let app = try app(triggers)
        _ = try app.perform()
        let notes = "SELECT id || ' ' || coalesce(title, '') FROM Note ORDER BY 1"
        #expect(try app.column(NoteApp.cloud, notes) == ["f ", "m two", "n one"])
        let export = app.folder["first.json"]
        _ = try app.migration().exportAndKeep(to: export, options: ExportOptions())
        _ = try app.migration().restore(from: export, to: app.folder["restored.store"])
        for store in [NoteApp.cloud, "restored.store"] {
            #expect(try app.column(store, notes) == ["f ", "m two", "n one"])
            let made = "SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'"
            #expect(try app.column(store, made) == app.column(NoteApp.local, made))
        }
    }

    @Test("a view's trigger that calls a function of the app is held back with those that write to the view")
    func functions() throws {
        let app = try app("")
        let triggers = """
            CREATE VIEW Aside AS SELECT id FROM Note;
            CREATE TRIGGER a AFTER INSERT ON Note BEGIN INSERT INTO Aside VALUES (new.id); END;
            CREATE TRIGGER b INSTEAD OF INSERT ON Aside BEGIN INSERT INTO Log VALUES (app_only(new.id)); END;
            """
        let other = try NoteApp(entities: Self.entities, migrations: [Self.tables + triggers])
        _ = try app.perform()
        let export = app.folder["first.json"]
        _ = try app.migration().exportAndKeep(to: export, options: ExportOptions())
        _ = try other.migration().restore(from: export, to: other.folder["restored.store"])
        #expect(try other.column("restored.store", "SELECT count(*) FROM Note") == ["3"])
    }
}
