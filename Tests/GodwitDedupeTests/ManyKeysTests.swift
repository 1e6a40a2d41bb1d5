import GodwitModel
import GodwitTestSupport
import Testing

/// Whether any of many keys occurs twice, in a table without an index.
struct ManyKeysTests {
    private static let keys = """
        CREATE TABLE Note(id, body, at);
        INSERT INTO Note(id) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
        """

    @Test(
        "one repeated key among many is found, of any class",
        arguments: ["printf('%08d-key', i)", "i * 7919", "i + 0.5", "CAST(printf('%d', i) AS BLOB)"])
    func one(key: String) throws {
        let all = Self.keys + " SELECT \(key) FROM n;"
        #expect(try !DedupeBench([.note], all).hasWork())
        let twice = all + "INSERT INTO Note(id) SELECT id FROM Note WHERE rowid = 31234;"
        #expect(try DedupeBench([.note], twice).hasWork())
    }

    @Test("numbers and their texts, and integers and reals, are not duplicates")
    func lookalikes() throws {
        let all = Self.keys + " SELECT i FROM n; INSERT INTO Note(id) SELECT printf('%d', id) FROM Note;"
        #expect(try !DedupeBench([.note], all).hasWork())
        #expect(try !DedupeBench([.note], all + "INSERT INTO Note(id) VALUES (5.0);").hasWork())
        #expect(try DedupeBench([.note], all + "INSERT INTO Note(id) VALUES (5.5), (5.5);").hasWork())
    }

    @Test("a table in which most keys occur twice has duplicates")
    func most() throws {
        #expect(try DedupeBench([.note], Self.keys + " SELECT i / 2 FROM n;").hasWork())
    }
}
