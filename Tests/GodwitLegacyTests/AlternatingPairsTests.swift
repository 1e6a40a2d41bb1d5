import GodwitLegacy
import GodwitModel
import Testing

/// A list that alternates between keys and values is a dictionary, in every encoding; any other list stays a list.
struct AlternatingPairsTests {
    private static let ids = ["6F9619FF-8B86-D011-B42D-00C04FC964FF", "7F9619FF-8B86-D011-B42D-00C04FC964FF"]

    private func decoded(
        _ value: LegacyValue, as encoding: FavoritesEncoding = .auto, dates: FavoriteDates? = nil
    ) -> DecodedFavorites? {
        guard case .decoded(let list) = FavoritesDecoder.decode(value, as: encoding, dates: dates) else { return nil }
        return list
    }

    private func strings(_ texts: [String]) -> LegacyValue { .array(texts.map { .string($0) }) }

    @Test(
        "keys with true are favorites, keys with false are not, and values never are",
        arguments: [
            (#"["a", true, "b", false]"#, ["a"], 1), (#"["a", 1, "b", 0]"#, ["a"], 1), (#"["a", false]"#, [], 1),
            (#"["a", 1.0, "b", 0.0]"#, ["a"], 1), (#"["a", "true", "b", "false"]"#, ["a"], 1),
            (#"["a", "YES", "b", "NO"]"#, ["a"], 1), (#"["a", "1", "b", "0"]"#, ["a"], 1),
            (#"[11, true, 12, false]"#, ["11"], 1), (#"[11, 1, 12, 0, 13, 0]"#, ["11"], 2),
            (#"["a", 0]"#, [], 1), (#"["a", 1]"#, ["a"], 0), (#"[7, "true", 8, "false"]"#, ["7"], 1),
            (#"[7, "no"]"#, [], 1),
            (#"["a", true, "b", null]"#, ["a"], 0), (#"["a", true, "b", "2025-01-01T00:00:00Z"]"#, ["a", "b"], 0),
        ] as [(String, [String], Int)])
    func booleans(_ json: String, _ favorites: [String], _ others: Int) {
        for value in [LegacyValue.string(json), .data(Array(json.utf8))] {
            let list = decoded(value)
            #expect(list?.favorites.map(\.key) == favorites)
            #expect(list?.notFavorites == others)
        }
    }

    @Test("alternating keys and values are recognized also in a property list, an archive and a named encoding")
    func otherEncodings() {
        let items: [LegacyValue] = [.string("a"), .bool(true), .string("b"), .bool(false)]
        for encoding in [FavoritesEncoding.auto, .array] {
            #expect(decoded(.array(items), as: encoding)?.favorites.map(\.key) == ["a"])
        }
        let archive = LegacyValue.dict([
            "$archiver": .string("NSKeyedArchiver"), "$version": .integer(100_000), "$top": .dict(["root": .uid(1)]),
            "$objects": .array(
                [
                    .string("$null"),
                    .dict(["$class": .uid(2), "NS.objects": .array([.uid(3), .uid(4), .uid(5), .uid(6)])]),
                    .dict(["$classname": .string("NSArray")]),
                ] + items),
        ])
        #expect(decoded(archive)?.favorites.map(\.key) == ["a"])
        #expect(decoded(.string("a,true,b,false"), as: .csv)?.favorites.map(\.key) == ["a"])
    }

    @Test(
        "values that are neither booleans nor dates are unsupported, and their keys are not favorites",
        arguments: [
            #"["a", 1732180000000, "b", 1732190000000]"#, #"["a", 7, "b", 9]"#, #"["a", {"n": 1}, "b", {"n": 2}]"#,
            #"["a", ["x"], "b", []]"#, #"[11, 1732180000000, 12, 1732190000000]"#,
            #"["6F9619FF-8B86-D011-B42D-00C04FC964FF", "Soup", "7F9619FF-8B86-D011-B42D-00C04FC964FF", "Rice"]"#,
        ])
    func otherValues(_ json: String) {
        let list = decoded(.string(json))
        #expect(list?.favorites == [])
        #expect(list?.rejected.count == 2)
    }

    @Test(
        "a key with one number is a list of two items",
        arguments: [#"["a", 7]"#, #"["a", -1]"#, #"["a", 99999999999999999999]"#, #"[7, "a"]"#])
    func onePair(_ json: String) {
        #expect(decoded(.string(json))?.favorites == [])
        #expect(decoded(.string(json))?.rejected.count == 1)
    }

    @Test(
        "lines of CSV with a key and a value are pairs, and a header is not a favorite",
        arguments: [
            ("a,true\nb,false", ["a"], 1, 0), ("id,marked\na,true\nb,false", ["a"], 2, 0),
            ("id,marked\r\n\"a\",1\r\n\"b\",0\r\n", ["a"], 2, 0), ("1,true\n2,false", ["1"], 1, 0),
            ("id,since\na,2025-01-01T00:00:00Z\nb,2025-01-02T00:00:00Z", ["a", "b"], 1, 0),
            ("id,marked\na,true", ["a"], 1, 0),
            ("a,1732180000000\nb,1732190000000", [], 0, 2), ("id,ms\na,1732180000000\nb,1732190000000", [], 1, 2),
            ("a,1732180000000,b,1732190000000", [], 0, 2), ("a,750000000\nb,750000001.5", ["a", "b"], 0, 0),
            ("exerciseId\n\(ids[0])\n\(ids[1])", ids, 1, 0), ("id\n11\n12\n13", ["11", "12", "13"], 1, 0),
        ] as [(String, [String], Int, Int)])
    func csv(_ text: String, _ favorites: [String], _ others: Int, _ rejected: Int) {
        for encoding in [FavoritesEncoding.auto, .csv] {
            let list = decoded(.string(text), as: encoding)
            #expect(list?.favorites.map(\.key) == favorites)
            #expect(list?.notFavorites == others)
            #expect(list?.rejected.count == rejected)
        }
    }

    @Test(
        "lines of CSV with only keys are favorites",
        arguments: [
            "a,b\nc,d", "squat\nrow\npress", "a,b\nc", "squat\n12", "11\n12\n13", "11,12\n13,14", "a,5\nb,c",
            "true,false",
        ])
    func csvOfKeys(_ text: String) {
        let keys = text.split { $0 == "," || $0 == "\n" }.map(String.init)
        #expect(decoded(.string(text), as: .csv)?.favorites.map(\.key) == keys)
        #expect(decoded(.string(text), as: .csv)?.notFavorites == 0)
    }

    @Test(
        "a key without a value makes the whole list unsupported", arguments: [#"["a", true, "b"]"#, #"[1, false, 2]"#])
    func leftOver(_ json: String) {
        guard case .unsupported(let reason) = FavoritesDecoder.decode(.string(json)) else {
            Issue.record("taken for a list")
            return
        }
        #expect(reason == "a list of keys and values with a key that has no value")
    }

    @Test("lists of texts or numbers stay lists, also short ones, codes, booleans, and lists with null")
    func lists() {
        let lists: [[String]] = [
            ["a", "b"], ["a", "b", "c", "d"], Self.ids, Self.ids + Self.ids.map { $0 + "0" }, ["SE", "NO"],
            ["1", "0", "2", "3"], ["a", "1"], ["2025-01-01", "2025-02-01"], ["no", "yes"],
        ]
        for list in lists { #expect(decoded(strings(list))?.favorites.map(\.key) == list) }
        let numbers: [[Int64]] = [
            [11, 12, 13, 14], [5, 1], [3, 1, 2, 0], [7, 1_732_180_000], [1_732_180_000_000, 1_732_190_000_000],
        ]
        for list in numbers {
            #expect(decoded(.array(list.map { .integer($0) }))?.favorites.map(\.key) == list.map { String($0) })
        }
        #expect(decoded(.array([.string("12"), .integer(2)]))?.favorites.map(\.key) == ["12", "2"])
        #expect(decoded(.array([.string("007"), .integer(8), .string("9"), .integer(10)]))?.favorites.count == 4)
        #expect(decoded(.array([.string(Self.ids[0]), .integer(1)]))?.favorites.map(\.key) == [Self.ids[0]])
        #expect(decoded(.array([.string("a"), .null, .string("b"), .null]))?.favorites.map(\.key) == ["a", "b"])
    }

    @Test(
        "a number that can only be seconds since 2001 dates a favorite",
        arguments: [#"{"a": 786153600.5}"#, #"["a", 786153600.5]"#, #"[11, 786153600.5]"#])
    func referenceDates(_ json: String) {
        #expect(decoded(.string(json))?.favorites.first?.date == Instant(coreDataSeconds: 786_153_600.5))
        #expect(decoded(.string(json))?.favorites.first?.coercedFrom == "real")
        let whole = json.replacing("786153600.5", with: "786153600")
        #expect(
            whole.contains("[11")
                || decoded(.string(whole))?.favorites.first?.date == Instant(coreDataSeconds: 786_153_600))
    }

    @Test(
        "other numbers date a favorite only if the manifest sets their unit",
        arguments: [
            ("1764460800", FavoriteDates.unixSeconds), ("1764460800.0", .unixSeconds),
            ("1764460800000", .unixMilliseconds), ("786153600", .referenceDate), ("1", .referenceDate),
        ])
    func saidDates(_ number: String, _ dates: FavoriteDates) {
        let json = LegacyValue.string(#"{"a": \#(number)}"#)
        let date =
            dates == .referenceDate ? Instant(coreDataSeconds: Double(number) ?? 0) : Instant(seconds: 1_764_460_800)
        #expect(decoded(json, dates: dates)?.favorites.first?.date == date)
        if dates != .referenceDate { #expect(decoded(json)?.rejected.count == 1) }
        #expect(decoded(.string(#"{"a": 1e300}"#), dates: dates)?.rejected.count == 1)
    }
}
