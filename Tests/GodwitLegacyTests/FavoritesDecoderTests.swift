import GodwitLegacy
import GodwitModel
import Testing

struct FavoritesDecoderTests {
    private func decoded(
        _ value: LegacyValue, as encoding: FavoritesEncoding = .auto, sourceLocation: SourceLocation = #_sourceLocation
    ) -> DecodedFavorites? {
        guard case .decoded(let list) = FavoritesDecoder.decode(value, as: encoding) else {
            Issue.record("not decoded: \(FavoritesDecoder.decode(value, as: encoding))", sourceLocation: sourceLocation)
            return nil
        }
        return list
    }

    private func refusal(_ value: LegacyValue, as encoding: FavoritesEncoding = .auto) -> String? {
        guard case .unsupported(let reason) = FavoritesDecoder.decode(value, as: encoding) else { return nil }
        return reason
    }

    private static func data(_ text: String) -> LegacyValue { .data(Array(text.utf8)) }

    @Test(
        "the same list is read in every encoding, and auto recognizes which one",
        arguments: [
            (.array([.string("squat"), .string("row")]), .array),
            (.string("[\"squat\",\"row\"]"), .json), (data(" [\"squat\", \"row\"]\n"), .json),
            (.string("{\"squat\":true,\"row\":true}"), .json),
            (.string("squat,row"), .csv), (data("squat\nrow\n"), .csv), (data("\u{FEFF}squat,row"), .csv),
            (.dict(["squat": .bool(true), "row": .bool(true)]), .dictionary),
            (.data(ArchiveFixture.archive(["squat", "row"])), .keyedArchive),
            (
                .data(
                    BinaryFixture([
                        BinaryFixture.array([1, 2]), BinaryFixture.ascii("squat"), BinaryFixture.ascii("row"),
                    ]).bytes), .array
            ),
            (data("<plist><array><string>squat</string><string>row</string></array></plist>"), .array),
            (
                data("<?xml version=\"1.0\"?><plist><dict><key>squat</key><true/><key>row</key><true/></dict></plist>"),
                .dictionary
            ),
        ] as [(LegacyValue, FavoritesEncoding)])
    func encodings(value: LegacyValue, encoding: FavoritesEncoding) {
        let list = decoded(value)
        #expect(list?.encoding == encoding)
        #expect(list?.favorites.map(\.key) == ["squat", "row"])
        #expect(list?.itemCount == 2)
    }

    @Test("an encoding in the manifest is used for any content")
    func named() {
        #expect(decoded(.string("[squat"), as: .csv)?.favorites.map(\.key) == ["[squat"])
        #expect(decoded(.string("[\"a\"]"), as: .json)?.encoding == .json)
        #expect(decoded(.array([.string("a")]), as: .array)?.encoding == .array)
        #expect(decoded(.data(ArchiveFixture.archive(["a"])), as: .keyedArchive)?.favorites.count == 1)
    }

    @Test(
        "a value of another type than its encoding needs is unsupported",
        arguments: [
            (.string("a"), .array), (.array([]), .json), (.dict([:]), .csv), (.bool(true), .dictionary),
            (.string("a"), .keyedArchive),
            (.integer(1), .json), (.date(.epoch), .csv), (.array([]), .dictionary), (.dict([:]), .array),
        ] as [(LegacyValue, FavoritesEncoding)])
    func wrongType(value: LegacyValue, encoding: FavoritesEncoding) {
        #expect(refusal(value, as: encoding)?.contains("\(value.typeName) where encoding \(encoding.rawValue)") == true)
    }

    @Test(
        "auto rejects a value that is not a list",
        arguments: [
            .bool(true), .integer(1), .real(0.5), .date(.epoch), .null, .uid(1), .bigInteger("99999999999999999999"),
        ] as [LegacyValue])
    func noList(value: LegacyValue) {
        #expect(refusal(value) == "\(value.typeName) is not a list of favorites")
    }

