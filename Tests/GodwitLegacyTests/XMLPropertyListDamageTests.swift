import GodwitModel
import GodwitPropertyList
import Testing

/// Each damaged file is rejected with exit code 65, a reason, and line and column.
struct XMLPropertyListDamageTests {
    @Test(
        "damaged or forbidden XML markup is rejected",
        arguments: [
            ("", "truncated"),
            ("<plist>", "truncated"),
            ("<plist", "truncated"),
            ("<plist><dict><key>k</key><string>v", "truncated"),
            ("<plist><dict><key>k</key><string>v</string></dict>", "truncated"),
            ("<plist><dict/></plist", "truncated"),
            ("<plist><!-- ", "truncated"),
            ("<plist><string><![CDATA[ ]]</string></plist>", "truncated"),
            ("<!DOCTYPE plist PUBLIC \"", "truncated"),
            ("<!DOCTYPE plist ", "truncated"),
            ("<plist version=\"1", "truncated"),
            ("<plist></plist>", "no value inside <plist>"),
            ("<plist/>", "no value inside <plist>"),
            ("<dict/>", "<dict> where <plist> was expected"),
            ("junk<plist><dict/></plist>", "text between elements"),
            ("<plist>junk<dict/></plist>", "text between elements"),
            ("<plist><dict>junk</dict></plist>", "text between elements"),
            ("<plist>&amp;<dict/></plist>", "text between elements"),
            ("<plist><![CDATA[a]]><dict/></plist>", "markup that is not allowed here"),
            ("<plist><dict/><dict/></plist>", "more than one value"),
            ("<plist><true/><true/></plist>", "more than one value"),
            ("<plist><dict/></plist><plist><dict/></plist>", "text after the end"),
            ("<plist><dict/></plist>junk", "text after the end"),
            ("<plist><array></dict></plist>", "mismatched tag </dict>"),
            ("<plist><dict></array></plist>", "mismatched tag </array>"),
            ("<plist></dict></plist>", "mismatched tag </dict>"),
            ("<plist><array></plist>", "mismatched tag </plist>"),
            ("<plist><dict><key>k</string></key></dict></plist>", "mismatched tag </string>"),
            ("<plist><dict><key>k</key></dict></plist>", "key without a value"),
            ("<plist><dict><key>k</key><key>l</key><true/></dict></plist>", "key without a value"),
            ("<plist><dict><string>v</string></dict></plist>", "value without a key"),
            ("<plist><dict><true/></dict></plist>", "value without a key"),
            ("<plist><dict><array/></dict></plist>", "value without a key"),
            ("<plist><array><key>k</key></array></plist>", "key outside a dictionary"),
            ("<plist><key>k</key></plist>", "key outside a dictionary"),
            ("<plist><dict><key>k</key><true/><key>k</key><true/></dict></plist>", "duplicate key 'k'"),
            ("<plist><dict><key>&#107;</key><true/><key>k</key><true/></dict></plist>", "duplicate key 'k'"),
            ("<plist><null/></plist>", "unknown tag <null>"),
            ("<plist><Dict/></plist>", "unknown tag <Dict>"),
            ("<plist><set/></plist>", "unknown tag <set>"),
            ("<plist>< dict/></plist>", "malformed tag"),
            ("<plist><dict a=\"b\"/></plist>", "malformed tag <dict>"),
            ("<plist><dict/ ></plist>", "malformed tag <dict>"),
            ("<plist><array></array x></plist>", "malformed tag </array>"),
            ("<plist version><dict/></plist>", "malformed attribute"),
            ("<plist version=1.0><dict/></plist>", "malformed attribute"),
            ("<plist version=\"1.0\"a=\"b\"><dict/></plist>", "malformed tag <plist>"),
            ("<plist><true>yes</true></plist>", "text inside <true>"),
            ("<plist><string>a<b/></string></plist>", "tag inside <string>"),
            ("<plist><string>a<!b></string></plist>", "tag inside <string>"),
        ])
    func markup(text: String, reason: String) {
        expectRefusal(Array(text.utf8), reason, named: "not a readable property list")
    }

