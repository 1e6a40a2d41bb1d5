import GodwitModel
import GodwitDedupe
import GodwitTestSupport
import Testing

/// Keys that occur more than once, in real stores of every kind.
struct RepeatedKeyTests {
    private static let note = "CREATE TABLE Note(id TEXT NOT NULL, body TEXT, at TEXT);"

    @Test(
        "the newest record of each key stays, and the others are set aside with all columns",
        arguments: ["DELETE", "WAL"])
    func newest(_ journal: String) throws {
        let bench = try DedupeBench(
            [.note],
            Self.note + """
                INSERT INTO Note VALUES
                  ('A', 'old', '2026-01-01T12:00:00+05:00'), ('A', 'new', '2026-01-01T10:00:00Z'),
                  ('B', 'single', NULL), ('C', 'x', '2026-01-01T00:00:00Z'), ('C', 'x', '2026-01-01T00:00:00Z'),
                  ('A', 'undated', NULL);
                """, journal: journal)
        #expect(try bench.hasWork())
        let report = try bench.dedupe()
        #expect(report.outcome == .done)
        #expect(report.store == .local)
        #expect(report.groupCount == 2)
        #expect(report.removed == ["Note": 3])
        #expect(report.repointed == 0)
        #expect(report.groups.map(\.key) == ["A", "C"])
        #expect(report.groups.map(\.reason) == [.newest, .identical])
        #expect(report.groups.map(\.losers.count) == [2, 1])
        #expect(report.groups.allSatisfy { !$0.rekeyed })
        #expect(report.groups[0].winner.modifiedAt == Instant(iso8601: "2026-01-01T10:00:00Z"))
        #expect(report.dates.unreadable == ["Note": 1])
        #expect(
            try bench.text("SELECT * FROM Note ORDER BY id") == [
                "A|new|2026-01-01T10:00:00Z", "B|single|NULL", "C|x|2026-01-01T00:00:00Z",
            ])
        #expect(
            try bench.text("SELECT entity, key, reason, winnerKey, runId, removedAt FROM godwit_removed ORDER BY id")
                == [
                    "Note|A|newest|A|RUN-1|2026-11-21T06:00:00.000Z", "Note|A|newest|A|RUN-1|2026-11-21T06:00:00.000Z",
                    "Note|C|identical|C|RUN-1|2026-11-21T06:00:00.000Z",
                ])
        #expect(try bench.count("Note") + bench.count("godwit_removed") == 6)
    }

    /// Keys that look equal to people, to collations or to arithmetic.
    private static let lookalikes: [Value] = [
        .string("a"), .string("A"), .string("a "), .string("á"), .string("a\u{301}"), .text([]), .blob([]),
        .blob([0x61]), .string("1"), .integer(1), .real(1), .integer(2), .real(0.5), .text([0x61, 0x00]), .text([0xFF]),
        .integer(.max), .real(9_223_372_036_854_775_808),
    ]

    @Test("distinct keys stay distinct, with any collation", arguments: ["", "COLLATE NOCASE", "COLLATE RTRIM"])
    func lookalikes(_ collation: String) throws {
        // A column without a type keeps every storage class.
        for index in ["", "CREATE INDEX Note_id ON Note(id);"] {
            let bench = try DedupeBench([.note], "CREATE TABLE Note(id \(collation), body, at);" + index)
            for (number, key) in Self.lookalikes.enumerated() {
                try bench.execute("INSERT INTO Note VALUES (?, ?, NULL)", [key, .integer(Int64(number))])
            }
            #expect(try !bench.hasWork())
            #expect(try bench.dedupe().groupCount == 0)
            for key in Self.lookalikes {
                try bench.execute("INSERT INTO Note VALUES (?, 'twice', NULL)", [key])
            }
            #expect(try bench.hasWork())
            let report = try bench.dedupe()
            #expect(report.groupCount == Self.lookalikes.count)
            #expect(report.removed == ["Note": Self.lookalikes.count])
            #expect(Set(try bench.rows("SELECT id FROM Note").map { $0[0] }) == Set(Self.lookalikes))
            #expect(try bench.count("Note") == Self.lookalikes.count)
            // Integers sort before text, so the first of each pair has the smaller body.
            #expect(try bench.rows("SELECT 1 FROM Note WHERE body = 'twice'").isEmpty)
            #expect(Set(try bench.rows("SELECT key FROM godwit_removed").map { $0[0] }) == Set(Self.lookalikes))
        }
    }

    @Test("an integer and a real that SQLite treats as equal are two keys")
    func mixedNumbers() throws {
        let bench = try DedupeBench(
            [.note],
            "CREATE TABLE Note(id, body, at); INSERT INTO Note VALUES (1, 'a', NULL), (1.0, 'b', NULL), (1, 'c', NULL);"
        )
        let report = try bench.dedupe()
        #expect(report.removed == ["Note": 1])
        #expect(try bench.text("SELECT typeof(id), body FROM Note ORDER BY body") == ["integer|a", "real|b"])
        #expect(try !bench.hasWork() || bench.dedupe().groupCount == 0)
    }

    @Test("a store in UTF-16 is deduped like any other", arguments: ["UTF-16le", "UTF-16be"])
    func utf16(_ encoding: String) throws {
        let bench = try DedupeBench(
            [.note],
            Self.note
                + "INSERT INTO Note VALUES ('ключ', 'a', NULL), ('ключ', 'b', NULL), ('КЛЮЧ', 'c', NULL), ('𝄞', 'd', NULL);",
            encoding: encoding)
        #expect(try bench.dedupe().removed == ["Note": 1])
        #expect(try bench.text("SELECT id, body FROM Note ORDER BY body") == ["ключ|a", "КЛЮЧ|c", "𝄞|d"])
        #expect(try bench.removedRecords() == [["id": .string("ключ"), "body": .string("b"), "at": .null]])
    }

    @Test(
        "keys in UTF-16 that differ by a bit are several, and undo restores each", arguments: WideSample.encodings
    )
    func unpairedKeys(_ encoding: String) throws {
        let keys = WideSample.all.map { $0.sql(in: encoding) }
        let bench = try DedupeBench(
            [.note],
            Self.note + "INSERT INTO Note VALUES \(keys.map { "(\($0), \($0), NULL)" }.joined(separator: ", "));",
            encoding: encoding)
        let bits = "SELECT hex(CAST(id AS BLOB)), hex(CAST(body AS BLOB)) FROM Note ORDER BY 1, 2"
        #expect(try !bench.hasWork())
        #expect(try bench.dedupe().groupCount == 0)
        try bench.execute("INSERT INTO Note SELECT id, id || 'z', NULL FROM Note")
        let before = try bench.rows(bits)
        #expect(try bench.dedupe(run: "RUN-2").removed == ["Note": keys.count])
        let kept = try bench.rows(bits).map { $0[0] }
        #expect(
            Set(kept) == Set(WideSample.all.map { Value.string($0.stored(in: encoding)) }) && kept.count == keys.count)
        try bench.undo("RUN-2")
        #expect(try bench.rows(bits) == before)
    }

    @Test("a NULL key gives 65 and is counted, and nothing changes", arguments: [Entity.note, Entity.settings()])
    func nullKeys(_ entity: Entity) throws {
        let bench = try DedupeBench(
            [entity],
            "CREATE TABLE \(entity.name)(id TEXT, at TEXT); INSERT INTO \(entity.name) VALUES ('A', 1), ('A', 2), (NULL, 3), (NULL, 4);"
        )
        for error in [failure { try bench.hasWork() }, failure { try bench.dedupe() }] {
            #expect(error?.code == .data)
            #expect(error?.message == "`Notes.store`: 2 \(entity.name) records without a value in 'id'")
        }
        #expect(try bench.count(entity.name) == 4)
        #expect(try !bench.has("godwit_removed"))
    }

    @Test("rows of a table WITHOUT ROWID are identified by the primary key, with any values")
    func withoutRowid() throws {
        let bench = try DedupeBench(
            [.note],
            """
            CREATE TABLE Note(id TEXT, part, name TEXT COLLATE NOCASE, body TEXT, at TEXT, PRIMARY KEY(name, part))
              WITHOUT ROWID;
            INSERT INTO Note VALUES ('A', 1, 'x', 'old', '2026-01-01'), ('A', '1', 'x', 'new', '2026-01-02'),
              ('A', x'31', 'X', 'older', '2025-01-01'), ('B', 2, 'x', 'single', NULL);
            """)
        let report = try bench.dedupe()
        #expect(report.removed == ["Note": 2])
        #expect(try bench.text("SELECT id, body FROM Note ORDER BY id") == ["A|new", "B|single"])
        #expect(Set(try bench.removedRecords().map { $0["part"] }) == [.integer(1), .blob([0x31])])
    }

    @Test("columns named like the rowid are harmless, in any number")
    func rowidNames() throws {
        let two = "CREATE TABLE Note(id TEXT, at TEXT, _rowid_ TEXT, rowid TEXT);"
        let rows =
            "INSERT INTO Note VALUES ('A', '2026-01-01T00:00:00Z', 'r', 'r'), ('A', '2026-01-02T00:00:00Z', 'r', 'r');"
        let bench = try DedupeBench([.note], two + rows)
        #expect(try bench.dedupe().removed == ["Note": 1])
        #expect(try bench.text("SELECT at FROM Note") == ["2026-01-02T00:00:00Z"])
        let three = try DedupeBench([.note], "CREATE TABLE Note(id TEXT, at TEXT, _rowid_ TEXT, RowID TEXT, oid TEXT);")
        let error = try #require(failure { try three.dedupe() })
        #expect(error.code == .data)
        #expect(error.message.contains("_rowid_, rowid and oid"))
    }

    @Test("names that need quotes, and generated columns, are harmless")
    func names() throws {
        let entity = Entity(
            name: "My \"Notes\"; --", key: "the key", modified: ModifiedColumn(column: "select", encoding: .unixSeconds)
        )
        let bench = try DedupeBench(
            [entity],
            """
            CREATE TABLE "My ""Notes""; --"("the key" TEXT, "select" INTEGER, "d" AS (upper("the key")) STORED);
            INSERT INTO "My ""Notes""; --" VALUES ('k', 1), ('k', 2);
            """)
        #expect(try bench.dedupe().removed == ["My \"Notes\"; --": 1])
        #expect(try bench.removedRecords() == [["the key": .string("k"), "select": .integer(1)]])
    }

    @Test("all columns of a removed record are kept exactly")
    func whole() throws {
        let columns: [Value] = [
            .null, .integer(.min), .integer(.max), .integer(9_007_199_254_740_991), .integer(9_007_199_254_740_992),
            .real(0.1), .real(-1.5e300), .real(.leastNonzeroMagnitude), .real(.infinity), .real(-.infinity), .real(3),
            .text([]),
            .text([0x61, 0x00, 0x62]), .text([0xFF, 0xFE]), .string("\"\\/\u{1}\n\u{7F}\u{2028}naïve ☕️"), .blob([]),
            .blob(Array(0...255)),
        ]
        let names = columns.indices.map { "c\($0)" }
        let bench = try DedupeBench([.note], "CREATE TABLE Note(id TEXT, at, \(names.joined(separator: ", ")));")
        let parameters = columns.map { _ in "?" }.joined(separator: ", ")
        try bench.execute("INSERT INTO Note VALUES ('A', 1, \(parameters))", columns)
        try bench.execute("INSERT INTO Note(id, at) VALUES ('A', 2)")
        #expect(try bench.dedupe().removed == ["Note": 1])
        var expected: [String: Value] = ["id": .string("A"), "at": .integer(1)]
        for (name, value) in zip(names, columns) { expected[name] = value }
        #expect(try bench.removedRecords() == [expected])
        #expect(try bench.text("SELECT json_valid(record) FROM godwit_removed") == ["1"])
    }
}
