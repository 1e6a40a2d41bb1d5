import GodwitModel
import GodwitSQLite
import GodwitExport
import GodwitTestSupport
import Testing

/// What is known of a store before its export begins.
struct ExportScanTests {
    private static func scan(
        _ sql: String, encoding: InstantEncoding? = nil, now: Instant = .sampleNow, isDated: Bool = true
    ) throws -> ExportScan {
        let modified = isDated ? ModifiedColumn(column: "at", encoding: encoding) : nil
        let fixture = try ExportFixture(
            [Entity(name: "Item", key: "id", modified: modified), Entity(name: "Tag", key: "id")],
            sql: "CREATE TABLE Item(id TEXT, at); CREATE TABLE Tag(id TEXT, at);" + sql)
        let store = try fixture.open()
        return try ExportReading(store.connection, manifest: fixture.manifest, context: .sample(now: now)).scan
    }

    @Test("records are counted by entity, with and without dates")
    func counts() throws {
        let scan = try Self.scan("INSERT INTO Item VALUES ('a', NULL), ('b', 'never'); INSERT INTO Tag VALUES ('t', 9)")
        #expect(scan.counts == ["Item": 2, "Tag": 1])
        #expect(scan.recordCount == 3)
        #expect(scan.newestRecordAt == nil)
        #expect(!scan.hasClockSkew)
    }

    @Test("an empty store has counts of zero and no date")
    func empty() throws {
        let scan = try Self.scan("")
        #expect(scan.counts == ["Item": 0, "Tag": 0])
        #expect(scan.recordCount == 0)
        #expect(scan.newestRecordAt == nil)
    }

    static let dates: [(InstantEncoding?, [String], Int64, Int64)] = [
        // The largest text is not the latest instant, and any text sorts after any number.
        (nil, ["'2026-02-01T12:00:00+05:00'", "'2026-02-01T10:00:00Z'", "1000", "NULL", "'x'"], 1_769_940_000, 0),
        (nil, ["1769940001", "'2026-02-01T10:00:00Z'", "1769940000.5"], 1_769_940_001, 0),
        (.iso8601, ["'2026-02-01T10:00:00.25Z'", "1800000000", "'2026-02-01'"], 1_769_940_000, 250),
        (.unixSeconds, ["1769940000.25", "1769940000", "'2027-01-01'"], 1_769_940_000, 250),
        (.unixMilliseconds, ["1769940000250", "1769940000249.0", "'2027-01-01'"], 1_769_940_000, 250),
        (.coreData, ["791632800.25", "791632800", "'2027-01-01'"], 1_769_940_000, 250),
    ]

    @Test("the newest date is the latest instant in any encoding", arguments: dates)
    func newest(encoding: InstantEncoding?, values: [String], seconds: Int64, milliseconds: Int64) throws {
        for values in [values, values.reversed()] {
            let rows = values.map { "('k', \($0))" }.joined(separator: ", ")
            let scan = try Self.scan("INSERT INTO Item VALUES \(rows)", encoding: encoding)
            #expect(
                scan.newestRecordAt
                    == Instant(seconds: seconds, attoseconds: milliseconds * 1_000_000_000_000_000))
            #expect(!scan.hasClockSkew)
        }
    }

    @Test("the newest date of all entities counts, but only of columns declared as modified")
    func acrossEntities() throws {
        let fixture = try ExportFixture(
            [
                Entity(name: "A", key: "id", modified: .init(column: "at")),
                Entity(name: "B", key: "id", modified: .init(column: "at", encoding: .unixMilliseconds)),
                Entity(name: "C", key: "id"),
            ],
            sql: """
                CREATE TABLE A(id, at); INSERT INTO A VALUES (1, '2026-01-01');
                CREATE TABLE B(id, at); INSERT INTO B VALUES (1, 1767225601000);
                CREATE TABLE C(id, at); INSERT INTO C VALUES (1, '2026-11-01');
                """)
        let scan = try ExportReading(fixture.open().connection, manifest: fixture.manifest, context: .sample()).scan
        #expect(scan.newestRecordAt == Instant(seconds: 1_767_225_601))
    }

    @Test(
        "five minutes in the future are tolerated, and more is clock skew", arguments: InstantEncoding.allCases,
        [nil, 0, 1] as [Int64?])
    func clockSkew(encoding: InstantEncoding, beyond: Int64?) throws {
        let now = Instant.sampleNow
        let date = beyond.map { now.advanced(bySeconds: 300 + $0) } ?? now
        guard let text = Self.sql(date.value(as: encoding)) else { return }
        let scan = try Self.scan("INSERT INTO Item VALUES ('a', \(text))", encoding: encoding, now: now)
        #expect(scan.newestRecordAt == date)
        #expect(scan.hasClockSkew == (beyond == 1))
    }

    private static func sql(_ value: Value) -> String? {
        switch value {
        case .integer, .real: value.readable
        case .text: "'\(value.readable)'"
        default: nil
        }
    }

    @Test("a store without a table or column, or with a view instead of a table, is rejected")
    func refusals() throws {
        for sql in ["CREATE TABLE Other(x)", "CREATE TABLE Item(id)", "CREATE VIEW Item AS SELECT 1 AS id, 2 AS at"] {
            let fixture = try ExportFixture([Entity(name: "Item", key: "id", modified: .init(column: "at"))], sql: sql)
            let store = try fixture.open()
            let error = failure {
                try ExportReading(store.connection, manifest: fixture.manifest, context: .sample())
            }
            #expect(error?.code == .data)
            #expect(error?.message.contains("Item") == true)
        }
    }

    @Test("a cancelled scan ends")
    func cancelled() throws {
        let cancellation = Cancellation()
        cancellation.cancel(.terminated)
        let fixture = try ExportFixture(
            [Entity(name: "Item", key: "id", modified: .init(column: "at"))], sql: "CREATE TABLE Item(id TEXT, at);")
        let store = try fixture.open()
        let error = failure {
            try ExportReading(
                store.connection, manifest: fixture.manifest, context: .sample(cancellation: cancellation))
        }
        #expect(error?.code == .terminated)
    }
}