    @Test(
        "XML declarations that could fetch, expand or recode are rejected",
        arguments: [
            (
                "<!DOCTYPE plist [<!ENTITY l0 \"lol\"><!ENTITY l1 \"&l0;&l0;\">]><plist><string>&l1;</string></plist>",
                "entity declarations are not allowed"
            ),
            (
                "<!DOCTYPE plist [<!ENTITY x SYSTEM \"file:///etc/passwd\">]><plist><dict/></plist>",
                "entity declarations are not allowed"
            ),
            (
                "<!DOCTYPE plist [<!ENTITY % p SYSTEM \"http://127.0.0.1:9/x\"> %p;]><plist><dict/></plist>",
                "entity declarations are not allowed"
            ),
            ("<!DOCTYPE plist []><plist><dict/></plist>", "entity declarations are not allowed"),
            ("<!DOCTYPE html><plist><dict/></plist>", "a DOCTYPE other than plist"),
            ("<!DOCTYPE><plist><dict/></plist>", "malformed DOCTYPE"),
            ("<!DOCTYPE plist <plist><dict/></plist>", "malformed DOCTYPE"),
            ("<plist><!DOCTYPE plist><dict/></plist>", "markup that is not allowed here"),
            ("<!ENTITY x \"y\"><plist><dict/></plist>", "markup that is not allowed here"),
            (
                "<?xml version='1.0' encoding='ISO-8859-1'?><plist><dict/></plist>",
                "encoding ISO-8859-1 is not supported"
            ),
            ("<?xml version='1.0' encoding='UTF-7'?><plist><dict/></plist>", "encoding UTF-7 is not supported"),
            ("<?xml version='1.0' encoding='UTF-16'?><plist><dict/></plist>", "encoding UTF-16 is not supported"),
            ("\n<?xml version='1.0' encoding='UTF-7'?><plist><dict/></plist>", "encoding UTF-7 is not supported"),
            ("<?xml version='1.1'?><plist><dict/></plist>", "XML version 1.1 is not supported"),
            ("<?xml something='1.0'?><plist><dict/></plist>", "malformed XML declaration"),
            ("<plist><string>&l9;</string></plist>", "unknown entity"),
            ("<plist><string>&nbsp;</string></plist>", "unknown entity"),
            ("<plist><string>a & b</string></plist>", "malformed entity reference"),
            ("<plist><string>a&amp</string></plist>", "malformed entity reference"),
            ("<plist><string>&#0;</string></plist>", "character reference"),
            ("<plist><string>&#x0;</string></plist>", "character reference"),
            ("<plist><string>&#1;</string></plist>", "character reference"),
            ("<plist><string>&#xD800;</string></plist>", "character reference"),
            ("<plist><string>&#x110000;</string></plist>", "character reference"),
            ("<plist><string>&#;</string></plist>", "character reference"),
            ("<plist><string>&#+65;</string></plist>", "character reference"),
            ("<plist><string>&#-1;</string></plist>", "character reference"),
            ("<plist><string>&#xZZ;</string></plist>", "character reference"),
            ("<plist><string>a\u{1}b</string></plist>", "control character"),
            ("<plist><string>a\0b</string></plist>", "control character"),
        ])
    func declarations(text: String, reason: String) {
        expectRefusal(Array(text.utf8), reason, named: "not a readable property list")
    }

    @Test(
        "an XML value that is not of its type is rejected with its key",
        arguments: [
            ("<integer></integer>", "not an integer"), ("<integer/>", "not an integer"),
            ("<integer>12abc</integer>", "not an integer"), ("<integer>- 5</integer>", "not an integer"),
            ("<integer>0x</integer>", "not an integer"), ("<integer>--1</integer>", "not an integer"),
            ("<integer>1.0</integer>", "not an integer"), ("<integer>１</integer>", "not an integer"),
            ("<integer>0x\(String(repeating: "f", count: 40))</integer>", "integer of more than 127 bits"),
            ("<real>nan</real>", "NaN cannot be stored as a number"), ("<real>-NaN</real>", "NaN cannot be stored"),
            ("<real>1e400</real>", "number out of range"), ("<real>1,5</real>", "not a number"),
            ("<real/>", "not a number"), ("<real>0x1p3</real>", "not a number"), ("<real>1e</real>", "not a number"),
            ("<real>.</real>", "not a number"), ("<real>1 2</real>", "not a number"),
            ("<date>2023-02-30T00:00:00Z</date>", "not a date"), ("<date>2023-02-29T00:00:00Z</date>", "not a date"),
            ("<date>2023-01-01T24:00:00Z</date>", "not a date"), ("<date>2023-01-01T00:60:00Z</date>", "not a date"),
            ("<date>0000-00-00T00:00:00Z</date>", "not a date"), ("<date>2023-01-01</date>", "not a date"),
            ("<date>2023-01-01T00:00:00+00:00</date>", "not a date"),
            ("<date>2023-01-01 00:00:00Z</date>", "not a date"),
            ("<date>2023-01-01T00:00:00.5Z</date>", "not a date"), ("<date/>", "not a date"),
            ("<date>99999-01-01T00:00:00Z</date>", "date out of range"),
            ("<date>-001-01-01T00:00:00Z</date>", "date out of range"),
            ("<data>!!!!</data>", "data is not base64"), ("<data>AAA</data>", "data is not base64"),
            ("<data>AA=</data>", "data is not base64"), ("<data>A===</data>", "data is not base64"),
            ("<data>====</data>", "data is not base64"), ("<data>AA==AA==</data>", "data is not base64"),
            ("<data>AB==</data>", "data is not base64"), ("<data>AA-_</data>", "data is not base64"),
        ])
    func values(element: String, reason: String) {
        expectRefusal(XMLFixture.key(element), "key 'k': \(reason)", named: "key 'k'")
    }

