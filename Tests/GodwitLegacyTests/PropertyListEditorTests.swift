import GodwitModel
import GodwitPropertyList
import Foundation
import Testing

/// In every format one key changes, and Foundation reads the same result.
struct PropertyListEditorTests {
    private static let key = "cloudMigrationDone"

    /// Expects Foundation to read the same as before, plus the key.
    private func expectOnlyTheKeyChanged(_ before: [UInt8], _ after: [UInt8], key: String, flag: Bool) throws {
        let copy = try #require(try FoundationOracle.read(before)).mutableCopy()
        let expected = try #require(copy as? NSMutableDictionary)
        expected[key] = NSNumber(value: flag)
        #expect(try #require(try FoundationOracle.read(after)).isEqual(expected))
        let root = try LegacyDocument(after).root
        #expect(try PropertyListEditor.readFlag(root, key) == flag)
    }

    @Test(
        "a key is added and then changed in a file of Foundation", arguments: FoundationOracle.samples,
        [LegacyFormat.binary, .xml])
    func foundationFiles(value: LegacyValue, format: LegacyFormat) throws {
        let original = try FoundationOracle.write(value, as: format)
        let added = try PropertyListEditor.setting(Self.key, to: true, in: original)
        try expectOnlyTheKeyChanged(original, added, key: Self.key, flag: true)
        let changed = try PropertyListEditor.setting(Self.key, to: false, in: added)
        try expectOnlyTheKeyChanged(original, changed, key: Self.key, flag: false)
        let changedBack = try PropertyListEditor.setting(Self.key, to: true, in: changed)
        try expectOnlyTheKeyChanged(original, changedBack, key: Self.key, flag: true)
        #expect(try LegacyDocument(changedBack).format == format)
    }

