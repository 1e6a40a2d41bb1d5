import GodwitModel
import GodwitSQLite
import GodwitCopy
import GodwitTestSupport
import Testing

/// The copy into a cloud store that already has records.
struct MergeTests {
    /// One key in both stores: the two dates as SQL, and which record is kept under `keepNewest` and `keepEarliest`.
    struct Case: Sendable {
        let key: String
        let local: String
        let cloud: String
        let newest: StoreRole
        let earliest: StoreRole
    }

    static let cases: [Case] = [
        .init(key: "localNewer", local: "'2026-02-02'", cloud: "'2026-02-01'", newest: .local, earliest: .cloud),
        .init(key: "cloudNewer", local: "'2026-02-01'", cloud: "'2026-02-02'", newest: .cloud, earliest: .local),
        .init(key: "tie", local: "'2026-02-01'", cloud: "'2026-02-01'", newest: .cloud, earliest: .cloud),
        // As text the local one would be later; as an instant it is three hours older.
        .init(
            key: "offsetOlder", local: "'2026-02-01T12:00:00+05:00'", cloud: "'2026-02-01T10:00:00Z'", newest: .cloud,
            earliest: .local),
        .init(
            key: "offsetTie", local: "'2026-02-01T12:00:00+05:00'", cloud: "'2026-02-01T07:00:00Z'", newest: .cloud,
            earliest: .cloud),
        .init(
            key: "fraction", local: "'2026-02-01T10:00:00.1234567891Z'", cloud: "'2026-02-01T10:00:00.123456789Z'",
            newest: .local, earliest: .cloud),
        // A number is Unix seconds; a comparison of columns would sort any TEXT after it.
        .init(
            key: "numberNewer", local: "1790000000", cloud: "'2020-01-01T00:00:00Z'", newest: .local,
            earliest: .cloud),
        .init(key: "localNull", local: "NULL", cloud: "'1969-01-01'", newest: .cloud, earliest: .local),
        .init(key: "cloudNull", local: "'1969-01-01'", cloud: "NULL", newest: .local, earliest: .cloud),
        .init(key: "localUnreadable", local: "'30 Feb'", cloud: "'2026-02-01'", newest: .cloud, earliest: .local),
        .init(key: "bothUnreadable", local: "'soon'", cloud: "x'00'", newest: .cloud, earliest: .cloud),
        .init(key: "future", local: "'2027-01-01'", cloud: "'2026-02-01'", newest: .local, earliest: .cloud),
    ]

    private static func winner(_ example: Case, _ rule: ConflictRule) -> StoreRole {
        switch rule {
        case .keepNewest: example.newest
        case .keepEarliest: example.earliest
        case .keepCloud: .cloud
        case .keepLocal: .local
        }
    }

