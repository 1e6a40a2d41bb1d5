import GodwitFiles
import GodwitModel
import GodwitSQLite
import GodwitCopy
import GodwitTestSupport
import Synchronization
import Testing

/// A new cloud store is filled while queries on its source still run.
struct AskedSourceTests {
    private static let trips = """
        INSERT INTO Trip VALUES ('t', 1);
        INSERT INTO Stop VALUES ('s1', 't', NULL, 1), ('s2', 't', 's1', 1);
        """
    /// More than a check counts as small, so that another thread runs the queries.
    private static let many = """
        INSERT INTO Trip VALUES ('t', 1);
        INSERT INTO Stop WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40000)
        SELECT 's' || i || printf('%.100c', 'x'), 't', NULL, i FROM n;
        """

    @Test("a copy from a source that was checked before equals a copy from one that was not", arguments: [trips, many])
    func same(sql: String) throws {
        let fixture = try CopyFixture.trips()
        try fixture.local(sql).close()
        let expected = try fixture.copy()
        let all = "SELECT rowid, * FROM Stop ORDER BY rowid"
        let rows = try fixture.cloudRows(all)
        try fixture.folder.remove("cloud/C.store")
        let before = try fixture.localFingerprint()
        let asked = Atomic(0)
        let report = try fixture.copy { _ throws(GodwitError) in
            asked.add(1, ordering: .relaxed)
            return false
        }
        #expect(report?.entities == expected.entities && report?.orphans == expected.orphans)
        #expect(report?.createdStore == true && report?.outcome == .done)
        #expect(try fixture.cloudRows(all) == rows)
        #expect(try fixture.localFingerprint().differences(from: before).isEmpty)
        #expect(asked.load(ordering: .relaxed) == 1)
    }

    @Test("a source with duplicates makes no new store", arguments: [trips, many], [UInt32(0), 50])
    func duplicates(sql: String, milliseconds: UInt32) throws {
        let fixture = try CopyFixture.trips()
        try fixture.local(sql).close()
        let report = try fixture.copy { _ throws(GodwitError) in
            pause(milliseconds: milliseconds)
            return true
        }
        #expect(report == nil)
        #expect(fixture.folder.names(in: "cloud") == [])
    }

    @Test("an error of the background check is the error of the copy", arguments: [trips, many])
    func failing(sql: String) throws {
        let fixture = try CopyFixture.trips()
        try fixture.local(sql).close()
        let error = failure {
            _ = try fixture.copy { _ throws(GodwitError) in throw GodwitError(.copy, .data, "Records without a key.") }
        }
        #expect(error?.message == "Records without a key.")
        #expect(fixture.folder.names(in: "cloud") == [])
    }

    @Test("a cancelled background check is not run again", arguments: [false, true])
    func cancelled(hasDuplicates: Bool) throws {
        let fixture = try CopyFixture.trips()
        try fixture.local(Self.trips).close()
        let cancellation = Cancellation()
        let error = failure {
            _ = try fixture.copy(.sample(cancellation: cancellation)) { _ throws(GodwitError) in
                cancellation.cancel()
                return hasDuplicates
            }
        }
        #expect(error?.code == .interrupted)
        #expect(fixture.folder.names(in: "cloud") == [])
    }

    @Test("orphans are found in the new store")
    func orphans() throws {
        let fixture = try CopyFixture.trips()
        try fixture.local("INSERT INTO Stop VALUES ('s', 'gone', NULL, 1)").close()
        let asked: BackgroundQuery<Bool>.Asking = { _ throws(GodwitError) in false }
        #expect(failure { _ = try fixture.copy(asking: asked) }?.message.contains("does not exist") == true)
        #expect(try fixture.copy(allowsOrphans: true, asking: asked)?.orphans == ["Stop.trip": 1])
    }
}
