import GodwitModel
import GodwitPropertyList
import Foundation
import Testing

/// A value that Godwit can't represent doesn't stop the reading of its file, and setting the flag doesn't change it.
struct UnheldValueTests {
    private typealias File = BinaryFixture

    private static let binary: [[UInt8]] = [
        File.real(.nan), File.date(.nan), File.date(299e9), File.date(-2.2e11), File.utf16([0xD83D]),
        [0x54] + Array("caf".utf8) + [0xE9],
    ]
    private static let xml = [
        "<real>nan</real>", "<real>1e400</real>", "<date>11476-01-01T00:00:00Z</date>",
        "<integer>0x\(String(repeating: "f", count: 40))</integer>",
    ]
    private static let json = ["1e400", #""\ud83d""#, #""\ude00 x""#, #"["a", {"b": -1e999}]"#]

    private static var files: [[UInt8]] {
        binary.map { File.one("other", $0) }
            + xml.map {
                Array("<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>other</key>\($0)</dict></plist>".utf8)
            }
            + json.map { Array("{\"other\": \($0)}".utf8) }
    }

    @Test("a file with a value that Godwit cannot hold is read, with the value's reason and keys", arguments: files)
    func read(_ bytes: [UInt8]) throws {
        let value = try #require(try LegacyDocument(bytes).value(for: "other")?.firstUnheld)
        #expect(!value.reason.isEmpty)
        #expect(value.keys.first == "other")
    }

    @Test(
        "the flag is set and removed next to a value that Godwit cannot hold, and everything else stays",
        arguments: files)
    func flag(_ bytes: [UInt8]) throws {
        let edited = try PropertyListEditor.setting("moved", to: true, in: bytes)
        let document = try LegacyDocument(edited)
        #expect(document.value(for: "moved") == .bool(true))
        #expect(document.value(for: "other") == (try LegacyDocument(bytes).value(for: "other")))
    }

    @Test("a key that Godwit cannot hold is damage, because it identifies no value")
    func keys() {
        let files = [
            File([File.dictionary([1], [2]), File.utf16([0xD83D]), File.yes]).bytes,
            Array(#"{"\ud83d": 1}"#.utf8),
        ]
        for bytes in files {
            #expect(throws: GodwitError.self) { try LegacyDocument(bytes) }
        }
    }
}