    @Test("integers become text and count as coerced, and other elements are unsupported")
    func elements() {
        let list = decoded(
            .array([
                .string("a"), .integer(7), .bigInteger("18446744073709551615"), .real(1.5), .bool(true), .date(.epoch),
                .data([1]),
                .array([]), .dict([:]), .null, .uid(3), .string("b"), .string(""),
            ]))
        #expect(list?.favorites.map(\.key) == ["a", "7", "18446744073709551615", "b"])
        #expect(list?.favorites.map(\.coercedFrom) == [nil, "integer", "integer", nil])
        #expect(list?.favorites.map(\.isInteger) == [false, true, true, false])
        #expect(list?.rejected.map(\.position) == [3, 4, 5, 6, 7, 8, 9, 10, 12])
        #expect(list?.rejected.allSatisfy { $0.bucket == .unsupported } == true)
        #expect(list?.rejected.first?.reason == "real in the list")
        #expect(list?.rejected.last?.reason == "empty text")
        #expect(list?.itemCount == 13)
    }

    @Test("the first of repeated items is kept and the others counted, and normalization makes two items differ")
    func duplicates() {
        let list = decoded(
            .array([
                .string("b"), .string("a"), .string("b"), .integer(1), .string("1"), .string("caf\u{E9}"),
                .string("cafe\u{301}"),
            ]))
        #expect(
            list?.favorites.map { Array($0.key.utf8) }
                == ["b", "a", "1", "caf\u{E9}", "cafe\u{301}"].map { Array($0.utf8) })
        #expect(list?.duplicates == 2)
        #expect(list?.itemCount == 7)
    }

    @Test("an empty list is decoded as a list")
    func empty() {
        for value in [.array([]), .dict([:]), .string(""), .data([]), .string("[]"), .string("{}"), .string("\n\n")]
            as [LegacyValue]
        {
            #expect(decoded(value)?.itemCount == 0)
        }
    }

    @Test("a dictionary has favorites with true, other keys with false, and optional dates")
    func dictionary() {
        let date = Instant(seconds: 1_772_000_000)
        let list = decoded(
            .dict([
                "yes": .bool(true), "no": .bool(false), "dated": .date(date), "one": .integer(1), "zero": .integer(0),
                "iso": .string("2026-02-25T06:13:20Z"), "words": .string("yes"), "two": .integer(2), "half": .real(0.5),
                "null": .null,
                "": .bool(true),
            ]))
        #expect(
            list?.favorites == [
                LegacyFavorite(key: "yes"), LegacyFavorite(key: "dated", date: date),
                LegacyFavorite(key: "one", coercedFrom: "integer"),
                LegacyFavorite(key: "iso", date: date, coercedFrom: "string"),
                LegacyFavorite(key: "words", coercedFrom: "string"),
            ])
        #expect(list?.notFavorites == 2)
        #expect(list?.rejected.map(\.position) == [7, 8, 9, 10])
        #expect(list?.itemCount == 11)
    }

    @Test(
        "JSON that is not a list is unsupported",
        arguments: [
            ("[\"a\"", "truncated"), ("\"a\"", "JSON that holds a string"), ("42", "JSON that holds an integer"),
            ("[1,]", "a value expected"),
            ("{\"a\":true,\"a\":true}", "duplicate key 'a'"), ("{squat}", "a key in quotes expected"),
        ])
    func badJSON(text: String, reason: String) {
        #expect(
            refusal(.string(text), as: .json)?.contains(reason) == true,
            "\(refusal(.string(text), as: .json) ?? "decoded")")
    }

    @Test("auto does not read broken JSON as CSV")
    func brokenJSON() {
        #expect(refusal(.string("[\"a\", \"b\""))?.contains("truncated") == true)
    }

    @Test("data that is not text is unsupported", arguments: [FavoritesEncoding.auto, .csv, .json])
    func noText(encoding: FavoritesEncoding) {
        #expect(refusal(.data([0x61, 0xFF]), as: encoding) == "data is not UTF-8 text")
    }

    @Test("a property list inside data must be valid and hold a list")
    func propertyLists() {
        #expect(refusal(.data(Array("bplist00".utf8)))?.contains("truncated") == true)
        #expect(refusal(Self.data("<plist><array>"))?.contains("truncated") == true)
        #expect(refusal(Self.data("<plist><string>a</string></plist>")) == "a property list that holds a string")
        #expect(refusal(.data(BinaryFixture([BinaryFixture.array([0])]).bytes))?.contains("cycle") == true)
    }

    @Test("the reason for a rejected item never has the item")
    func noValues() {
        let secret = "secret-value"
        let values: [LegacyValue] = [
            .array([.dict([secret: .string(secret)])]), .dict(["k": .string(secret)]), .string("[\"\(secret)\""),
            .string("\"\(secret)"),
        ]
        for value in values {
            #expect(!String(describing: FavoritesDecoder.decode(value)).contains(secret))
        }
    }
}
