import GodwitLedger
import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Testing

struct LedgerTests {
    /// An empty store in memory; the ledger only needs SQL.
    private func withStore(_ body: (SQLiteConnection) throws -> Void) throws {
        let store = try MemoryStore(stage: .status)
        try body(store.connection)
        withExtendedLifetime(store.connection.handle) {}
    }

    @Test("each ledger table is created only if it does not exist", arguments: Ledger.Table.allCases)
    func tables(table: Ledger.Table) throws {
        try withStore { connection throws in
            #expect(try !connection.has(table))
            try connection.makeTable(table)
            try connection.makeTable(table)
            #expect(try connection.has(table))
            #expect(table.rawValue.hasPrefix(ReservedNames.tablePrefix))
            #expect(try connection.readShape() == SchemaShape())
        }
    }

    @Test("a store without history, receipt or runs reports that")
    func nothing() throws {
        try withStore { connection throws in
            #expect(try connection.readHistory() == nil)
            #expect(try connection.readReceipt(.copy) == nil)
            #expect(try connection.readRuns(limit: 10) == [])
        }
    }

    @Test("applied schema files are read back in order, each version once")
    func history() throws {
        try withStore { connection throws in
            let records = [2, 1, 10].map { MigrationRecord(version: $0, name: "step \($0)", checksum: "sha256:\($0)") }
            for record in records { try connection.record(record, at: .sampleNow, durationMilliseconds: 5) }
            #expect(try connection.readHistory() == [records[1], records[0], records[2]])
            let again = failure { try connection.record(records[0], at: .sampleNow, durationMilliseconds: 5) }
            #expect(again?.code == .data)
            let rows = try connection.rows("SELECT appliedAt, durationMs, godwitVersion FROM godwit_migration LIMIT 1")
            #expect(rows == [[.string("2026-11-21T06:00:00.000Z"), .integer(5), .string(GodwitVersion.current)]])
        }
    }

    @Test("a receipt is read back as written, one for each stage, and never replaced")
    func receipts() throws {
        try withStore { connection throws in
            let receipt = Receipt(
                stage: .copy, runIdentifier: "RUN", completedAt: .sampleNow, manifestSHA256: "00ff",
                detail: #"{"counts":{"Note":2}}"#)
            try connection.write(receipt)
            #expect(try connection.readReceipt(.copy) == receipt)
            #expect(try connection.readReceipt(.legacy) == nil)
            #expect(failure { try connection.write(receipt) }?.code == .data)
        }
    }

    @Test("a removed record keeps every column, type and key, with the reason and the run")
    func removed() throws {
        try withStore { connection throws in
            let kept = try RemovedRecords(connection, runIdentifier: "RUN", now: .sampleNow)
            try kept.keep(
                entity: "Note", key: .blob([1]), columns: ["id", "a \"b\"", "n", "t"],
                values: [.blob([1]), .null, .integer(.max), .text([0xFF])], reason: "duplicate",
                winnerKey: .integer(7))
            let rows = try connection.rows(
                "SELECT entity, key, record, reason, winnerKey, runId, removedAt FROM godwit_removed")
            let json =
                #"{"id":{"$blob":"AQ=="},"a \"b\"":null,"n":{"$int":"9223372036854775807"},"t":{"$text":"/w=="}}"#
            #expect(
                rows == [
                    [
                        .string("Note"), .blob([1]), .string(json), .string("duplicate"), .integer(7), .string("RUN"),
                        .string("2026-11-21T06:00:00.000Z"),
                    ]
                ])
        }
    }

    @Test("a changed value is kept with the old and the new one, and their types")
    func changed() throws {
        try withStore { connection throws in
            let kept = try RemovedRecords(connection, runIdentifier: "RUN", now: .sampleNow)
            try kept.keepChange(
                entity: "Line", key: .string("1"), column: "note", from: .integer(1), to: .string("1"),
                reason: "re-pointed", identity: [.integer(5)])
            let rows = try connection.rows("SELECT key, \"column\", oldValue, newValue, reason FROM godwit_changed")
            #expect(rows == [[.string("1"), .string("note"), .integer(1), .string("1"), .string("re-pointed")]])
        }
    }

    /// The steps in the order in which they were done.
    private func openSteps(
        _ connection: SQLiteConnection, of run: String, laterThan before: Int64? = nil
    ) throws -> [LedgerStep] {
        var steps: [LedgerStep] = []
        try connection.forEachOpenStep(of: run, laterThan: before) { step throws(GodwitError) in
            steps.append(step)
            return true
        }
        return steps.reversed()
    }

