import GodwitModel
import GodwitCopy
import GodwitTestSupport
import Testing

/// A merge of more records than are paired in memory, in different orders in both stores.
struct LargeMergeTests {
    /// How the tables are stored, and what gives the order of keys.
    enum Kind: String, CaseIterable {
        case indexed = "CREATE TABLE Item(id TEXT, title, updatedAt); CREATE INDEX i ON Item(id);"
        case plain = "CREATE TABLE Item(id TEXT, title, updatedAt);"
        case keyed = "CREATE TABLE Item(id TEXT PRIMARY KEY, title, updatedAt) WITHOUT ROWID;"
        case numbered = "CREATE TABLE Item(_rowid_ TEXT, id INTEGER PRIMARY KEY, title, updatedAt);"
    }

    private func make(_ kind: Kind, rows: Int) throws -> CopyFixture {
        let entity = Entity(name: "Item", key: "id", modified: .init(column: "updatedAt"))
        let fixture = try CopyFixture([entity], schema: kind.rawValue)
        let numbers = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows - 1))"
        let columns = "Item(id, title, updatedAt)"
        let key = kind == .numbered ? "i + 1" : "'k' || i"
        // Of each seven records, two are only local, one is only in the cloud, one is older there, one newer, and two
        // are equal.
        try fixture.local(
            """
            INSERT INTO \(columns) \(numbers) SELECT \(key), 't' || i, 10 FROM n WHERE i % 7 <> 2
            ORDER BY i * 7919 % \(rows);
            """
        ).close()
        try fixture.cloud(
            """
            INSERT INTO \(columns) \(numbers)
            SELECT \(key), iif(i % 7 IN (3, 4), 'other', 't' || i), iif(i % 7 = 3, 9, iif(i % 7 = 4, 11, 10)) FROM n
            WHERE i % 7 > 1 ORDER BY i * 104729 % \(rows);
            """
        ).close()
        return fixture
    }

    @Test(
        "in a large merge every record goes where its rule says, and the check gives the same counts",
        arguments: Kind.allCases,
        [70, 70 * 1200])
    func merges(kind: Kind, rows: Int) throws {
        let fixture = try make(kind, rows: rows)
        let seventh = Int64(rows / 7)
        let report = try fixture.copy()
        let item = try #require(report.entities.first)
        #expect(item.inserted == 2 * seventh && item.updated == seventh)
        #expect(item.equal == 2 * seventh && item.cloudKept == seventh)
        #expect((item.local, item.cloudBefore, item.cloudAfter) == (6 * seventh, 5 * seventh, 7 * seventh))
        let newer = "SELECT count(*) FROM Item WHERE updatedAt = 11 AND title = 'other'"
        #expect(try fixture.cloudRows(newer) == [[.integer(seventh)]])
        let others = "SELECT count(*) FROM Item WHERE updatedAt = 10 AND title LIKE 't%'"
        #expect(try fixture.cloudRows(others) == [[.integer(6 * seventh)]])
        #expect(try fixture.cloudRows("SELECT count(*) FROM godwit_removed") == [[.integer(seventh)]])
        var finding = CopyProof.Finding(entity: "Item")
        (finding.local, finding.equal, finding.cloudKept) = (6 * seventh, 5 * seventh, seventh)
        finding.onlyCloud = seventh
        #expect(try fixture.prove() == [finding])
        #expect(try fixture.prove(by: .of(3)) == [finding])
    }

    @Test("the first keys in key order are named, at any row", arguments: Kind.allCases)
    func firstKeys(kind: Kind) throws {
        let fixture = try make(kind, rows: 70)
        let finding = try #require(try fixture.prove().first)
        #expect((finding.missing, finding.different, finding.equal) == (20, 10, 20))
        let lacking = (0..<70).filter { [0, 1, 3].contains($0 % 7) }
        let keys = kind == .numbered ? lacking.map { "\($0 + 1)" } : lacking.map { "k\($0)" }.sorted()
        #expect(finding.failed.map(\.key) == Array(keys.prefix(20)))
        #expect(
            finding.failed.allSatisfy { record in
                guard let number = Int(record.key.drop { $0 == "k" }) else { return false }
                let isOlder = (kind == .numbered ? number - 1 : number) % 7 == 3
                return record.finding == (isOlder ? .different : .missing)
            })
        #expect(try fixture.prove(by: .of(3)).first == finding)
    }
}
