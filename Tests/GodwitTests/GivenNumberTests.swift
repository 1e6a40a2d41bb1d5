import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Numbers that AUTOINCREMENT has given out are not given out again by the cloud store.
struct GivenNumberTests {
    private static let create = """
        CREATE TABLE Note(id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT, m TEXT);
        CREATE TABLE Tag(number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT UNIQUE); CREATE TABLE Log(id INTEGER PRIMARY KEY);

        """
    private static let entities = "  Note: { key: id, modified: m }\n  Tag: { key: id }"

    private static func app(_ local: String) throws -> NoteApp {
        let app = try NoteApp(entities: entities, migrations: [create])
        try app.write(NoteApp.local, create + local)
        return app
    }

    /// The number that a store gives to the next record of a table.
    private static func next(_ table: String, in app: NoteApp) throws -> String? {
        try app.write(NoteApp.cloud, "INSERT INTO \(table) DEFAULT VALUES")
        return try app.column(NoteApp.cloud, "SELECT max(rowid) FROM \(table)").first
    }

    private static let deleted = """
        INSERT INTO Note(title) VALUES ('a'), ('b'), ('c'); DELETE FROM Note WHERE id > 1;
        INSERT INTO Tag(id) VALUES ('x'), ('y'); DELETE FROM Tag;
        """

    @Test("a new cloud store goes on after the last number of the local one, of an empty table too")
    func newStore() throws {
        let app = try Self.app(Self.deleted)
        #expect(try app.perform().warnings.isEmpty)
        #expect(try app.column(NoteApp.cloud, "SELECT count(*) FROM sqlite_sequence") == ["2"])
        #expect(try app.perform(.verify).outcome == .done)
        #expect(try Self.next("Note", in: app) == "4")
        #expect(try Self.next("Tag", in: app) == "3")
    }

    @Test("a cloud store that was there goes on after the larger of the two", arguments: [(2, "4"), (9, "10")])
    func merge(_ given: Int, _ next: String) throws {
        let app = try Self.app(Self.deleted)
        try app.write(
            NoteApp.cloud,
            Self.create + "INSERT INTO Note(id) VALUES (\(given)); DELETE FROM Note WHERE id > 1 AND \(given) > 5")
        try app.perform()
        #expect(try Self.next("Note", in: app) == next)
        #expect(try Self.next("Tag", in: app) == "3")
    }

    @Test("numbers that a schema file gave out count as well")
    func seeds() throws {
        let app = try NoteApp(
            entities: Self.entities, migrations: [Self.create, "INSERT INTO Note(id) VALUES (50); DELETE FROM Note"])
        try app.write(NoteApp.local, Self.create + Self.deleted)
        try app.perform { $0.baseline = 2 }
        #expect(try Self.next("Note", in: app) == "51")
    }

    @Test(
        "a store with nonsense for a last number is copied all the same", arguments: ["'many'", "NULL", "-5", "1e300"])
    func nonsense(_ number: String) throws {
        let app = try Self.app(Self.deleted)
        try app.write(NoteApp.local, "UPDATE sqlite_sequence SET seq = \(number)")
        #expect(try app.perform().outcome == .done)
        #expect(try Self.next("Note", in: app) == "2")
    }
}
