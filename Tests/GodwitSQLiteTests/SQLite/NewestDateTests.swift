import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Testing

/// The newest of many dates is the one that reading all of them finds.
struct NewestDateTests {
    /// Dates in many forms, and values that only look like dates, in random order.
    private static func values(seed: UInt64) -> [Value] {
        var random = SeededGenerator(seed: seed)
        return (0..<200).map { _ in
            let date = Instant(milliseconds: Int64.random(in: -1_000_000_000...2_000_000_000_000, using: &random))
            var text = Array(date.iso8601.utf8)
            switch Int.random(in: 0..<10, using: &random) {
            case 0: text[text.count - 1] = UInt8(ascii: "z")
            case 1: text.replaceSubrange(19..<24, with: "+0100".utf8)
            case 2: text.replaceSubrange(19..<24, with: "+01:00".utf8)
            case 3: text[Int.random(in: text.indices, using: &random)] = UInt8.random(in: 0x20...0x7E, using: &random)
            case 4: text.removeLast(14)
            case 5: return .integer(date.seconds)
            case 6: return .blob(text)
            default: break
            }
            return .text(text)
        }
    }

    private static func both(_ values: [Value], as encoding: InstantEncoding?) throws -> (Instant?, Instant?) {
        let folder = try TemporaryFolder()
        let path = folder["d.store"]
        try SampleStore.make(path, "CREATE TABLE D(at)")
        let context = RunContext.sample()
        let store = try SQLiteReader(
            path: path, name: "d.store", stage: .export, busyMilliseconds: 0, cancellation: context.cancellation)
        var (newest, expected): (NewestDate, Instant?) = (NewestDate(), nil)
        for value in values {
            let row = try store.connection.prepare("SELECT ?1")
            try row.bind(value, at: 1)
            #expect(try row.step())
            newest.take(0, of: row, as: encoding)
            if let date = Instant(value, as: encoding), expected.map({ date > $0 }) ?? true { expected = date }
        }
        return (newest.date, expected)
    }

    @Test("the newest date equals that of a general reader, in any form of dates", arguments: UInt64(1)...12)
    func any(seed: UInt64) throws {
        for encoding in [nil, InstantEncoding.iso8601, .unixSeconds] {
            let (found, expected) = try Self.both(Self.values(seed: seed), as: encoding)
            #expect(found == expected)
        }
    }

    @Test("without readable dates there is no newest date")
    func none() throws {
        let values: [Value] = [.null, .string("2026-02-31T00:00:00.000Z"), .string("x"), .blob([1])]
        #expect(try Self.both(values, as: nil) == (nil, nil))
        #expect(try Self.both([], as: .iso8601) == (nil, nil))
    }

    @Test("a text that only resembles a date hides no later date")
    func lookalike() throws {
        let values: [Value] = [.string("9999-99-99T99:99:99.999Z"), .string("2026-02-01T00:00:00.000Z")]
        let (found, expected) = try Self.both(values, as: nil)
        #expect(found == expected && found?.iso8601 == "2026-02-01T00:00:00.000Z")
    }
}
