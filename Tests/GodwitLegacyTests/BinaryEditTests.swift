import GodwitModel
import GodwitPropertyList
import Foundation
import GodwitTestSupport
import Testing

/// In binary files the root is written again, and all other objects keep their bytes and their order.
struct BinaryEditTests {
    private typealias File = BinaryFixture
    private static let key = "done"

    /// A dictionary of `values` objects, each under its own key: 1 + 2 × `values` objects, and `extra` unused ones.
    private static func file(values: Int, extra: Int = 0) -> [UInt8] {
        let count = 1 + 2 * values + extra
        let size = File.size(for: count)
        var objects = [File.dictionary(Array(1...values), Array((values + 1)...(2 * values)), size: size)]
        objects += (0..<values).map { File.ascii("k\($0)") }
        objects += (0..<values).map { $0 % 3 == 0 ? File.array([1], size: size) : File.integer(Int64($0)) }
        objects += (0..<extra).map { File.integer(Int64($0)) }
        return File(objects).bytes
    }

    private func expectEdit(of bytes: [UInt8], key: String = BinaryEditTests.key, to flag: Bool = true) throws {
        let before = try LegacyDocument(bytes).root
        let edited = try PropertyListEditor.setting(key, to: flag, in: bytes)
        var expected = before.filter { !$0.hasKey(key) }
        expected.append(LegacyPair(key: key, value: .bool(flag)))
        let after = try LegacyDocument(edited).root
        #expect(LegacyValue.dictionary(after).sorted == LegacyValue.dictionary(expected).sorted)
        let again = try PropertyListEditor.setting(key, to: !flag, in: edited)
        #expect(try PropertyListEditor.readFlag(try LegacyDocument(again).root, key) == !flag)
    }

