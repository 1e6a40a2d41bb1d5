import GodwitLegacy
import GodwitModel
import GodwitPropertyList
import GodwitTestSupport
import Testing

/// Files with random damage from a seeded generator: nothing crashes, and what can be read can be edited.
struct DamageFuzzTests {
    private static func damaged(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            guard !bytes.isEmpty else { return bytes }
            let place = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 2: bytes.remove(at: place)
            case 3: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: place)
            case 4: bytes.removeSubrange(place..<min(bytes.count, place + 8))
            default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 8)], at: place)
            }
        }
        return bytes
    }

    private static func originals(_ format: LegacyFormat) throws -> [[UInt8]] {
        guard format == .json else {
            return try FoundationOracle.samples.dropLast().map { try FoundationOracle.write($0, as: format) }
        }
        return [
            "{}", "{\"a\": true, \"b\": [1, 2.5, null, \"\\u00e9\\n\"]}",
            "{\n  \"done\": false,\n  \"in\": {\"x\": {\"y\": []}}\n}\n",
        ].map { Array($0.utf8) }
    }

    @Test(
        "a damaged file is rejected as data, or read and then edited", arguments: [LegacyFormat.binary, .xml, .json],
        0..<20)
    func damage(format: LegacyFormat, seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed) << 8)
        for original in try Self.originals(format) {
            for _ in 0..<40 {
                let bytes = Self.damaged(original, &generator)
                let document: LegacyDocument
                do throws(GodwitError) {
                    document = try LegacyDocument(bytes)
                } catch {
                    #expect(error.code == .data)
                    continue
                }
                guard document.value(for: "done") == nil else { continue }
                let edited = try PropertyListEditor.setting("done", to: true, in: bytes)
                #expect(try LegacyDocument(edited).root.count == document.root.count + 1)
            }
        }
    }

    @Test("damaged archives and texts never crash the decoder of favorites", arguments: 0..<20)
    func favorites(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed) << 16)
        let originals = [
            ArchiveFixture.archive(["squat", "row"]), Array("[\"squat\", 1, {\"a\": null}]".utf8),
            Array("a,\"b\"\"c\",\n\"d\"\n".utf8),
            Array("<plist><array><string>squat</string></array></plist>".utf8),
        ]
        for original in originals {
            for _ in 0..<100 {
                let bytes = Self.damaged(original, &generator)
                switch FavoritesDecoder.decode(.data(bytes)) {
                case .decoded(let list): #expect(list.encoding != .auto)
                case .unsupported(let reason): #expect(!reason.isEmpty)
                }
            }
        }
    }
}
