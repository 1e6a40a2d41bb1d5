import GodwitModel
import GodwitCopy
import GodwitTestSupport
import Testing

/// Copies between stores of different encodings, with texts that are not valid UTF-16; SQLite's `hex` decides.
struct UTF16CopyTests {
    private static func rows(_ samples: [WideSample], _ encoding: String, amount: Int = 1, date: String) -> String {
        samples.map { "(\($0.sql(in: encoding)), \($0.sql(in: encoding)), \(amount), '\(date)')" }.joined(
            separator: ", ")
    }

    private static let hexes = "SELECT hex(CAST(id AS BLOB)), hex(CAST(title AS BLOB)) FROM Item"

    private static func expected(in encoding: String) -> Set<[Value]> {
        Set(WideSample.all.map { [Value.string($0.stored(in: encoding)), .string($0.stored(in: encoding))] })
    }

    @Test(
        "a new cloud store has every text, as UTF-8 or as bytes", arguments: WideSample.wideEncodings
    )
    func newStore(encoding: String) throws {
        let fixture = try CopyFixture.items()
        let rows = Self.rows(WideSample.all, encoding, date: "2026-01-01")
        try fixture.local(encoding: encoding, "INSERT INTO Item VALUES \(rows)").close()
        #expect(try fixture.copy().entities.first?.inserted == Int64(WideSample.all.count))
        #expect(try Set(fixture.cloudRows(Self.hexes)) == Self.expected(in: "UTF-8"))
        let everything = "SELECT id, title, amount, updatedAt FROM Item"
        #expect(try Set(fixture.cloudRows(everything)) == Set(fixture.localRows(everything)))
        #expect(try fixture.prove().allSatisfy(\.holds))
    }

    @Test(
        "a merge matches the same keys in both stores, and changes no text",
        arguments: WideSample.encodings, WideSample.encodings)
    func merge(from: String, to: String) throws {
        let fixture = try CopyFixture.items()
        var (equal, older, missing): ([WideSample], [WideSample], Int64) = ([], [], 0)
        for (index, sample) in WideSample.all.enumerated() {
            switch index % 3 {
            case 0: equal.append(sample)
            case 1: older.append(sample)
            default: missing += 1
            }
        }
        let rows = Self.rows(WideSample.all, from, date: "2026-01-02T00:00:00Z")
        try fixture.local(encoding: from, "INSERT INTO Item VALUES \(rows)").close()
        try fixture.cloud(
            encoding: to,
            """
            INSERT INTO Item VALUES \(Self.rows(equal, to, date: "2026-01-02T00:00:00Z"));
            INSERT INTO Item VALUES \(Self.rows(older, to, amount: 0, date: "2026-01-01T00:00:00Z"));
            """
        ).close()
        let copied = try #require(try fixture.copy().entities.first)
        #expect(copied.equal == Int64(equal.count) && copied.updated == Int64(older.count))
        #expect(copied.inserted == missing && copied.cloudKept == 0)
        #expect(try Set(fixture.cloudRows(Self.hexes)) == Self.expected(in: to))
        #expect(try fixture.cloudRows("SELECT count(*) FROM Item") == [[.integer(Int64(WideSample.all.count))]])
        // A replaced record is stored completely under its own key.
        let kept = try fixture.cloudRows("SELECT hex(CAST(key AS BLOB)) FROM godwit_removed")
        #expect(Set(kept) == Set(older.map { [Value.string($0.stored(in: to))] }))
        #expect(try fixture.prove().allSatisfy(\.holds))
    }

    @Test("bytes that are not UTF-16 give 65 for a store in UTF-16", arguments: WideSample.wideEncodings)
    func refused(encoding: String) throws {
        let fixture = try CopyFixture.items()
        try fixture.local("INSERT INTO Item VALUES ('a', 'fine', 1, 1), ('b', CAST(x'41FF' AS TEXT), 1, 1)").close()
        try fixture.cloud(encoding: encoding, "INSERT INTO Item VALUES ('c', 'there', 1, 1)").close()
        let error = failure { try fixture.copy() }
        #expect(error?.code == .data && error?.message.contains("UTF-16") == true)
        #expect(try fixture.cloudText("SELECT id FROM Item") == "c")
    }
}
