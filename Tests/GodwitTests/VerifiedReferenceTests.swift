import Godwit
import GodwitModel
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// What `verify` names of references and foreign keys that lead nowhere: the records to look at.
struct VerifiedReferenceTests {
    private func lost(_ key: String) -> String {
        ErrorTests.orphan.replacingOccurrences(of: "'lost'", with: "'\(key)'")
    }

    /// The records that a check of a container with some harm done to its cloud store names.
    private func records(
        _ check: String, _ sql: String, options: (inout MigrationOptions) -> Void = { _ in }
    ) throws -> [RunReport.Verify.Record] {
        let app = try TrainLog(.container)
        try app.perform()
        try app.write(TrainLog.cloud, sql)
        let before = try app.fingerprint()
        let report = try app.perform(.verify, options: options)
        #expect(try app.fingerprint().differences(from: before) == [])
        let found = try #require(report.check(check))
        #expect(found.verdict != .passed)
        return found.records ?? []
    }

    @Test("orphans are named by their keys, in key order, also if they are allowed")
    func references() throws {
        let harm = lost("lost-2") + lost("lost-10") + lost("lost-1")
        let expected = ["lost-1", "lost-10", "lost-2"].map {
            RunReport.Verify.Record($0, .dangling, reference: "ExerciseSet.workoutId")
        }
        #expect(try records("references.cloud", harm) == expected)
        #expect(try records("references.cloud", harm) { $0.allowsOrphans = true } == expected)
    }

    @Test("of many the first twenty are named")
    func many() throws {
        let harm = (10..<40).map { lost("lost-\($0)") }.joined()
        #expect(try records("references.cloud", harm).map(\.key) == (10..<30).map { "lost-\($0)" })
        let keys = """
            CREATE TABLE Diary(id INTEGER PRIMARY KEY); CREATE TABLE Notes(id TEXT PRIMARY KEY, a REFERENCES Diary);
            CREATE TABLE Other(id TEXT PRIMARY KEY, a REFERENCES Diary);
            """
        let rows = (10..<25).map { "INSERT INTO Notes VALUES ('\($0)', 7); INSERT INTO Other VALUES ('\($0)', 7);" }
        let named = try records("foreignKeys.cloud", keys + rows.joined())
        #expect(named.map(\.key) == (10..<25).map { "\($0)" } + (10..<15).map { "\($0)" })
        let references = Array(repeating: "Notes.a", count: 15) + Array(repeating: "Other.a", count: 5)
        #expect(named.map(\.reference) == references)
    }

    /// A table of its own, and how its one record that breaks a foreign key is named.
    struct Table: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let sql: String
        let named: [RunReport.Verify.Record]

        init(_ description: String, _ sql: String, _ key: String?, by reference: String) {
            testDescription = description
            self.sql = sql
            named = key.map { [RunReport.Verify.Record($0, .dangling, reference: reference)] } ?? []
        }
    }

    static let tables = [
        Table(
            "a key of one column", "CREATE TABLE N(k TEXT PRIMARY KEY, p REFERENCES D); INSERT INTO N VALUES ('k1', 7)",
            "k1", by: "N.p"),
        Table(
            "a rowid that a column names",
            "CREATE TABLE N(k INTEGER PRIMARY KEY, p REFERENCES D); INSERT INTO N VALUES (12, 7)",
            "12", by: "N.p"),
        Table("no key", "CREATE TABLE N(p REFERENCES D); INSERT INTO N VALUES (NULL), (7)", "rowid 2", by: "N.p"),
        Table(
            "a key of two columns",
            "CREATE TABLE N(a, b, p REFERENCES D, PRIMARY KEY (a, b)); INSERT INTO N VALUES (1, 2, 7)", "rowid 1",
            by: "N.p"),
        Table(
            "a column called like the rowid",
            "CREATE TABLE N(_rowid_ TEXT, k BLOB PRIMARY KEY, p REFERENCES D); INSERT INTO N VALUES ('x', x'00FF', 7)",
            "x'00FF'", by: "N.p"),
        Table(
            "names that need quoting",
            """
            CREATE TABLE "N ""n"("k k" TEXT PRIMARY KEY, "p'p" REFERENCES D); INSERT INTO "N ""n" VALUES ('q', 7)
            """,
            "q", by: "N \"n.p'p"),
        Table(
            "no rowid: counted, and named by nothing",
            "CREATE TABLE N(k TEXT PRIMARY KEY, p REFERENCES D) WITHOUT ROWID; INSERT INTO N VALUES ('k1', 7)", nil,
            by: "N.p"),
        Table(
            "a foreign key of two columns",
            """
            CREATE TABLE E(a, b, PRIMARY KEY (a, b));
            CREATE TABLE N(k TEXT PRIMARY KEY, a, b, FOREIGN KEY (a, b) REFERENCES E); INSERT INTO N VALUES ('k1', 1, 2)
            """, "k1", by: "N.a+b"),
    ]

    @Test("records that break a foreign key are named by what identifies them", arguments: tables)
    func foreignKeys(_ table: Table) throws {
        let sql = "CREATE TABLE D(id INTEGER PRIMARY KEY); \(table.sql);"
        #expect(try records("foreignKeys.cloud", sql) == table.named)
    }

    @Test("a check's records are the same in JSON, read back")
    func json() throws {
        let check = RunReport.Verify.Check(
            "references.cloud", .failed, "1",
            records: [RunReport.Verify.Record("k", .dangling, reference: "Set.workout")])
        let text = try JSONEncoder().encode(check)
        #expect(try JSONDecoder().decode(RunReport.Verify.Check.self, from: text).records == check.records)
        let plain = try JSONEncoder().encode(RunReport.Verify.Record("k", .missing))
        #expect(!String(decoding: plain, as: UTF8.self).contains("reference"))
    }
}
