import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Testing

/// The sums of one table also prove another table with the same rows.
struct TwinSummationTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let values = (1...500).map { "(\($0), 'a\($0 % 99)', \($0))" }.joined(separator: ", ")

    private func make(_ name: String, change: String = "", more: String = "CREATE INDEX TAB ON T(a, b)") throws {
        try ForgedIndex(values: Self.values, change: change, more: more).make(at: folder[name])
    }

    private func open(_ name: String) throws -> StoreSnapshot {
        try StoreSnapshot(
            of: folder[name], name: name, stage: .verify, context: .sample(), checkingIntegrity: false)
    }

    /// The verdict of a check that waits for sums.
    private func verdict(
        _ snapshot: borrowing StoreSnapshot, _ sums: RecordSums
    ) -> (proven: [String]?, finding: String?) {
        var check = snapshot.soundness
        (check.size, check.threads) = (0, 1)
        do { return (try check.run(sums: sums), nil) } catch { return (nil, error.underlying) }
    }

    private func begin(
        _ one: borrowing StoreSnapshot, _ mine: RecordSums?, _ other: borrowing StoreSnapshot, _ theirs: RecordSums?
    ) throws -> TwinSummation? {
        try TwinSummation(
            of: .init(one.connection, table: "T", sums: mine), and: .init(other.connection, table: "t", sums: theirs),
            rowid: 2, columns: ["\"a\"": 0, "\"b\"": 1])
    }

    /// Adds the rows of a table in parts of this size.
    private func add(_ store: borrowing StoreSnapshot, to twins: TwinSummation, by size: Int) throws {
        let rows = try store.connection.prepare("SELECT a, b, rowid FROM T NOT INDEXED")
        var part = try #require(twins.beginPart())
        var count = 0
        while try rows.step() {
            part.add(rows)
            count += 1
            guard count % size == 0 else { continue }
            twins.add(part)
            part = try #require(twins.beginPart())
        }
        twins.add(part)
    }

    @Test("both checks accept the sums of a copy, in any parts", arguments: [1, 7, 250, 500, 1000])
    func both(size: Int) throws {
        try make("one.store")
        // Made in another order, and with one index less.
        try make("other.store", more: "")
        let one = try open("one.store")
        let other = try open("other.store")
        let (mine, theirs) = (RecordSums(promising: ["T"]), RecordSums(promising: ["T"]))
        let twins = try #require(try begin(one, mine, other, theirs))
        try add(one, to: twins, by: size)
        #expect(mine.isPromised("T") && theirs.isPromised("T"))
        twins.keep()
        mine.withdraw()
        theirs.withdraw()
        // The kept sums are used; the withdrawn ones are not.
        #expect(mine.isPromised("T") && theirs.isPromised("T"))
        #expect(verdict(one, mine).proven == ["T"])
        #expect(verdict(other, theirs).proven == ["T"])
    }

    @Test(
        "an index that differs from its table is found in either store", arguments: [true, false])
    func damaged(isFirst: Bool) throws {
        let change = "UPDATE S SET a = 'other' WHERE rowid = 77"
        try make("one.store", change: isFirst ? change : "")
        try make("other.store", change: isFirst ? "" : change)
        let one = try open("one.store")
        let other = try open("other.store")
        let (mine, theirs) = (RecordSums(promising: ["T"]), RecordSums(promising: ["T"]))
        let twins = try #require(try begin(one, mine, other, theirs))
        try add(one, to: twins, by: 100)
        twins.keep()
        let found = isFirst ? verdict(one, mine) : verdict(other, theirs)
        #expect(found.finding == "row 77 missing from index J")
        #expect((isFirst ? verdict(other, theirs) : verdict(one, mine)).proven == ["T"])
    }

    @Test("a missing part is noticed, and SQLite decides")
    func missingPart() throws {
        try make("one.store")
        let one = try open("one.store")
        let other = try open("one.store")
        let (mine, theirs) = (RecordSums(promising: ["T"]), RecordSums(promising: ["T"]))
        let twins = try #require(try begin(one, mine, other, theirs))
        twins.keep()
        // Sound, but not proven by scans.
        #expect(verdict(one, mine).proven == [])
        #expect(verdict(other, theirs).proven == [])
    }

    @Test("an index without a counterpart in the first table is left to the check of its store")
    func uncovered() throws {
        try make("one.store", more: "")
        try make("other.store", more: "CREATE INDEX TBA ON T(b, a)")
        let one = try open("one.store")
        let other = try open("other.store")
        let (mine, theirs) = (RecordSums(promising: ["T"]), RecordSums(promising: ["T"]))
        let twins = try #require(try begin(one, mine, other, theirs))
        try add(one, to: twins, by: 100)
        twins.keep()
        theirs.withdraw()
        #expect(mine.isPromised("T") && !theirs.isPromised("T"))
        #expect(verdict(other, theirs).proven == ["T"])
        let none = try begin(one, nil, other, RecordSums(promising: ["T"]))
        #expect(none == nil)
    }

    @Test("nothing is summed if no check needs it, or if it cannot be")
    func nothing() throws {
        try make("one.store")
        let one = try open("one.store")
        let other = try open("one.store")
        for (mine, theirs, isNone) in [
            (nil, nil, true), ("S", "Other", true), ("t", nil, false), (nil, "T", false),
        ] as [(String?, String?, Bool)] {
            let begun = try begin(
                one, mine.map { RecordSums(promising: [$0]) }, other, theirs.map { RecordSums(promising: [$0]) })
            #expect((begun == nil) == isNone)
        }
        let sums = RecordSums(promising: ["T"])
        let lacking = try TwinSummation(
            of: .init(one.connection, table: "T", sums: sums), and: .init(other.connection, table: "T", sums: nil),
            rowid: 2, columns: ["\"a\"": 0])
        #expect(lacking == nil)
    }
}
