import GodwitLedger
import GodwitModel
import GodwitSQLite
import Foundation
import GodwitCopy
import GodwitTestSupport
import Testing

struct CopyBooksTests {
    private static func source(_ fixture: CopyFixture, _ body: (SQLiteConnection) throws(GodwitError) -> Void) throws {
        let writer = try StoreWriter(existing: fixture.localPath, name: "L.store", stage: .dedupe, context: .sample())
        try writer.transaction(.dedupe, body)
        try writer.close(.dedupe)
    }

    private static func filled() throws -> CopyFixture {
        let fixture = try CopyFixture.items()
        try fixture.local("INSERT INTO Item VALUES ('a', 'l', 1, 2), ('b', 'l', 1, 1)").close()
        return fixture
    }

    @Test("the receipt has run, time, manifest and the counts of each entity")
    func receipt() throws {
        let fixture = try Self.filled()
        try fixture.cloud("INSERT INTO Item VALUES ('a', 'c', 1, 1)").close()
        try fixture.copy(run: "RUN-9", duplicates: ["Item": 3])
        let store = try StoreSnapshot(of: fixture.cloudPath, name: "C", stage: .copy, context: .sample())
        let receipt = try #require(try store.connection.readReceipt(.copy))
        #expect(receipt.runIdentifier == "RUN-9")
        #expect(receipt.completedAt == .sampleNow)
        #expect(receipt.manifestSHA256 == fixture.manifest.sha256)
        let detail = try #require(
            try JSONSerialization.jsonObject(with: Data(receipt.detail.utf8)) as? [String: Any])
        let entities = try #require(detail["entities"] as? [[String: Any]])
        let entity = try #require(entities.first)
        #expect(detail["local"] is String)
        #expect(entity["name"] as? String == "Item")
        let counts = ["local", "inserted", "updated", "equal", "cloudKept", "duplicates"].map { entity[$0] as? Int }
        #expect(counts == [5, 1, 1, 0, 0, 3])
    }

    @Test("duplicates that dedupe removed from the source count as local records")
    func duplicates() throws {
        let fixture = try Self.filled()
        let entity = try #require(try fixture.copy(duplicates: ["Item": 2, "Other": 5]).entities.first)
        #expect((entity.local, entity.duplicates, entity.inserted) == (4, 2, 2))
    }

    @Test("dates that decided duplicates of the source are reported with the copy's own")
    func datesOfDuplicates() throws {
        let fixture = try Self.filled()
        try fixture.cloud("INSERT INTO Item VALUES ('a', 'c', 1, NULL)").close()
        var report = RunReport.Dedupe(removed: ["Item": 1])
        report.dates.unreadable = ["Item": 2, "Other": 1]
        report.dates.future = ["Item": 1]
        let copied = try fixture.copy(duplicates: SourceDuplicates(report))
        #expect(copied.dates.unreadable == ["Item": 3, "Other": 1])
        #expect(copied.dates.future == ["Item": 1])
        #expect(copied.entities.first?.duplicates == 1)
    }

    @Test("the legacy receipt is copied, and does not replace an existing one")
    func legacyReceipt() throws {
        for hasOwn in [false, true] {
            let fixture = try Self.filled()
            func receipt(_ run: String) -> Receipt {
                Receipt(
                    stage: .legacy, runIdentifier: run, completedAt: Instant(seconds: 5), manifestSHA256: "m",
                    detail: "{\"keys\":3}")
            }
            try Self.source(fixture) { connection throws(GodwitError) in try connection.write(receipt("LOCAL")) }
            if hasOwn {
                try fixture.cloud().close()
                let writer = try StoreWriter(existing: fixture.cloudPath, name: "C", stage: .legacy, context: .sample())
                try writer.transaction(.legacy) { cloud throws(GodwitError) in try cloud.write(receipt("CLOUD")) }
                try writer.close(.legacy)
            }
            try fixture.copy()
            let store = try StoreSnapshot(of: fixture.cloudPath, name: "C", stage: .copy, context: .sample())
            #expect(try store.connection.readReceipt(.legacy) == receipt(hasOwn ? "CLOUD" : "LOCAL"))
        }
    }

    private static func keepLosers(_ fixture: CopyFixture, run: String) throws {
        try source(fixture) { connection throws(GodwitError) in
            let books = try RemovedRecords(connection, runIdentifier: run, now: .sampleNow)
            try books.keep(
                entity: "Item", key: .integer(5), columns: ["id", "title"], values: [.integer(5), .blob([0, 255])],
                reason: "newest", winnerKey: .string("a"))
            try books.keepChange(
                entity: "Item", key: .integer(5), column: "id", from: .integer(5), to: .string("a"), reason: "rekeyed",
                identity: [.integer(5)])
        }
    }

    @Test("records that dedupe removed from the source are copied to the ledger, also those of an interrupted run")
    func losers() throws {
        let fixture = try Self.filled()
        try Self.keepLosers(fixture, run: "RUN-0")
        try Self.keepLosers(fixture, run: "RUN-1")
        try fixture.copy(run: "RUN-1")
        for (table, columns) in [
            ("godwit_removed", "entity, key, typeof(key), record, reason, winnerKey, runId, removedAt"),
            ("godwit_changed", "entity, key, \"column\", oldValue, typeof(oldValue), newValue, reason, runId"),
        ] {
            let sql = "SELECT \(columns) FROM \(table) ORDER BY id"
            #expect(try fixture.localRows(sql).count == 2)
            #expect(try fixture.cloudRows(sql) == fixture.localRows(sql))
        }
    }

    @Test("copied ledger rows are marked, and cannot be undone in the cloud store")
    func carried() throws {
        let fixture = try Self.filled()
        try Self.keepLosers(fixture, run: "RUN-0")
        try Self.source(fixture) { connection throws(GodwitError) in
            try connection.markUndone("RUN-0", by: "UNDO-0", at: .sampleNow)
        }
        try Self.keepLosers(fixture, run: "RUN-1")
        try fixture.copy(run: "RUN-1")
        for table in ["godwit_removed", "godwit_changed"] {
            #expect(try fixture.localRows("SELECT carriedFrom FROM \(table)") == [[.null], [.null]])
            #expect(
                try fixture.cloudRows("SELECT runId, carriedFrom, undoneBy FROM \(table) ORDER BY id") == [
                    [.string("RUN-0"), .string("local"), .string("UNDO-0")],
                    [.string("RUN-1"), .string("local"), .null],
                ])
        }
        let cloud = try StoreSnapshot(of: fixture.cloudPath, name: "C", stage: .copy, context: .sample())
        #expect(try cloud.connection.readBookedRuns().map(\.open) == [0, 0])
        #expect(try cloud.connection.readBookedRuns().map(\.carried) == [2, 2])
        #expect(try cloud.connection.readBookedRuns().map(\.carriedRecords) == [1, 1])
    }

    @Test("the ledger of an older Godwit is copied too")
    func olderBooks() throws {
        let fixture = try Self.filled()
        try Self.source(fixture) { connection throws(GodwitError) in
            try connection.execute(
                """
                CREATE TABLE godwit_removed(
                  id INTEGER PRIMARY KEY, entity TEXT NOT NULL, key, record TEXT NOT NULL, reason TEXT NOT NULL,
                  winnerKey, runId TEXT NOT NULL, removedAt TEXT NOT NULL)
                """)
            try connection.execute(
                "INSERT INTO godwit_removed VALUES (1, 'Item', 'x', '{\"id\":\"x\"}', 'newest', 'x', 'OLD', 'then')")
        }
        try fixture.copy(run: "RUN-1")
        #expect(
            try fixture.cloudRows("SELECT key, runId, carriedFrom, undoneBy FROM godwit_removed")
                == [[.string("x"), .string("OLD"), .string("local"), .null]])
    }

    @Test("a second run does not copy removed records again")
    func losersOnce() throws {
        let fixture = try Self.filled()
        try Self.keepLosers(fixture, run: "RUN-1")
        try fixture.copy(run: "RUN-1")
        try fixture.copy(run: "RUN-2")
        #expect(try fixture.cloudText("SELECT runId FROM godwit_removed") == "RUN-1")
        #expect(try fixture.cloudText("SELECT runId FROM godwit_changed") == "RUN-1")
    }
}