    @Test(
        "the rule decides the winner, no record is lost, and every local record has one outcome",
        arguments: ConflictRule.allCases, ["DELETE", "WAL"])
    func rules(rule: ConflictRule, journal: String) throws {
        let fixture = try CopyFixture.items(rule)
        let local = try fixture.local(journal: journal)
        let cloud = try fixture.cloud(journal: journal)
        for example in Self.cases {
            try local.execute("INSERT INTO Item VALUES ('\(example.key)', 'local', 1, \(example.local))")
            try cloud.execute("INSERT INTO Item VALUES ('\(example.key)', 'cloud', 2, \(example.cloud))")
        }
        try local.execute("INSERT INTO Item VALUES ('equal', 'same', 1.0, NULL), ('onlyLocal', 'local', NULL, NULL)")
        try cloud.execute("INSERT INTO Item VALUES ('equal', 'same', 1.0, NULL), ('onlyCloud', 'cloud', NULL, NULL)")
        try cloud.close()
        let before = try fixture.localFingerprint()

        let entity = try #require(try fixture.copy().entities.first)
        #expect(try fixture.localFingerprint().differences(from: before).isEmpty)
        try local.close()

        let count = Int64(Self.cases.count)
        let updated = Int64(Self.cases.count { Self.winner($0, rule) == .local })
        #expect(entity.inserted == 1)
        #expect(entity.equal == 1)
        #expect(entity.updated == updated)
        #expect(entity.cloudKept == count - updated)
        #expect(entity.local == entity.inserted + entity.updated + entity.equal + entity.cloudKept)
        #expect(entity.local == count + 2)
        #expect(entity.cloudBefore == count + 2)
        #expect(entity.cloudAfter == count + 3)
        for example in Self.cases {
            let title = try fixture.cloudText("SELECT title FROM Item WHERE id = '\(example.key)'")
            #expect(title == Self.winner(example, rule).rawValue, "\(example.key)")
        }
        #expect(
            try fixture.cloudText("SELECT title FROM Item WHERE id IN ('equal', 'onlyCloud', 'onlyLocal') ORDER BY id")
                == "same cloud local")
        // Replaced records are kept aside.
        let replaced = Self.cases.filter { Self.winner($0, rule) == .local }.map(\.key).sorted()
        #expect(try fixture.cloudRows("SELECT key FROM godwit_removed ORDER BY key").map { $0[0].readable } == replaced)
    }

    @Test("a replaced record is kept with all columns, the reason, the run and the date")
    func replacedRecord() throws {
        let fixture = try CopyFixture.items()
        try fixture.local("INSERT INTO Item VALUES ('k', 'new', 1, '2026-02-02')").close()
        try fixture.cloud(
            "INSERT INTO Item VALUES ('k', 'a \"b\" ' || char(10) || 'ü', x'00ff', '2026-02-01')"
        ).close()
        try fixture.copy(run: "RUN-7")
        let kept = try fixture.cloudRows(
            "SELECT entity, key, record, reason, winnerKey, runId, removedAt FROM godwit_removed")
        let record = #"{"id":"k","title":"a \"b\" \nü","amount":{"$blob":"AP8="},"updatedAt":"2026-02-01"}"#
        let expected = ["Item", "k", record, "replaced:newest", "k", "RUN-7", "2026-11-21T06:00:00.000Z"]
        #expect(kept.map { $0.map(\.readable) } == [expected])
    }

    @Test("unreliable dates that took part are counted")
    func dateFindings() throws {
        let fixture = try CopyFixture.items()
        try fixture.local(
            """
            INSERT INTO Item VALUES ('a', 'l', 1, 'never'), ('b', 'l', 1, '2026-11-21T06:05:01Z'),
            ('c', 'l', 1, '2026-11-21T06:05:00Z'), ('only', 'l', 1, 'never'), ('equal', 'l', 1, 'never')
            """
        ).close()
        try fixture.cloud(
            """
            INSERT INTO Item VALUES ('a', 'c', 1, NULL), ('b', 'c', 1, '2026-01-01'), ('c', 'c', 1, '2026-01-01'),
            ('equal', 'l', 1, 'never')
            """
        ).close()
        let dates = try fixture.copy().dates
        #expect(dates.unreadable == ["Item": 2])
        #expect(dates.future == ["Item": 1])
    }

    @Test("dates are read in the encoding of the manifest", arguments: InstantEncoding.allCases)
    func encodings(encoding: InstantEncoding) throws {
        let fixture = try CopyFixture.items(.keepNewest, encoding: encoding)
        let local = try fixture.local()
        let cloud = try fixture.cloud()
        let (older, newer) = (Instant(seconds: 1_700_000_000), Instant(seconds: 1_700_000_001))
        for (key, mine, theirs) in [("mine", newer, older), ("theirs", older, newer), ("tie", newer, newer)] {
            let values = [Value.string(key), mine.value(as: encoding)]
            try local.execute("INSERT INTO Item VALUES (?, 'mine', 1, ?)", values)
            try cloud.execute("INSERT INTO Item VALUES (?, 'theirs', 1, ?)", [values[0], theirs.value(as: encoding)])
        }
        try local.close()
        try cloud.close()
        try fixture.copy()
        #expect(try fixture.cloudText("SELECT title FROM Item ORDER BY id") == "mine theirs theirs")
    }

    @Test("an entity without a date column keeps the cloud record")
    func withoutDates() throws {
        let fixture = try CopyFixture([Entity(name: "Tag", key: "id")], schema: "CREATE TABLE Tag(id TEXT, name);")
        try fixture.local("INSERT INTO Tag VALUES ('a', 'local'), ('b', 'local')").close()
        try fixture.cloud("INSERT INTO Tag VALUES ('a', 'cloud')").close()
        let report = try fixture.copy()
        #expect(report.entities.first?.cloudKept == 1)
        #expect(report.dates == DateFindings())
        #expect(try fixture.cloudText("SELECT name FROM Tag ORDER BY id") == "cloud local")
    }

    @Test("values that are equal for SQL but differ in storage class or bits are decided by the rule")
    func exactEquality() throws {
        let fixture = try CopyFixture.items()
        try fixture.local("INSERT INTO Item VALUES ('a', 1, '', 2), ('b', x'', 'x', 2), ('c', 'A', '1', 2)").close()
        try fixture.cloud("INSERT INTO Item VALUES ('a', 1.0, '', 1), ('b', '', 'x', 1), ('c', 'A', 1, 1)").close()
        #expect(try fixture.copy().entities.first?.updated == 3)
        let types = try fixture.cloudText("SELECT typeof(title) || typeof(amount) FROM Item")
        #expect(types == "integertext blobtext texttext")
    }

    @Test("other tables, journal mode and schema report of the cloud store stay")
    func untouchedRest() throws {
        let fixture = try CopyFixture.items()
        try fixture.local("INSERT INTO Item VALUES ('a', 1, 1, 1)").close()
        try fixture.cloud(journal: "WAL", "CREATE TABLE Other(x); INSERT INTO Other VALUES (7)").close()
        let report = try fixture.copy()
        #expect(!report.createdStore)
        #expect(report.schema?.outcome == .nothingToDo)
        #expect(report.dedupe?.store == .cloud)
        #expect(try fixture.cloudText("SELECT x FROM Other") == "7")
        #expect(StoreHeader(Array(try fixture.folder.bytes(of: "cloud/C.store").prefix(100)))?.isWAL == true)
        #expect(fixture.cloudNames == ["C.store"])
    }

    @Test("the dedupe of the cloud store is part of the same transaction")
    func dedupeInside() throws {
        let fixture = try CopyFixture.items()
        try fixture.local("INSERT INTO Item VALUES ('a', 'l', 1, 2)").close()
        try fixture.cloud("INSERT INTO Item VALUES ('a', 'c', 1, 1), ('a', 'c', 1, 1)").close()
        let dedupe: @Sendable (SQLiteConnection) throws(GodwitError) -> Void = { cloud throws(GodwitError) in
            try cloud.execute("DELETE FROM Item WHERE rowid = 2")
        }
        let fault = Fault(at: .beforeCopyCommit)
        #expect(throws: GodwitError.self) {
            try fixture.copy(
                .sample(faultPoint: { point throws(GodwitError) in try fault.meet(point) }), dedupe: dedupe)
        }
        #expect(try fixture.cloudText("SELECT title FROM Item") == "c c")
        let entity = try #require(try fixture.copy(dedupe: dedupe).entities.first)
        #expect(entity.cloudBefore == 1)
        #expect(entity.updated == 1)
        #expect(try fixture.cloudText("SELECT title FROM Item") == "l")
    }

    @Test("a second merge changes only the receipt")
    func again() throws {
        let fixture = try CopyFixture.items()
        try fixture.local("INSERT INTO Item VALUES ('a', 'l', 1, 2), ('b', 'l', 1, 1), ('c', 'l', 1, 1)").close()
        try fixture.cloud("INSERT INTO Item VALUES ('a', 'c', 1, 1), ('b', 'c', 1, 2), ('x', 'c', 1, 2)").close()
        try fixture.copy(run: "RUN-1")
        let items = try fixture.cloudRows("SELECT rowid, * FROM Item ORDER BY rowid")
        let removed = try fixture.cloudRows("SELECT * FROM godwit_removed")
        let second = try #require(try fixture.copy(run: "RUN-2").entities.first)
        #expect((second.equal, second.cloudKept, second.inserted, second.updated) == (2, 1, 0, 0))
        #expect(try fixture.cloudRows("SELECT rowid, * FROM Item ORDER BY rowid") == items)
        #expect(try fixture.cloudRows("SELECT * FROM godwit_removed") == removed)
        #expect(try fixture.cloudText("SELECT runId FROM godwit_receipt") == "RUN-2")
    }
}
