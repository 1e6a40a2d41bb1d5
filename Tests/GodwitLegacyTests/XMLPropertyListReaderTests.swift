import GodwitModel
import GodwitPropertyList
import Foundation
import Testing

enum XMLFixture {
    static let prolog = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">

        """

    static func file(_ body: String) -> [UInt8] {
        Array("\(prolog)<plist version=\"1.0\">\(body)</plist>\n".utf8)
    }

    static func key(_ value: String) -> [UInt8] { file("<dict><key>k</key>\(value)</dict>") }
}

/// Valid files, and the value of each element.
struct XMLPropertyListReaderTests {
    private func value(_ element: String) throws -> LegacyValue? {
        try XMLPropertyListReader.read(XMLFixture.key(element))["k"]
    }

    @Test("an XML file of Foundation is read with the same values", arguments: FoundationOracle.samples)
    func foundationFiles(value: LegacyValue) throws {
        let bytes = try FoundationOracle.write(value, as: .xml)
        #expect(try XMLPropertyListReader.read(bytes).sorted == value.sorted)
    }

    @Test(
        "XML integers are decimal or hexadecimal",
        arguments: [
            ("0", .integer(0)), ("42", .integer(42)), ("-7", .integer(-7)), ("+7", .integer(7)),
            (" 12\n", .integer(12)),
            ("007", .integer(7)), ("0x10", .integer(16)), ("-0XfF", .integer(-255)),
            ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("0xffffffffffffffff", .bigInteger("18446744073709551615")),
            ("18446744073709551615", .bigInteger("18446744073709551615")),
            ("-0099999999999999999999", .bigInteger("-99999999999999999999")),
        ] as [(String, LegacyValue)])
    func integers(text: String, expected: LegacyValue) throws {
        #expect(try value("<integer>\(text)</integer>") == expected)
    }

    @Test(
        "XML reals are decimal, with fraction and exponent, or infinite",
        arguments: [
            ("0.5", 0.5), ("-1", -1), ("1e3", 1000), ("1.5E-2", 0.015), (".5", 0.5), ("5.", 5), ("-0.0", -0.0),
            (" 2.5 ", 2.5), ("inf", .infinity), ("+Infinity", .infinity), ("-infinity", -.infinity),
            ("1e-400", 0), ("0.1", 0.1),
        ] as [(String, Double)])
    func reals(text: String, expected: Double) throws {
        #expect(try value("<real>\(text)</real>") == .real(expected))
    }

    @Test(
        "XML dates are exact to the second",
        arguments: [
            ("2026-03-01T07:15:00Z", 1_772_349_300), ("1970-01-01T00:00:00Z", 0),
            ("2024-02-29T23:59:59Z", 1_709_251_199),
            ("0000-12-30T00:00:00Z", -62_135_769_600), ("9999-12-31T23:59:59Z", 253_402_300_799),
        ] as [(String, Int64)])
    func dates(text: String, seconds: Int64) throws {
        #expect(try value("<date>\(text)</date>") == .date(Instant(seconds: seconds)))
    }

    @Test(
        "XML data is base64 with white space anywhere",
        arguments: [
            ("", []), ("AA==", [0]), ("AAE=", [0, 1]), ("AAEC", [0, 1, 2]), ("\n\tAA\r\nEC\n\t", [0, 1, 2]),
            ("+/+/", [251, 255, 191]), ("A A = =", [0]),
        ] as [(String, [UInt8])])
    func data(text: String, expected: [UInt8]) throws {
        #expect(try value("<data>\(text)</data>") == .data(expected))
    }

    @Test(
        "XML text is kept, with references resolved",
        arguments: [
            ("plain", "plain"), ("", ""), (" kept \n", " kept \n"), ("a&amp;b&lt;c&gt;d&quot;e&apos;f", "a&b<c>d\"e'f"),
            ("&#65;&#x42;&#x1F3CB;", "AB🏋"), ("&#9;&#10;&#13;", "\t\n\r"), ("a<![CDATA[<b>&amp;]]>c", "a<b>&amp;c"),
            ("a<!-- & < ignored -->b", "ab"), ("a<?pi ignored?>b", "ab"), ("<![CDATA[]]>", ""), ("日本語", "日本語"),
            ("cafe\u{301}", "cafe\u{301}"), ("]]>", "]]>"),
        ])
    func strings(text: String, expected: String) throws {
        #expect(try value("<string>\(text)</string>") == .string(expected))
    }

    @Test("line ends in XML text are kept, as in CoreFoundation")
    func lineEnds() throws {
        let bytes = XMLFixture.key("<string>a\r\nb\rc</string>")
        #expect(try XMLPropertyListReader.read(bytes)["k"] == .string("a\r\nb\rc"))
        #expect(try FoundationOracle.read(bytes)?["k"] as? String == "a\r\nb\rc")
    }

    @Test(
        "XML elements may be empty",
        arguments: [
            ("<true/>", .bool(true)), ("<false />", .bool(false)), ("<true></true>", .bool(true)),
            ("<string/>", .string("")),
            ("<data/>", .data([])), ("<array/>", .array([])), ("<dict />", .dict([:])), ("<array></array>", .array([])),
            ("<false><!-- no --></false>", .bool(false)),
        ] as [(String, LegacyValue)])
    func emptyElements(text: String, expected: LegacyValue) throws {
        #expect(try value(text) == expected)
    }

    @Test("an XML key may be empty, and may have references")
    func keys() throws {
        let root = try XMLPropertyListReader.read(
            XMLFixture.file("<dict><key/><true/><key>a&amp;b</key><false/></dict>"))
        #expect(root == .dict(["": .bool(true), "a&b": .bool(false)]))
    }

    @Test("a reference of a keyed archive is read from XML")
    func uid() throws {
        #expect(try value("<dict><key>CF$UID</key><integer>5</integer></dict>") == .uid(5))
        #expect(
            try value("<dict><key>CF$UID</key><integer>-5</integer></dict>") == .dict(["CF$UID": .integer(-5)]))
        #expect(
            try value("<dict><key>CF$UID</key><integer>5</integer><key>a</key><true/></dict>")
                == .dict(["CF$UID": .integer(5), "a": .bool(true)]))
    }

    @Test(
        "comments and processing instructions around the value are skipped",
        arguments: [
            "<plist><dict/></plist>",
            "<plist version='1.0'><dict/></plist>",
            "\u{FEFF}<plist><dict/></plist>",
            "  \n<plist><dict/></plist>\n\n",
            "<?xml version='1.0'?><plist><dict/></plist>",
            "<?xml version=\"1.0\" encoding=\"utf-8\" standalone='yes' ?><plist><dict/></plist>",
            "<!-- a --><?pi?><plist><!-- b --><dict><!-- c --></dict><?pi?></plist><!-- d -->",
            "<!DOCTYPE plist><plist><dict/></plist>",
            "<!DOCTYPE plist SYSTEM \"file:///etc/hostname\"><plist><dict/></plist>",
            "<!DOCTYPE plist PUBLIC \"a>b\" 'http://127.0.0.1:9/x'>\n<plist><dict></dict></plist >",
        ])
    func surroundings(text: String) throws {
        #expect(try XMLPropertyListReader.read(Array(text.utf8)) == .dict([:]))
    }

    @Test("XML is read up to the nesting limit, and one level more is rejected")
    func depth() throws {
        func nested(_ levels: Int) -> [UInt8] {
            XMLFixture.file(String(repeating: "<array>", count: levels) + String(repeating: "</array>", count: levels))
        }
        #expect(try XMLPropertyListReader.read(nested(512)).typeName == "array")
        let error = #expect(throws: GodwitError.self) { try XMLPropertyListReader.read(nested(513)) }
        #expect(error?.message.contains("nested deeper than 512") == true)
    }

    @Test("values and keys of XML count towards the limit")
    func nodeLimit() throws {
        let file = XMLFixture.file("<dict><key>a</key><array><true/><true/></array></dict>")
        #expect(throws: Never.self) { try XMLPropertyListReader.read(file, limits: .init(nodes: 5)) }
        #expect(throws: GodwitError.self) { try XMLPropertyListReader.read(file, limits: .init(nodes: 4)) }
    }

    @Test("an XML file with forty thousand keys is read")
    func manyKeys() throws {
        let entries = (0..<40_000).map { "<key>k\($0)</key><integer>\($0)</integer>" }.joined()
        guard case .dictionary(let pairs) = try XMLPropertyListReader.read(XMLFixture.file("<dict>\(entries)</dict>"))
        else {
            Issue.record("no dictionary")
            return
        }
        #expect(pairs.count == 40_000)
        #expect(pairs.last?.value == .integer(39_999))
    }
}
