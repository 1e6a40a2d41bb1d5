import GodwitModel
import GodwitPropertyList
import Testing

struct LegacyDocumentTests {
    private static let pair = LegacyValue.dict(["weightUnit": .string("lb")])

    @Test("the format of a preferences file is recognized by content", arguments: [LegacyFormat.binary, .xml, .json])
    func recognition(format: LegacyFormat) throws {
        let document = try LegacyDocument(try FoundationOracle.write(Self.pair, as: format))
        #expect(document.format == format)
        #expect(document.value(for: "weightUnit") == .string("lb"))
        #expect(document.value(for: "WeightUnit") == nil)
    }

    @Test(
        "white space and a byte order mark do not hide the format",
        arguments: [
            ("\u{FEFF}<plist><dict/></plist>", LegacyFormat.xml), ("\n \t<plist><dict/></plist>", .xml),
            ("\u{FEFF} {}", .json),
            ("\n{ }", .json),
        ])
    func leadingSpace(text: String, format: LegacyFormat) throws {
        #expect(try LegacyDocument(Array(text.utf8)).format == format)
    }

    @Test(
        "a file in an unknown format is rejected",
        arguments: [
            ("", "empty file"), ("hello", "unknown format"), ("\0\0bplist00", "unknown format"),
            ("SQLite format 3\0", "unknown format"),
            ("42", "unknown format"), ("(a, b)", "unknown format"), ("   ", "unknown format"),
            ("\u{FEFF}", "unknown format"),
            ("{ favourites = (squat); }", "old-style property lists are not supported"),
            ("{ // comment\n}", "old-style property lists are not supported"), ("{", "truncated"),
            ("<", "malformed tag"),
            ("<html></html>", "<html> where <plist> was expected"), ("bplist", "unknown binary version"),
            ("bplist00", "truncated"),
        ])
    func unknown(text: String, reason: String) {
        let error = #expect(throws: GodwitError.self) { try LegacyDocument(Array(text.utf8)) }
        #expect(error?.code == .data)
        #expect(error?.message.contains(reason) == true || reason == "malformed tag", "\(error?.message ?? "accepted")")
    }

    @Test(
        "a preferences file must have a dictionary at the top level",
        arguments: [
            ("<plist><array/></plist>", "top level is an array, not a dictionary"),
            ("<plist><string>a</string></plist>", "top level is a string, not a dictionary"),
            ("<plist><integer>1</integer></plist>", "top level is an integer, not a dictionary"),
            ("[1]", "top level is an array, not a dictionary"),
        ])
    func topLevel(text: String, message: String) {
        let error = #expect(throws: GodwitError.self) { try LegacyDocument(Array(text.utf8)) }
        #expect(error?.message == message)
        #expect(error?.code == .data)
    }

    @Test("a binary file with a string at the top level is rejected")
    func binaryTopLevel() {
        let error = #expect(throws: GodwitError.self) {
            try LegacyDocument(BinaryFixture([BinaryFixture.ascii("x")]).bytes)
        }
        #expect(error?.message == "top level is a string, not a dictionary")
    }

    @Test("a file beyond the size limit is rejected before it is parsed")
    func size() {
        let bytes = Array("{\"a\": 1}".utf8)
        #expect(throws: Never.self) { try LegacyDocument(bytes, limits: .init(bytes: bytes.count)) }
        let error = #expect(throws: GodwitError.self) {
            try LegacyDocument(bytes, limits: .init(bytes: bytes.count - 1))
        }
        #expect(error?.message.contains("over the limit") == true)
        #expect(error?.code == .data)
    }

    @Test(
        "damage at every single byte is rejected as data, or the file is read",
        arguments: [LegacyFormat.binary, .xml, .json])
    func flippedBytes(format: LegacyFormat) throws {
        let good = try FoundationOracle.write(FoundationOracle.samples[9], as: format == .json ? .xml : format)
        let bytes = format == .json ? Array("{\"list\": [\"squat\", 3, [], {}], \"b\": true}".utf8) : good
        for place in bytes.indices {
            for change in [0x01, 0x20, 0x80, 0xFF] as [UInt8] {
                var damaged = bytes
                damaged[place] ^= change
                do throws(GodwitError) {
                    _ = try LegacyDocument(damaged)
                } catch {
                    #expect(error.code == .data)
                }
            }
        }
    }
}
