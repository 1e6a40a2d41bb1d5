import GodwitModel
import Godwit
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// A copy that would give records other parents by a foreign key of several columns ends before anything is written.
struct CompositeParentTests {
    private static let create = """
        CREATE TABLE Place(number INTEGER, country TEXT, name TEXT, UNIQUE(country, number));
        CREATE TABLE Visit(id TEXT PRIMARY KEY, country TEXT, number INTEGER,
          FOREIGN KEY(country, number) REFERENCES Place(country, number));
        CREATE TABLE Theme(id TEXT PRIMARY KEY);

        """

    private func app(cloud number: Int) throws -> NoteApp {
        var app = try NoteApp(
            entities: "  Place: { key: name }\n  Visit: { key: id }\n  Theme: { key: id }", migrations: [Self.create],
            preferences: ["starred": ["t"]])
        app.legacy = "  favorites: [{ key: starred, into: Theme.id }]"
        try app.write(
            NoteApp.local,
            Self.create + "INSERT INTO Place VALUES (1, 'jp', 'Kyoto'); INSERT INTO Visit VALUES ('v', 'jp', 1);")
        try app.write(NoteApp.cloud, Self.create + "INSERT INTO Place VALUES (\(number), 'jp', 'Nara')")
        return app
    }

    @Test(
        "a foreign key whose values name another record in the cloud store is 65, and no file changes",
        arguments: [true, false])
    func refused(isDuplicated: Bool) throws {
        let app = try app(cloud: 1)
        try app.write(NoteApp.cloud, "INSERT INTO Place VALUES (2, 'jp', 'Kyoto')")
        if isDuplicated { try app.write(NoteApp.local, "INSERT INTO Place VALUES (9, 'jp', 'Kyoto')") }
        let before = try FolderFingerprint(app.folder["container"])
        let error = #expect(throws: GodwitError.self) { try app.perform() }
        #expect(error?.code == .data && error?.message.contains("would refer to another `Place`") == true)
        #expect(try FolderFingerprint(app.folder["container"]).differences(from: before) == [])
    }

    @Test("one whose values name the same record, or none, is copied")
    func copied() throws {
        let app = try app(cloud: 7)
        #expect(try app.perform().outcome == .done)
        #expect(
            try app.column(NoteApp.cloud, "SELECT name FROM Visit JOIN Place USING (country, number)") == ["Kyoto"])
    }
}