    @Test(
        "references grow at 256 objects",
        arguments: [
            (126, 0), (126, 1), (126, 2), (127, 0), (127, 1), (128, 0), (13, 0), (14, 0), (15, 0), (255, 0), (256, 0),
        ])
    func aroundAByte(values: Int, extra: Int) throws {
        let bytes = Self.file(values: values, extra: extra)
        try expectEdit(of: bytes)
        let expected = try #require(try FoundationOracle.read(bytes))
        let edited = try #require(
            try FoundationOracle.read(try PropertyListEditor.setting(Self.key, to: true, in: bytes)))
        #expect(edited.count == expected.count + 1)
    }

    @Test("references grow at 65,536 objects", arguments: [65_533, 65_534, 65_535, 65_536, 65_537])
    func aroundTwoBytes(count: Int) throws {
        // Two values, and unused integers.
        let bytes = Self.file(values: 2, extra: count - 5)
        let edited = try PropertyListEditor.setting(Self.key, to: true, in: bytes)
        #expect(try LegacyDocument(edited).root.map(\.key) == ["k0", "k1", Self.key])
        let trailer = edited.count - 32
        // The edit adds the key and the boolean.
        #expect(edited[trailer + 7] == (count + 2 < 65_536 ? 2 : 4))
    }

    @Test("an edit keeps the bytes and the order of all other objects")
    func bytesStay() throws {
        let parts = [
            File.ascii("favourites"), File.array([4, 5]), File.utf16("日本"), File.real(0.5), File.date(1.5), File.uid(9),
            File.data([1, 2, 3]), File.integer(-1),
        ]
        let bytes = File([File.dictionary([1, 3], [2, 6])] + parts).bytes
        let edited = try PropertyListEditor.setting(Self.key, to: true, in: bytes)
        let root = File.dictionary([1, 3, 10], [2, 6, 9])
        let expected = File([root] + parts + [File.yes, File.ascii(Self.key)]).bytes
        #expect(edited == expected)
    }

    @Test("a root at any index of the file is edited", arguments: 0..<4)
    func rootPlace(place: Int) throws {
        var others = [File.ascii("k"), File.array([], size: 1), File.no]
        let numbers = [0, 1, 2, 3].filter { $0 != place }
        others.insert(File.dictionary([numbers[0]], [numbers[1]]), at: place)
        var file = File(others)
        file.top = UInt64(place)
        try expectEdit(of: file.bytes)
        #expect(try LegacyDocument(file.bytes).root.map(\.value) == [.array([])])
    }

    @Test("an edit does not change a boolean that other keys share")
    func sharedBoolean() throws {
        let bytes = File([
            File.dictionary([1, 2, 3], [4, 4, 5]), File.ascii("a"), File.ascii("done"), File.ascii("c"), File.no,
            File.array([4]),
        ]).bytes
        let edited = try LegacyDocument(PropertyListEditor.setting(Self.key, to: true, in: bytes)).root
        #expect(edited.map(\.value) == [.bool(false), .bool(true), .array([.bool(false)])])
    }

    @Test("an edit uses an existing boolean, and the file does not grow")
    func reusedBoolean() throws {
        let bytes = File([File.dictionary([1, 2], [3, 4]), File.ascii("done"), File.ascii("b"), File.no, File.yes])
            .bytes
        let edited = try PropertyListEditor.setting(Self.key, to: true, in: bytes)
        #expect(edited.count == bytes.count)
        #expect(zip(edited, bytes).filter { $0 != $1 }.count == 1)
    }

    @Test("changing a flag repeatedly does not make the file grow")
    func noGrowth() throws {
        var bytes = try PropertyListEditor.newPropertyList(with: Self.key, setTo: true)
        bytes = try PropertyListEditor.setting(Self.key, to: false, in: bytes)
        let size = bytes.count
        for turn in 0..<10 { bytes = try PropertyListEditor.setting(Self.key, to: turn % 2 == 0, in: bytes) }
        #expect(bytes.count == size)
    }

    @Test("an edit finds a key in UTF-16")
    func utf16Key() throws {
        let bytes = File([File.dictionary([1], [2]), File.utf16("done"), File.no]).bytes
        #expect(try LegacyDocument(PropertyListEditor.setting(Self.key, to: true, in: bytes)).root.count == 1)
    }

    @Test("an edit keeps unused bytes, aliases and unusual sizes", arguments: [1, 2, 3, 5, 8])
    func unusual(size: Int) throws {
        var file = File([
            File.dictionary([1, 2], [3, 4], size: size), File.ascii("a"), File.ascii("b"),
            File.array([5, 5], size: size),
            File.array([6], size: size), File.integer(1),
        ])
        let places = file.objects.indices.map { place in 8 + file.objects[..<place].reduce(0) { $0 + $1.count } }
        file.offsets = places + [places[5]]
        file.objectCount = 7
        file.offsetSize = size
        file.referenceSize = size
        file.gap = [0xAA, 0xBB, 0xCC]
        file.unused = [1, 2, 3, 4, 5, 6]
        let bytes = file.bytes
        try expectEdit(of: bytes)
        let edited = try PropertyListEditor.setting(Self.key, to: true, in: bytes)
        let trailer = edited.count - 32
        #expect(Array(edited[trailer..<(trailer + 8)]) == [1, 2, 3, 4, 5, 6, UInt8(size), UInt8(size)])
        #expect(edited.indices.contains { edited[$0...].starts(with: [0xAA, 0xBB, 0xCC]) })
    }

    @Test("offsets grow when the objects pass 255 and 65,535 bytes", arguments: [200, 230, 240, 250, 65_500, 65_520])
    func offsetGrowth(length: Int) throws {
        let bytes = File([File.dictionary([1], [2]), File.ascii("k"), File.data(Array(repeating: 7, count: length))])
            .bytes
        try expectEdit(of: bytes, key: String(repeating: "long key ", count: 5))
    }

    @Test("all containers are written with the larger references")
    func nestedGrowth() throws {
        // 250 nested arrays, a dictionary and a shared list: 254 objects, then 256.
        var objects = [File.dictionary([1, 2], [3, 253]), File.ascii("deep"), File.ascii("list")]
        objects += (3..<252).map { File.array([$0 + 1, 253]) }
        objects += [File.dictionary([1], [253]), File.array([2, 2])]
        #expect(objects.count == 254)
        let bytes = File(objects).bytes
        let edited = try PropertyListEditor.setting(Self.key, to: true, in: bytes, limits: .init())
        #expect(edited[edited.count - 25] == 2)
        let before = try LegacyDocument(bytes).root
        let after = try LegacyDocument(edited).root
        #expect(after.dropLast().map(\.value) == before.map(\.value))
    }

    @Test("random files can be read and edited", arguments: 0..<100)
    func randomFiles(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let root = RandomValue.dictionary(depth: 0, &generator)
        for format in [LegacyFormat.binary, .xml] {
            let bytes = try FoundationOracle.write(root, as: format)
            #expect(LegacyValue.dictionary(try LegacyDocument(bytes).root).sorted == root.sorted)
            try expectEdit(of: bytes)
        }
    }
}

/// Trees of values that both formats can represent, smaller at each level.
private enum RandomValue {
    static func dictionary(depth: Int, _ generator: inout SeededGenerator) -> LegacyValue {
        let count = Int.random(in: 0...(24 >> depth), using: &generator)
        return .dictionary((0..<count).map { LegacyPair(key: "key \($0)", value: value(depth: depth + 1, &generator)) })
    }

    private static func value(depth: Int, _ generator: inout SeededGenerator) -> LegacyValue {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: return .bool(.random(using: &generator))
        case 1: return .integer(.random(in: .min ... .max, using: &generator))
        case 2: return .integer(.random(in: 0...300, using: &generator))
        case 3: return .real(.random(in: -1e6...1e6, using: &generator))
        case 4: return .string(String(repeating: "é", count: .random(in: 0...20, using: &generator)))
        case 5: return .date(Instant(seconds: .random(in: 0...2_000_000_000, using: &generator)))
        case 6: return .data((0..<Int.random(in: 0...20, using: &generator)).map { UInt8($0) })
        case 7, 8:
            let count = Int.random(in: 0...(24 >> depth), using: &generator)
            return .array((0..<count).map { _ in value(depth: depth + 1, &generator) })
        default: return dictionary(depth: depth + 1, &generator)
        }
    }
}
