import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Testing

/// A schema that SQLite accepts without limits is accepted; limits apply while the schema is read.
struct SchemaLimitTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Opens a store with one note for reading, and for writing.
    private func requireUsable(_ schema: String) throws {
        try SampleStore.make(folder["a.store"], schema + "INSERT INTO Note(id) VALUES ('1');")
        let snapshot = try StoreSnapshot(of: folder["a.store"], name: "a.store", stage: .copy, context: .sample())
        #expect(try snapshot.connection.countRecords(of: "Note") == 1)
        _ = consume snapshot
        let writer = try StoreWriter(existing: folder["a.store"], name: "a.store", stage: .copy, context: .sample())
        try writer.transaction(.copy) { connection throws(GodwitError) in
            try connection.execute("INSERT INTO Note(id) VALUES ('2')")
        }
        try writer.close(.copy)
        try folder.remove("a.store")
    }

    @Test("a trigger that calls a function with many arguments does not make a store damaged")
    func manyArguments() throws {
        let pairs = (0..<40).map { "'k\($0)', new.id" }.joined(separator: ", ")
        try requireUsable(
            """
            CREATE TABLE Note(id TEXT); CREATE TABLE Log(line TEXT);
            CREATE TRIGGER Noted AFTER INSERT ON Note BEGIN INSERT INTO Log VALUES (json_object(\(pairs))); END;
            """)
    }

    @Test("a view of many parts does not make a store damaged")
    func manyParts() throws {
        let parts = (0..<300).map { "SELECT \($0) AS n" }.joined(separator: " UNION ALL ")
        try requireUsable("CREATE TABLE Note(id TEXT); CREATE VIEW Parts AS \(parts);")
    }

    @Test("a check of many conditions does not make a store damaged")
    func deepExpression() throws {
        let conditions = (0..<400).map { "id <> 'x\($0)'" }.joined(separator: " AND ")
        try requireUsable("CREATE TABLE Note(id TEXT CHECK (\(conditions)));")
    }
}