    @Test("steps are read back in order through both tables, with the keys of their rows")
    func steps() throws {
        try withStore { connection throws in
            let kept = try RemovedRecords(connection, runIdentifier: "RUN", now: .sampleNow)
            try kept.keepChange(
                entity: "Line", key: .null, column: "note", from: .integer(1), to: .real(-0.0), reason: "repointed",
                identity: [.integer(5)])
            for reason in ["newest", "replaced:newest"] {
                try kept.keep(
                    entity: "Note", key: .string("k"), columns: ["id"], values: [.string("k")], reason: reason,
                    winnerKey: .integer(7), identity: [.blob([1]), .text([0xFF])])
            }
            let number = try kept.keepChange(
                entity: "Note", key: .string("k"), column: "id", from: .string("k"), to: .integer(7), reason: "rekeyed",
                identity: [])
            try kept.keepDigest("feed", ofChange: number)
            let steps = try openSteps(connection, of: "RUN")
            #expect(steps.map(\.entity) == ["Line", "Note", "Note"])
            #expect(steps.map(\.order) == steps.map(\.order).sorted())
            #expect(steps.map(\.identity) == [[.integer(5)], [.blob([1]), .text([0xFF])], []])
            #expect(steps.map(\.digest) == [nil, nil, "feed"])
            #expect(steps[0].action == .changed(column: "note", from: .integer(1), to: .real(-0.0)))
            #expect(steps[1].action == .removed(number: 1, winnerKey: .integer(7)))
            #expect(try connection.readRemovedRecord(1).map(\.value) == [.string("k")])
            #expect(try connection.hasReplaced("Note", key: .string("k"), laterThan: steps[0].order))
            #expect(try !connection.hasReplaced("Note", key: .string("k"), laterThan: steps[2].order))
            #expect(try openSteps(connection, of: "OTHER", laterThan: steps[0].order).count == 2)
            let open = try #require(try connection.readOpenSteps(of: "RUN"))
            #expect(open.first == steps[0].order)
            #expect(open.areExact)
            #expect(!open.hasInexactChanges)
            #expect(try connection.readOpenSteps(of: "OTHER") == nil)
            #expect(
                try connection.readBookedRuns()
                    == [LedgerRun(id: "RUN", startedAt: .sampleNow, open: 3, lastStep: 4)])
            try connection.markUndone("RUN", by: "UNDO", at: .sampleNow)
            #expect(try openSteps(connection, of: "RUN").isEmpty)
            #expect(try connection.readOpenSteps(of: "RUN") == nil)
            #expect(
                try connection.readBookedRuns()
                    == [LedgerRun(id: "RUN", startedAt: .sampleNow, open: 0, undone: 3, undoneBy: "UNDO", lastStep: 4)])
            #expect(
                try connection.first("SELECT undoneBy FROM godwit_removed WHERE reason = 'replaced:newest'") == .null)
        }
    }

    @Test("tables of an older Godwit get their missing columns and keep their rows")
    func olderTables() throws {
        try withStore { connection throws in
            try connection.execute("CREATE TABLE godwit_removed(id INTEGER PRIMARY KEY, runId TEXT, undoneBy TEXT)")
            try connection.execute("INSERT INTO godwit_removed VALUES (1, 'OLD', NULL)")
            for _ in 1...2 { try connection.makeTable(.removed) }
            #expect(
                try connection.columnNames(of: .removed).isSuperset(
                    of: ["step", "rowIdentity", "rowDigest", "carriedFrom", "undoneBy", "undoneAt"]))
            #expect(try connection.rows("SELECT runId, step FROM godwit_removed") == [[.string("OLD"), .null]])
            #expect(try connection.columnNames(of: .changed).isEmpty)
        }
    }

    private func run(_ id: String, seconds: Int64, error: String? = nil) -> HistoryEntry {
        HistoryEntry(
            id: id, command: "run", startedAt: Instant(seconds: seconds), durationMilliseconds: 12,
            outcome: error == nil ? .done : .failed, summary: "2 notes", counts: ["b": 2, "a": 1], error: error,
            godwitVersion: "0.1.0")
    }

    @Test("runs are read back in the order of recording, with any clock, with their errors")
    func runs() throws {
        try withStore { connection throws in
            let entries = [run("A", seconds: 100), run("B", seconds: 300, error: "Disk full."), run("C", seconds: 200)]
            for entry in entries { try connection.record(entry, kept: 10) }
            #expect(try connection.readRuns(limit: 10) == [entries[2], entries[1], entries[0]])
            #expect(try connection.readRuns(limit: 1).map(\.id) == ["C"])
            #expect(try connection.first("SELECT counts FROM godwit_run") == .string(#"{"a":1,"b":2}"#))
        }
    }

    @Test(
        "invalid counts are omitted, and the run is still reported",
        arguments: ["", "[1]", "{", #"{"a":"x"}"#, #"{"a":-1}"#, #"{"a":1e300}"#])
    func spoiledCounts(text: String) throws {
        try withStore { connection throws in
            try connection.record(run("A", seconds: 100), kept: 10)
            try connection.execute("UPDATE godwit_run SET counts = ?", [.string(text)])
            let read = try #require(try connection.readRuns(limit: 10).first)
            #expect(read.id == "A" && read.counts == [:])
        }
    }

    @Test("only the newest runs are kept, and within one second those recorded later", arguments: [0, 1, 3, 100])
    func keepsNewest(kept: Int) throws {
        try withStore { connection throws in
            for number in 1...6 { try connection.record(run("R\(number)", seconds: 100), kept: kept) }
            let expected = (1...6).reversed().prefix(kept).map { "R\($0)" }
            #expect(try connection.readRuns(limit: 100).map(\.id) == Array(expected))
        }
    }

    @Test("a view with the name of a ledger table is not written through")
    func viewInPlace() throws {
        try withStore { connection throws in
            try connection.execute("CREATE VIEW godwit_receipt AS SELECT 1 AS stage")
            let receipt = Receipt(
                stage: .copy, runIdentifier: "RUN", completedAt: .sampleNow, manifestSHA256: "", detail: "{}")
            #expect(failure { try connection.write(receipt) }?.code == .data)
            #expect(try connection.readReceipt(.copy) == nil)
        }
    }
}
