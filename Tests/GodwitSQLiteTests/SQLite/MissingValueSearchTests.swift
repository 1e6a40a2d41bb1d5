import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Testing

/// References without a parent are found as SQLite finds them, without an index.
struct MissingValueSearchTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func search(_ sql: String, collation: String = "BINARY") throws -> (found: Bool?, sqlite: Bool) {
        try SampleStore.make(folder["s.store"], sql)
        let store = try SQLiteReader(
            path: folder["s.store"], name: "s.store", stage: .verify, busyMilliseconds: 0, cancellation: Cancellation()
        ).connection
        let search = MissingValueSearch(
            of: ("Child", "p"), in: ("Parent", "id"), comparedBy: collation, try store.readShape(), store)
        let missing =
            "SELECT 1 FROM Child WHERE p IS NOT NULL AND p NOT IN (SELECT id FROM Parent WHERE id IS NOT NULL)"
        let sqlite = try store.first(missing) != nil
        let found = try search?.mayFindAny()
        try folder.remove("s.store")
        return (found, sqlite)
    }

    private static let types = [("TEXT", "VARCHAR(36)"), ("INTEGER", "INT"), ("INTEGER", "INTEGER PRIMARY KEY")]

    @Test("the answer is SQLite's, for values of every class", arguments: 0..<60)
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let values = [
            "NULL", "1", "2", "3.5", "-1", "'1'", "'a'", "'A'", "''", "x'61'", "x''", "9223372036854775807", "1e300",
        ]
        let (child, parent) = Self.types[Int(seed) % Self.types.count]
        let isKey = parent.hasSuffix("KEY")
        let parents =
            isKey
            ? Set(["1", "2", "-1"].filter { _ in Bool.random(using: &random) })
            : Set(
                values.filter { _ in Int.random(in: 0..<4, using: &random) > 0 })
        let children = values.filter { parents.contains($0) || Int.random(in: 0..<12, using: &random) == 0 }
        func list(_ values: [String]) -> String { values.map { "(\($0))" }.joined(separator: ", ") }
        let rows = parents.isEmpty ? "" : "INSERT INTO Parent VALUES \(list(parents.sorted()));"
        let more = children.isEmpty ? "" : "INSERT INTO Child VALUES \(list(children));"
        let (found, sqlite) = try search(
            "CREATE TABLE Parent(id \(parent)); CREATE TABLE Child(p \(child)); \(rows) \(more)")
        #expect(found == sqlite, "\(parents) \(children)")
    }

    @Test("many parents are searched in parts", arguments: [false, true])
    func many(isBroken: Bool) throws {
        let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200000)"
        let (found, sqlite) = try search(
            """
            PRAGMA synchronous=OFF; CREATE TABLE Parent(id INTEGER PRIMARY KEY); CREATE TABLE Child(p INTEGER);
            INSERT INTO Parent \(numbers) SELECT i FROM n; INSERT INTO Child SELECT id FROM Parent WHERE id % 7 = 0;
            INSERT INTO Child SELECT 1200001 WHERE \(isBroken)
            """)
        #expect(found == isBroken && sqlite == isBroken)
    }

    @Test("columns that SQLite compares in another way are left to SQLite")
    func other() throws {
        let rows = "INSERT INTO Parent VALUES ('1'); INSERT INTO Child VALUES ('1')"
        for (child, parent) in [("TEXT", "INTEGER"), ("", "TEXT"), ("REAL", "REAL"), ("NUMERIC", "NUMERIC")] {
            #expect(
                try search("CREATE TABLE Parent(id \(parent)); CREATE TABLE Child(p \(child)); \(rows)").found == nil)
        }
        let texts = "CREATE TABLE Parent(id TEXT); CREATE TABLE Child(p TEXT); \(rows)"
        #expect(try search(texts, collation: "NOCASE").found == nil)
        #expect(try search(texts).found == false)
    }
}