    @Test(
        "bytes that are not UTF-8 are rejected as XML",
        arguments: [
            [0xE9], [0xC0, 0xAF], [0xC1, 0x81], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
            [0xF5],
            [0x80], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xF0, 0x8F, 0xBF, 0xBF], [0xE2, 0x28, 0xA1],
        ] as [[UInt8]])
    func invalidUTF8(bytes: [UInt8]) {
        let file = Array("<plist><string>caf".utf8) + bytes + Array("</string></plist>".utf8)
        expectRefusal(file, "not valid UTF-8", named: "not a readable property list")
    }

    @Test(
        "UTF-16 is rejected by name, with and without a byte order mark",
        arguments: [
            [0xFE, 0xFF, 0, 0x3C], [0xFF, 0xFE, 0x3C, 0], [0, 0x3C, 0, 0x70], [0x3C, 0, 0x70, 0], [0, 0, 0xFE, 0xFF],
        ] as [[UInt8]])
    func utf16(start: [UInt8]) {
        expectRefusal(start + start, "encoding UTF-16 is not supported", named: "not a readable property list")
    }

    @Test("an XML error has line and column, counted in characters")
    func place() {
        let file = Array("<plist>\n<dict>\n\t<key>日本</key><nope/>\n</dict></plist>".utf8)
        let error = #expect(throws: GodwitError.self) { try XMLPropertyListReader.read(file) }
        #expect(error?.message == "not a readable property list (unknown tag <nope>; line 3, column 15)")
    }

    @Test("the keys of the path to a value are named from the top")
    func keyPath() {
        let inner = "<dict><key>a</key><array><dict><key>b</key><real>x</real></dict></array></dict>"
        let error = #expect(throws: GodwitError.self) { try XMLPropertyListReader.read(XMLFixture.key(inner)) }
        #expect(error?.message.hasPrefix("key 'k' > 'a' > 'b': not a number (line 3, column") == true)
    }

    @Test("control characters in names are escaped, and long names truncated")
    func escaping() {
        let name = String(repeating: "x", count: 300)
        let error = #expect(throws: GodwitError.self) {
            try XMLPropertyListReader.read(Array("<plist><\(name)/></plist>".utf8))
        }
        #expect((error?.message.count ?? 0) < 200)
        let key = Array("<plist><dict><key>a\nb\u{202E}</key><real>x</real></dict></plist>".utf8)
        let keyError = #expect(throws: GodwitError.self) { try XMLPropertyListReader.read(key) }
        #expect(keyError?.message.contains("'a\\u{a}b\\u{202e}'") == true)
    }

    @Test("a hundred thousand open arrays are rejected without overflowing the stack", arguments: ["array", "dict"])
    func deep(name: String) {
        let unit = name == "array" ? "<array>" : "<dict><key>k</key>"
        let file = Array(("<plist>" + String(repeating: unit, count: 100_000)).utf8)
        expectRefusal(file, "nested deeper than 512", named: "not a readable property list")
    }

    private func expectRefusal(_ bytes: [UInt8], _ reason: String, named prefix: String) {
        let error = #expect(throws: GodwitError.self) { try XMLPropertyListReader.read(bytes) }
        #expect(error?.code == .data)
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "accepted")")
        #expect(error?.message.hasPrefix(prefix) == true)
        #expect(error?.message.contains("line ") == true)
    }
}
