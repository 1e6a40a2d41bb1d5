import GodwitPropertyList
import GodwitModel
import Testing

/// In XML and JSON an edit is a range of bytes, and everything around it stays.
struct TextEditTests {
    private func edited(_ text: String, _ key: String = "done", _ flag: Bool = true) throws -> String {
        String(decoding: try PropertyListEditor.setting(key, to: flag, in: Array(text.utf8)), as: UTF8.self)
    }

    @Test(
        "a new XML entry is added before the end with the file's indentation",
        arguments: [
            (
                "<plist>\n<dict>\n\t<key>a</key>\n\t<string>b</string>\n</dict>\n</plist>\n",
                "<plist>\n<dict>\n\t<key>a</key>\n\t<string>b</string>\n\t<key>done</key>\n\t<true/>\n</dict>\n</plist>\n"
            ),
            (
                "<plist>\n  <dict>\n    <key>a</key>\n    <true/>\n  </dict>\n</plist>",
                "<plist>\n  <dict>\n    <key>a</key>\n    <true/>\n    <key>done</key>\n    <true/>\n  </dict>\n</plist>"
            ),
            (
                "<plist>\r\n<dict>\r\n\t<key>a</key>\r\n\t<true/>\r\n</dict>\r\n</plist>\r\n",
                "<plist>\r\n<dict>\r\n\t<key>a</key>\r\n\t<true/>\r\n\t<key>done</key>\r\n\t<true/>\r\n</dict>\r\n</plist>\r\n"
            ),
            ("<plist>\n<dict>\n</dict>\n</plist>", "<plist>\n<dict>\n\t<key>done</key>\n\t<true/>\n</dict>\n</plist>"),
            (
                "<plist>\n\t<dict>\n\t</dict>\n</plist>",
                "<plist>\n\t<dict>\n\t\t<key>done</key>\n\t\t<true/>\n\t</dict>\n</plist>"
            ),
            ("<plist>\n<dict/>\n</plist>", "<plist>\n<dict>\n\t<key>done</key>\n\t<true/>\n</dict>\n</plist>"),
            (
                "<plist>\n  <dict />\n</plist>",
                "<plist>\n  <dict>\n  \t<key>done</key>\n  \t<true/>\n  </dict>\n</plist>"
            ),
            ("<plist><dict/></plist>", "<plist><dict><key>done</key><true/></dict></plist>"),
            ("<plist><dict></dict></plist>", "<plist><dict><key>done</key><true/></dict></plist>"),
            (
                "<plist><dict><key>a</key><true/></dict></plist>",
                "<plist><dict><key>a</key><true/><key>done</key><true/></dict></plist>"
            ),
            (
                "<plist>\n<dict><key>a</key>\n<true/></dict>\n</plist>",
                "<plist>\n<dict><key>a</key>\n<true/><key>done</key><true/></dict>\n</plist>"
            ),
            (
                "<plist>\n<dict>\n\t<key>a</key><true/>\n\t<!-- </dict> -->\n</dict>\n</plist>",
                "<plist>\n<dict>\n\t<key>a</key><true/>\n\t<!-- </dict> -->\n\t<key>done</key>\n\t<true/>\n</dict>\n</plist>"
            ),
            (
                "<plist><dict>\n<!--\n-->\n</dict ></plist>",
                "<plist><dict>\n<!--\n-->\n\t<key>done</key>\n\t<true/>\n</dict ></plist>"
            ),
        ])
    func xmlInsertion(before: String, after: String) throws {
        #expect(try edited(before) == after)
    }

