import GodwitFiles
import GodwitModel
import GodwitSQLite
import Foundation
import GodwitTestSupport
import Testing

/// What a check also learns about keys, so that the indexes are not read again for it.
struct IndexFindingsTests {
    private let folder: TemporaryFolder
    private let known = StoreStateCache()

    init() throws { folder = try TemporaryFolder() }

    private func check(_ sql: String, threads: Int = 1, encoding: String? = nil) throws {
        try SampleStore.make(folder["a.store"], encoding: encoding, sql)
        let snapshot = try StoreSnapshot(
            of: folder["a.store"], name: "a", stage: .verify, context: .sample(), checkingIntegrity: false)
        var check = snapshot.soundness
        (check.size, check.threads) = (0, threads)
        try check.run(findings: IndexFindings(known, of: [1]))
    }

    private func isDistinct(_ column: String, in table: String = "T") -> Bool {
        known.isKnown(.distinct(table: table, column: "\"\(column)\""), of: [1])
    }

    @Test(
        "values that differ in any significant way are distinct",
        arguments: [
            "('a'), ('b'), ('A')", "('1'), (1), (x'31')", "('a'), (x'61'), ('a ')", "(1), (1.5), (2)",
            "(NULL), (''), (x'')",
            "(9007199254740992), (9007199254740993)", "(0), (''), (NULL)", "('x')",
            "(printf('%.3000c', 'x') || 'a'), (printf('%.3000c', 'x') || 'b')",
        ])
    func distinct(values: String) throws {
        for order in ["", " DESC"] {
            try check("CREATE TABLE T(k, o); INSERT INTO T(k) VALUES \(values); CREATE INDEX J ON T(k\(order), o)")
            #expect(isDistinct("k"))
            #expect(!isDistinct("o"))
            try folder.remove("a.store")
        }
    }

    @Test(
        "repeated values, and values that SQLite treats as equal, are not distinct",
        arguments: [
            "('a'), ('b'), ('a')", "(1), (1.0)", "(0.0), (-0.0)", "(NULL), ('a'), (NULL)", "(x'00'), (x'00')",
            "(printf('%.3000c', 'x')), (printf('%.3000c', 'x'))",
        ], [1, 2, 3])
    func repeated(values: String, threads: Int) throws {
        try check(
            "CREATE TABLE T(k, o); INSERT INTO T(k) VALUES \(values); UPDATE T SET o = rowid;"
                + "CREATE INDEX J ON T(k, o); CREATE INDEX O ON T(o DESC)", threads: threads)
        #expect(!isDistinct("k"))
        #expect(isDistinct("o"))
    }

    @Test(
        "a column has no finding without an index that starts with it, has all records and sorts by bytes",
        arguments: [
            "CREATE INDEX J ON T(k COLLATE NOCASE)", "CREATE INDEX J ON T(k) WHERE k > 'a'",
            "CREATE INDEX J ON T(o, k)",
            "CREATE INDEX J ON T(lower(k))", "",
        ])
    func unresolved(index: String) throws {
        try check("CREATE TABLE T(k TEXT, o); INSERT INTO T VALUES ('a', 1), ('b', 2); \(index)")
        #expect(!isDistinct("k"))
    }

    @Test("a store in UTF-16 has no findings, because only SQLite checks it")
    func wide() throws {
        try check(
            "CREATE TABLE T(k TEXT); INSERT INTO T VALUES ('a'), ('b'); CREATE INDEX J ON T(k)", encoding: "UTF-16le")
        #expect(!isDistinct("k"))
    }

    @Test("tables have separate findings, and so have states")
    func apart() throws {
        try check(
            """
            CREATE TABLE T(k); INSERT INTO T VALUES ('a'), ('a'); CREATE INDEX TK ON T(k);
            CREATE TABLE U(k); INSERT INTO U VALUES ('a'), ('b'); CREATE INDEX UK ON U(k);
            """)
        #expect(!isDistinct("k") && isDistinct("k", in: "U"))
        #expect(!known.isKnown(.distinct(table: "U", column: "\"k\""), of: [2]))
        #expect(!known.isKnown(.distinct(table: "U", column: "\"k\""), of: nil))
    }

    @Test("a reader gets the findings of the check that runs on its store", arguments: ["id", "other"])
    func announced(key: String) throws {
        try SampleStore.make(
            folder["a.store"], "CREATE TABLE T(ID TEXT, other TEXT); CREATE INDEX J ON T(id, other)")
        let snapshot = try StoreSnapshot(of: folder["a.store"], name: "a", stage: .verify, context: .sample())
        let entity = Entity(name: "T", key: key)
        let table = try snapshot.connection.table(for: entity, in: snapshot.connection.readShape())
        #expect(try snapshot.connection.isToldByChecks(ofKeysIn: table) == (key == "id"))
    }
}

/// A reader waits for these findings only, not for the rest of the check.
struct IndexFindingsWaitTests {
    private let folder: TemporaryFolder
    private let context = RunContext.sample()

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> StoreSnapshot {
        try SampleStore.make(
            folder["a.store"],
            """
            CREATE TABLE T(id TEXT, b BLOB); CREATE INDEX J ON T(id);
            INSERT INTO T WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 2000)
            SELECT 'a' || x, zeroblob(3000) FROM n
            """)
        pause(milliseconds: 20)
        return try StoreSnapshot(
            of: folder["a.store"], name: "a", stage: .verify, context: context, checkingIntegrity: false)
    }

    private func isFound(in state: [UInt8]?) -> Bool {
        context.known.isKnown(.distinct(table: "T", column: "\"id\""), of: state)
    }

    @Test("a check publishes its indexes while it waits for sums of readers")
    func early() throws {
        let snapshot = try open()
        let check = IntegrityCheck(of: snapshot, context: context, promising: ["T"])
        check.waitForIndexes()
        #expect(isFound(in: snapshot.state))
        // The promise is neither kept nor withdrawn.
        #expect(check.sums?.isPromised("T") == true)
        #expect(!context.known.isKnown(.sound, of: snapshot.state))
        try check.require()
        #expect(context.known.isKnown(.sound, of: snapshot.state))
        check.waitForIndexes()
    }

    @Test("a check that has not begun, has ended, or was not requested blocks no reader")
    func idle() throws {
        let snapshot = try open()
        let heldBack = IntegrityCheck(of: snapshot, context: context, isHeldBack: true)
        heldBack.waitForIndexes()
        #expect(!isFound(in: snapshot.state))
        heldBack.wait()
        heldBack.waitForIndexes()
        IntegrityCheck(of: snapshot, context: context, isAsked: false).waitForIndexes()
        let check = IntegrityCheck(of: snapshot, context: context)
        check.wait()
        check.waitForIndexes()
        #expect(isFound(in: snapshot.state))
    }

    @Test("a check that finds damage before its indexes blocks no reader")
    func damaged() throws {
        _ = try open()
        var bytes = try folder.bytes(of: "a.store")
        bytes.replaceSubrange(4096..<bytes.count, with: Array(repeating: 0xA5, count: bytes.count - 4096))
        try folder.write(bytes, to: "a.store")
        let snapshot = try StoreSnapshot(
            of: folder["a.store"], name: "a", stage: .verify, context: context, checkingIntegrity: false)
        let check = IntegrityCheck(of: snapshot, context: context)
        check.waitForIndexes()
        #expect(!isFound(in: snapshot.state))
        #expect(failure { try check.require() }?.code == .data)
    }
}
