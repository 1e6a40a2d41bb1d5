import GodwitModel
import GodwitDedupe
import GodwitTestSupport
import Testing

struct SingletonTests {
    private static let settings = "CREATE TABLE Settings(id TEXT NOT NULL, unit TEXT, at TEXT);"

    private func bench(_ rows: String, schema: String = settings) throws -> DedupeBench {
        try DedupeBench([.settings()], schema + (rows.isEmpty ? "" : "INSERT INTO Settings VALUES \(rows);"))
    }

    @Test(
        "no singleton record, or one with the fixed key, needs nothing", arguments: ["", "('singleton', 'kg', NULL)"])
    func nothing(_ rows: String) throws {
        let bench = try bench(rows)
        #expect(try !bench.hasWork())
        #expect(try bench.dedupe().outcome == .nothingToDo)
    }

    @Test("a singleton with a wrong key gets the fixed key in place, and the change is recorded")
    func wrongKey() throws {
        let bench = try bench("('9F3C', 'kg', 'garbled')")
        let rowid = try bench.text("SELECT rowid FROM Settings")
        #expect(try bench.hasWork())
        let report = try bench.dedupe()
        #expect(report.outcome == .done)
        #expect(report.groupCount == 1)
        #expect(report.removed.isEmpty)
        #expect(report.groups.first?.rekeyed == true)
        #expect(report.groups.first?.reason == .onlyOne)
        #expect(report.groups.first?.key == "singleton")
        #expect(report.groups.first?.winner.key == "9F3C")
        #expect(report.dates == DateFindings(), "no date took part in a choice")
        #expect(try bench.text("SELECT * FROM Settings") == ["singleton|kg|garbled"])
        #expect(try bench.text("SELECT rowid FROM Settings") == rowid, "by UPDATE, never by DELETE and INSERT")
        #expect(
            try bench.text("SELECT entity, key, \"column\", oldValue, newValue, reason, runId FROM godwit_changed")
                == ["Settings|9F3C|id|9F3C|singleton|rekeyed|RUN-1"])
        #expect(try bench.count("godwit_removed") == 0)
        #expect(try !bench.hasWork())
        #expect(try bench.dedupe().groupCount == 0)
    }

    @Test(
        "of two singleton records the newest stays with the fixed key, even if another has it now",
        arguments: [
            ("('singleton', 'old', '2026-01-01T00:00:00Z'), ('B', 'new', '2026-01-02T00:00:00Z')", true),
            ("('singleton', 'new', '2026-01-02T00:00:00Z'), ('B', 'old', '2026-01-01T00:00:00Z')", false),
            ("('A', 'old', NULL), ('B', 'new', '1970-01-01T00:00:00.000Z')", true),
            ("('singleton', 'old', NULL), ('singleton', 'new', '2026-01-02T00:00:00Z')", false),
        ])
    func two(_ rows: String, _ isRekeyed: Bool) throws {
        let unique = "CREATE TABLE Settings(id TEXT PRIMARY KEY, unit TEXT, at TEXT);"
        for schema in [Self.settings, unique] where schema != unique || rows.occurrences(of: "'singleton'") < 2 {
            let bench = try bench(rows, schema: schema)
            let report = try bench.dedupe()
            #expect(report.removed == ["Settings": 1])
            #expect(report.groups.first?.rekeyed == isRekeyed)
            #expect(report.groups.first?.reason == .newest)
            #expect(try bench.text("SELECT id, unit FROM Settings") == ["singleton|new"])
            #expect(try bench.text("SELECT winnerKey FROM godwit_removed") == ["singleton"])
            #expect(try bench.removedRecords().map { $0["unit"] } == [.string("old")])
            #expect(try !bench.hasWork())
            #expect(try bench.dedupe().groupCount == 0)
        }
    }

    @Test("a record with only defaults, dated 1970, loses against any other")
    func defaults() throws {
        let bench = try bench(
            "('singleton', 'default', '1970-01-01T00:00:00.000Z'), ('B', 'real', '2019-01-01T00:00:00Z')")
        try bench.dedupe()
        #expect(try bench.text("SELECT id, unit FROM Settings") == ["singleton|real"])
    }

    @Test("of many records one stays, and remaining and removed rows add up", arguments: [3, 250])
    func several(_ count: Int) throws {
        let rows = (0..<count).map { "('K\($0)', \($0), '2026-01-01T00:00:\(10 + $0 % 50)Z')" }
        let bench = try bench(rows.joined(separator: ", "))
        let report = try bench.dedupe()
        #expect(report.groupCount == 1)
        #expect(report.groups.first?.losers.count == count - 1)
        #expect(report.removed == ["Settings": count - 1])
        #expect(try bench.count("Settings") + bench.count("godwit_removed") == count)
        #expect(try bench.text("SELECT id FROM Settings") == ["singleton"])
    }

    @Test("equal dates are decided by the smaller key, then by the columns, on every device")
    func ties() throws {
        let byKey = try bench("('b', '1', NULL), ('a', '2', NULL)")
        #expect(try byKey.dedupe().groups.first?.reason == .smallerKey)
        #expect(try byKey.text("SELECT unit FROM Settings") == ["2"])
        let byColumns = try bench("('a', '2', NULL), ('a', '1', NULL)")
        #expect(try byColumns.dedupe().groups.first?.reason == .smallerColumns)
        #expect(try byColumns.text("SELECT unit FROM Settings") == ["1"])
    }

    @Test("columns are compared in the order of their names, so that stores with another order agree")
    func columnOrder() throws {
        let one = try bench("('a', 'x', '1'), ('a', 'y', '0')")
        let other = try bench(
            "('1', 'x', 'a'), ('0', 'y', 'a')", schema: "CREATE TABLE Settings(at TEXT, unit TEXT, id TEXT);")
        try one.dedupe()
        try other.dedupe()
        #expect(try one.text("SELECT unit FROM Settings") == other.text("SELECT unit FROM Settings"))
    }

    @Test(
        "keys that differ from the fixed one in case or spaces are wrong keys",
        arguments: ["Singleton", "singleton "])
    func almost(_ key: String) throws {
        let schema = "CREATE TABLE Settings(id TEXT COLLATE NOCASE PRIMARY KEY, unit TEXT, at TEXT) WITHOUT ROWID;"
        for schema in [Self.settings, schema] {
            let bench = try bench("('\(key)', 'kg', NULL)", schema: schema)
            #expect(try bench.hasWork())
            #expect(try bench.dedupe().groups.first?.rekeyed == true)
            #expect(try bench.text("SELECT id FROM Settings") == ["singleton"])
        }
    }

    @Test("a fixed key that the column stores as a number is right after it is stored")
    func numericKey() throws {
        let entity = Entity(name: "Settings", key: "id", modified: ModifiedColumn(column: "at"), singleton: "1")
        let bench = try DedupeBench(
            [entity], "CREATE TABLE Settings(id INTEGER, at TEXT); INSERT INTO Settings VALUES (7, NULL), (9, NULL);")
        #expect(try bench.dedupe().removed == ["Settings": 1])
        #expect(try bench.rows("SELECT id FROM Settings") == [[.integer(1)]])
        #expect(try !bench.hasWork())
        #expect(try bench.dedupe().outcome == .nothingToDo)
    }
}

extension String {
    /// The number of occurrences of a text.
    fileprivate func occurrences(of text: String) -> Int {
        split(separator: text, omittingEmptySubsequences: false).count - 1
    }
}
