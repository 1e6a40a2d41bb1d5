import GodwitModel
import GodwitSQLite
import Crypto
import Foundation
import GodwitExport
import GodwitTestSupport
import Testing

/// How values are written, and that a reader gets the stored values back.
struct ExportValueTests {
    static let values: [(String, String)] = [
        ("NULL", "null"), ("0", "0"), ("-1", "-1"), ("9007199254740991", "9007199254740991"),
        ("9007199254740992", #"{"$int":"9007199254740992"}"#), ("-9007199254740991", "-9007199254740991"),
        ("-9007199254740992", #"{"$int":"-9007199254740992"}"#),
        ("9223372036854775807", #"{"$int":"9223372036854775807"}"#),
        ("-9223372036854775808", #"{"$int":"-9223372036854775808"}"#),
        ("1.0", "1.0"), ("0.1", "0.1"), ("-0.5", "-0.5"), ("1e100", "1e+100"), ("5e-324", "5e-324"),
        ("1.7976931348623157e308", "1.7976931348623157e+308"), ("100000.0", "100000.0"),
        ("9e999", #"{"$real":"Infinity"}"#), ("-9e999", #"{"$real":"-Infinity"}"#),
        ("x''", #"{"$blob":""}"#), ("x'00'", #"{"$blob":"AA=="}"#), ("x'00ff'", #"{"$blob":"AP8="}"#),
        ("x'00ff10'", #"{"$blob":"AP8Q"}"#), ("''", #""""#), ("'a/b'", #""a/b""#), ("'é日🏋'", #""é日🏋""#),
        ("'\"\\'", #""\"\\""#), ("char(1) || char(10) || char(31) || char(127)", "\"\\u0001\\n\\u001f\u{7F}\""),
        ("char(8232)", "\"\u{2028}\""), ("'a' || char(0)", #"{"$text":"YQA="}"#),
        ("CAST(x'ff' AS TEXT)", #"{"$text":"/w=="}"#), ("CAST(x'c080' AS TEXT)", #"{"$text":"wIA="}"#),
        ("CAST(x'eda080' AS TEXT)", #"{"$text":"7aCA"}"#), ("'{\"$blob\":\"x\"}'", #""{\"$blob\":\"x\"}""#),
    ]

    @Test("each value has its form in an export", arguments: values)
    func written(sql: String, json: String) throws {
        let fixture = try ExportFixture.items(columns: "id TEXT, a", "INSERT INTO Item VALUES ('k', \(sql))")
        try fixture.export()
        #expect(try fixture.records() == [#"{"id":"k","a":\#(json)}"#])
        _ = try fixture.document()
    }

    @Test("text in UTF-16 is exported as UTF-8", arguments: ["UTF-16le", "UTF-16be"])
    func utf16(encoding: String) throws {
        let rows = "INSERT INTO Item VALUES ('a', '日本 🏋', x'00'), ('b', 'é', 1)"
        let fixture = try ExportFixture.items(encoding: encoding, rows)
        let plain = try ExportFixture.items(rows)
        #expect(try fixture.export().sha256 == plain.export().sha256)
        #expect(try fixture.text() == plain.text())
    }

    private static func random(_ generator: inout SeededGenerator) -> Value {
        switch UInt8.random(in: 0..<10, using: &generator) {
        case 0: return .null
        case 1: return .integer(Int64(bitPattern: generator.next()))
        case 2: return .integer(Int64.random(in: -1000...1000, using: &generator))
        case 3: return .integer(Int64(1) << 53 + Int64.random(in: -2...2, using: &generator))
        case 4, 5:
            let real = Double(bitPattern: generator.next())
            return real.isNaN ? .null : .real(real)
        case 6: return .real(Double(Int64.random(in: -100_000...100_000, using: &generator)) / 100)
        case 7:
            let count = Int.random(in: 0..<20, using: &generator)
            return .blob((0..<count).map { _ in .random(in: 0...255, using: &generator) })
        default:
            let scalars = (0..<Int.random(in: 0..<20, using: &generator)).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 1...0x1_1000, using: &generator))
            }
            return .string(String(String.UnicodeScalarView(scalars)))
        }
    }

    @Test("10,000 random records survive an export bit by bit, in key order")
    func roundTrip() throws {
        var generator = SeededGenerator(seed: 7)
        let fixture = try ExportFixture.items(columns: "id INTEGER, a, b, c", "")
        var expected: [Int64: [Value]] = [:]
        let store = try StoreWriter(existing: fixture.folder["C.store"], name: "C", stage: .copy, context: .sample())
        try store.transaction(.copy) { connection throws(GodwitError) in
            for key in Array(0..<Int64(10_000)).shuffled(using: &generator) {
                let row = [Value.integer(key)] + (0..<3).map { _ in Self.random(&generator) }
                expected[key] = row
                try connection.execute("INSERT INTO Item VALUES (?, ?, ?, ?)", row)
            }
        }
        try store.close(.copy)
        try fixture.export()
        let document = try StrictJSON(document: try fixture.folder.bytes(of: "exports/e.json"))
        let records = try #require(document["entities"]?.elements.first?["records"]).elements
        #expect(records.count == 10_000)
        var wrong = 0
        for (index, record) in records.enumerated() {
            guard case .object(let members) = record else { throw ExportFixture.Unexpected() }
            let row = try members.map { try ExportDecoder.value($0.value) }
            if row != expected[Int64(index)] { wrong += 1 }
        }
        #expect(wrong == 0)
    }

    @Test("a document of many megabytes keeps its hash")
    func large() throws {
        let fixture = try ExportFixture.items(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
            INSERT INTO Item SELECT printf('%05d', i), printf('%01000d', i), CASE i WHEN 1500 THEN zeroblob(3000000) END FROM n
            """)
        let written = try fixture.export()
        #expect(written.bytes > 7_000_000)
        let bytes = try fixture.folder.bytes(of: "exports/e.json")
        #expect(written.bytes == Int64(bytes.count))
        let range = try #require(try StrictJSON(document: bytes).member("entities")).range
        #expect(SHA256.hash(data: Data(bytes[range])).map { String(format: "%02x", $0) }.joined() == written.sha256)
    }
}