    @Test(
        "an XML value is replaced at its offset",
        arguments: [
            (
                "<plist><dict><key>done</key><false/></dict></plist>",
                "<plist><dict><key>done</key><true/></dict></plist>"
            ),
            (
                "<plist><dict><key>done</key> <false></false> </dict></plist>",
                "<plist><dict><key>done</key> <true/> </dict></plist>"
            ),
            (
                "<plist><dict><key>d<!-- x -->one</key><!-- y --><false /><key>b</key><false/></dict></plist>",
                "<plist><dict><key>d<!-- x -->one</key><!-- y --><true/><key>b</key><false/></dict></plist>"
            ),
            (
                "<plist><dict><key>&#100;one</key>\n<false/></dict></plist>",
                "<plist><dict><key>&#100;one</key>\n<true/></dict></plist>"
            ),
            (
                "<plist><dict><key>in</key><dict><key>done</key><false/></dict><key>done</key><false/></dict></plist>",
                "<plist><dict><key>in</key><dict><key>done</key><false/></dict><key>done</key><true/></dict></plist>"
            ),
        ])
    func xmlReplacement(before: String, after: String) throws {
        #expect(try edited(before) == after)
    }

    @Test("a nested key is not the top level's key")
    func nestedXML() throws {
        let before = "<plist><dict><key>in</key><dict><key>done</key><false/></dict></dict></plist>"
        #expect(
            try edited(before)
                == "<plist><dict><key>in</key><dict><key>done</key><false/></dict><key>done</key><true/></dict></plist>"
        )
    }

    @Test("declaration, DOCTYPE, comments and unusual spacing keep their bytes")
    func surroundings() throws {
        let head =
            "\u{FEFF}<?xml version='1.0'   encoding=\"utf-8\"?>\n<!-- <dict> -->\n<!DOCTYPE plist SYSTEM 'x'>\n<plist version = '1.0' >"
        let before =
            head + "<dict>\n <key> a </key>\n <integer> 0x10 </integer>\n</dict><?pi?></plist>\n\n<!-- end -->\n"
        let after = try edited(before)
        #expect(Array(after.utf8).starts(with: Array(head.utf8)))
        #expect(
            Array(after.utf8)
                == Array(
                    (head
                        + "<dict>\n <key> a </key>\n <integer> 0x10 </integer>\n <key>done</key>\n <true/>\n</dict><?pi?></plist>\n\n<!-- end -->\n")
                        .utf8))
    }

    @Test(
        "a new JSON entry is added after the last, with its spacing",
        arguments: [
            ("{}", "{\"done\": true}"), ("{ }", "{\"done\": true }"), ("{\n}\n", "{\"done\": true\n}\n"),
            ("{\"a\":1}", "{\"a\":1,\"done\":true}"), ("{\"a\": 1, \"b\": 2}", "{\"a\": 1, \"b\": 2, \"done\": true}"),
            ("{ \"a\" : 1 }", "{ \"a\" : 1, \"done\" : true }"),
            (
                "{\n  \"a\": 1,\n  \"b\": [\n    2\n  ]\n}\n",
                "{\n  \"a\": 1,\n  \"b\": [\n    2\n  ],\n  \"done\": true\n}\n"
            ),
            ("\u{FEFF}{\r\n\t\"a\": {}\r\n}", "\u{FEFF}{\r\n\t\"a\": {},\r\n\t\"done\": true\r\n}"),
            ("{\"in\":{\"done\":false}}", "{\"in\":{\"done\":false},\"done\":true}"),
            (
                "{\"a\":99999999999999999999,\"b\":1.50,\"c\":\"\\u00e9\\/\"}",
                "{\"a\":99999999999999999999,\"b\":1.50,\"c\":\"\\u00e9\\/\",\"done\":true}"
            ),
        ])
    func jsonInsertion(before: String, after: String) throws {
        #expect(Array(try edited(before).utf8) == Array(after.utf8))
    }

    @Test(
        "a JSON value is replaced at its offset",
        arguments: [
            ("{\"done\":false}", "{\"done\":true}"),
            ("{\"a\":1, \"done\" : false , \"b\":false}", "{\"a\":1, \"done\" : true , \"b\":false}"),
            ("{\"\\u0064one\":false}", "{\"\\u0064one\":true}"),
        ])
    func jsonReplacement(before: String, after: String) throws {
        #expect(try edited(before) == after)
        #expect(try edited(after, "done", false) == before)
    }
}