    @Test(
        "every boolean of a file can be changed without changing others",
        arguments: [LegacyFormat.binary, .xml, .json])
    func eachOfMany(format: LegacyFormat) throws {
        let names = ["a", "b", "c", "d"]
        let value = LegacyValue.dictionary(names.map { LegacyPair(key: $0, value: .bool($0 == "a" || $0 == "c")) })
        let original = try FoundationOracle.write(value, as: format)
        for name in names {
            let flag = !(name == "a" || name == "c")
            let root = LegacyValue.dictionary(
                try LegacyDocument(PropertyListEditor.setting(name, to: flag, in: original)).root)
            for other in names { #expect(root[other] == .bool((other == "a" || other == "c") != (other == name))) }
        }
    }

    @Test("setting a key to its present value keeps the bytes", arguments: [LegacyFormat.binary, .xml, .json])
    func idempotent(format: LegacyFormat) throws {
        let file = try PropertyListEditor.newPropertyList(format, with: Self.key, setTo: true)
        #expect(try PropertyListEditor.setting(Self.key, to: true, in: file) == file)
    }

    @Test("a new file has only the flag", arguments: [LegacyFormat.binary, .xml, .json], [true, false])
    func newFile(format: LegacyFormat, flag: Bool) throws {
        let file = try PropertyListEditor.newPropertyList(format, with: Self.key, setTo: flag)
        let document = try LegacyDocument(file)
        #expect(document.format == format)
        #expect(document.root.count == 1)
        #expect(try PropertyListEditor.readFlag(document.root, Self.key) == flag)
        if format != .json { #expect(try FoundationOracle.read(file) == [Self.key: flag] as NSDictionary) }
        #expect(try LegacyDocument(PropertyListEditor.emptyPropertyList(format)).root.isEmpty)
    }

    @Test(
        "keys with any characters can be written",
        arguments: [
            "", "a&b<c>\"d\"'e'\\", "日本", "cafe\u{301}", "🏋️", "a b", "]]>", String(repeating: "k", count: 300),
        ],
        [LegacyFormat.binary, .xml, .json])
    func oddKeys(key: String, format: LegacyFormat) throws {
        let original = PropertyListEditor.emptyPropertyList(format)
        let file = try PropertyListEditor.setting(key, to: true, in: original)
        #expect(try PropertyListEditor.readFlag(try LegacyDocument(file).root, key) == true)
        if format != .json { try expectOnlyTheKeyChanged(original, file, key: key, flag: true) }
    }

    @Test("a key that differs only in normalization is another key", arguments: [LegacyFormat.binary, .xml, .json])
    func normalisation(format: LegacyFormat) throws {
        let file = try PropertyListEditor.newPropertyList(format, with: "caf\u{E9}", setTo: true)
        let edited = try PropertyListEditor.setting("cafe\u{301}", to: false, in: file)
        let root = try LegacyDocument(edited).root
        #expect(root.map(\.value) == [.bool(true), .bool(false)])
    }

    @Test("control characters in a key are written if the format allows them", arguments: [LegacyFormat.binary, .json])
    func controlCharacters(format: LegacyFormat) throws {
        let key = "a\u{1}\nb\0"
        let file = try PropertyListEditor.newPropertyList(format, with: key, setTo: true)
        #expect(try PropertyListEditor.readFlag(try LegacyDocument(file).root, key) == true)
    }

    @Test("a key with control characters is rejected for XML")
    func controlCharactersInXML() throws {
        let error = #expect(throws: GodwitError.self) {
            try PropertyListEditor.newPropertyList(.xml, with: "a\u{1}", setTo: true)
        }
        #expect(error?.code == .data)
        #expect(throws: Never.self) { try PropertyListEditor.newPropertyList(.xml, with: "a\t\r\nb", setTo: true) }
    }

    @Test(
        "a key whose value is not a boolean is rejected, not overwritten",
        arguments: ["1", "0", "\"true\"", "null", "[]", "{}", "1.0"])
    func otherType(text: String) throws {
        let file = Array("{\"\(Self.key)\": \(text), \"other\": true}".utf8)
        let error = #expect(throws: GodwitError.self) { try PropertyListEditor.setting(Self.key, to: true, in: file) }
        #expect(error?.code == .data)
        #expect(error?.message.hasPrefix("key 'cloudMigrationDone': expected boolean, found ") == true)
        #expect(throws: GodwitError.self) { try PropertyListEditor.readFlag(try LegacyDocument(file).root, Self.key) }
    }

    @Test("an existing flag is read as a boolean, and a missing one as nil")
    func readFlag() throws {
        let root = [LegacyPair(key: "a", value: .bool(true)), LegacyPair(key: "b", value: .bool(false))]
        #expect(try PropertyListEditor.readFlag(root, "a") == true)
        #expect(try PropertyListEditor.readFlag(root, "b") == false)
        #expect(try PropertyListEditor.readFlag(root, "c") == nil)
        #expect(try PropertyListEditor.readFlag([], "a") == nil)
    }

    @Test(
        "damaged files and other top levels are rejected by the editor",
        arguments: ["", "{", "[]", "<plist>", "<plist><array/></plist>", "hello", "bplist00"])
    func damaged(text: String) {
        let error = #expect(throws: GodwitError.self) {
            try PropertyListEditor.setting("a", to: true, in: Array(text.utf8))
        }
        #expect(error?.code == .data)
    }

    @Test("an edit beyond the limits is a data error", arguments: [LegacyFormat.binary, .xml, .json])
    func limits(format: LegacyFormat) throws {
        let file = try PropertyListEditor.newPropertyList(format, with: "a", setTo: true)
        let tightNodes = #expect(throws: GodwitError.self) {
            try PropertyListEditor.setting("b", to: true, in: file, limits: .init(nodes: 3))
        }
        #expect(tightNodes?.code == .data)
        let tightBytes = #expect(throws: GodwitError.self) {
            try PropertyListEditor.setting("b", to: true, in: file, limits: .init(bytes: file.count))
        }
        #expect(tightBytes?.code == .data)
    }

    @Test("the editor accepts every nesting that the readers accept", arguments: [LegacyFormat.binary, .xml, .json])
    func deep(format: LegacyFormat) throws {
        let levels = 511
        let file: [UInt8] =
            switch format {
            case .binary:
                BinaryFixture(
                    [BinaryFixture.dictionary([1], [2], size: 2), BinaryFixture.ascii("k")]
                        + (0..<(levels - 1)).map { BinaryFixture.array([$0 + 3], size: 2) } + [
                            BinaryFixture.array([], size: 2)
                        ]
                ).bytes
            case .xml:
                XMLFixture.key(
                    String(repeating: "<array>", count: levels) + String(repeating: "</array>", count: levels))
            case .json:
                Array(
                    ("{\"k\":" + String(repeating: "[", count: levels) + String(repeating: "]", count: levels) + "}")
                        .utf8)
            }
        let edited = try PropertyListEditor.setting(Self.key, to: true, in: file)
        #expect(try LegacyDocument(edited).root.count == 2)
    }
}
