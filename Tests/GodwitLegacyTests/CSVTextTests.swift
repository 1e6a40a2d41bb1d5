import GodwitLegacy
import GodwitModel
import Testing

/// CSV favourites: RFC 4180, with the variations of hand-written lists.
struct CSVTextTests {
    private func keys(_ text: String) -> [String]? {
        guard case .decoded(let list) = FavoritesDecoder.decode(.string(text), as: .csv) else { return nil }
        return list.favorites.map(\.key)
    }

    @Test(
        "fields are separated by commas and line ends",
        arguments: [
            ("a", ["a"]), ("a,b", ["a", "b"]), ("a\nb", ["a", "b"]), ("a\r\nb\r\n", ["a", "b"]), ("a\rb", ["a", "b"]),
            ("a,b\nc,d\n", ["a", "b", "c", "d"]), ("\n\na\n\n\nb\n", ["a", "b"]), ("日本,🏋️", ["日本", "🏋️"]),
            ("a;b", ["a;b"]),
            ("", []), ("\n", []), ("  \n", []),
        ])
    func separators(text: String, expected: [String]) {
        #expect(keys(text) == expected)
    }

    @Test(
        "quoted fields may have commas, line ends and doubled quotes",
        arguments: [
            ("\"a,b\",c", ["a,b", "c"]), ("\"a\nb\"", ["a\nb"]), ("\"say \"\"hi\"\"\"", ["say \"hi\""]),
            ("\"a\" , \"b\"", ["a", "b"]),
            (" \" a \" ", [" a "]), ("\"a\"\r\n\"b\"", ["a", "b"]), ("\"\"\"\"", ["\""]),
        ])
    func quotes(text: String, expected: [String]) {
        #expect(keys(text) == expected)
    }

    @Test("spaces around an unquoted field are removed, which counts as coerced")
    func spaces() {
        guard case .decoded(let list) = FavoritesDecoder.decode(.string("a, b ,\tc,d e,\" f\""), as: .csv) else {
            Issue.record("not decoded")
            return
        }
        #expect(list.favorites.map(\.key) == ["a", "b", "c", "d e", " f"])
        #expect(list.favorites.map { $0.coercedFrom != nil } == [false, true, true, false, false])
    }

    @Test("empty fields are rejected items, and empty lines are skipped")
    func emptyFields() {
        guard case .decoded(let list) = FavoritesDecoder.decode(.string("a,,b\n,\n\n\"\"\n  "), as: .csv) else {
            Issue.record("not decoded")
            return
        }
        #expect(list.favorites.map(\.key) == ["a", "b"])
        #expect(list.rejected.map(\.position) == [1, 3, 4, 5])
        #expect(list.rejected.allSatisfy { $0.reason == "empty text" })
    }

    @Test(
        "quotes that CSV does not allow are rejected with their offset",
        arguments: [
            ("\"a", "unclosed quote (byte 0)"), ("b,\"a\nc", "unclosed quote (byte 2)"),
            ("a\"b", "quote inside an unquoted field (byte 1)"),
            ("\"a\"b", "text after a closing quote (byte 3)"), ("\"a\" b", "text after a closing quote (byte 4)"),
            ("\"a\"\"", "unclosed quote (byte 0)"),
        ])
    func badQuotes(text: String, reason: String) {
        guard case .unsupported(let found) = FavoritesDecoder.decode(.string(text), as: .csv) else {
            Issue.record("decoded")
            return
        }
        #expect(found.contains(reason), "\(found)")
    }
}
