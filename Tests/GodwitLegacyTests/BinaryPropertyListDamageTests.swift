import GodwitModel
import GodwitPropertyList
import Testing

/// Each damaged file is rejected with exit code 65 and a reason.
struct BinaryPropertyListDamageTests {
    private typealias File = BinaryFixture

    private static let good = File([
        File.dictionary([1, 2], [3, 4]), File.ascii("favourites"), File.ascii("sort"), File.array([5, 6]),
        File.integer(1), File.ascii("squat"), File.ascii("bench-press"),
    ]).bytes

    private static func lying(_ objects: [[UInt8]], _ change: (inout File) -> Void) -> [UInt8] {
        var file = File(objects)
        change(&file)
        return file.bytes
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        let reason: String
        var testDescription: String { name }

        init(_ name: String, _ bytes: [UInt8], _ reason: String) {
            self.name = name
            self.bytes = bytes
            self.reason = reason
        }
    }

    static let frames: [Case] = [
        Case("only the magic", Array("bplist00".utf8), "truncated"),
        Case("half a file", Array(good.prefix(good.count / 2)), "truncated"),
        Case("a file without its last byte", Array(good.dropLast()), "truncated"),
        Case("bytes after the trailer", good + Array("garbage!".utf8), "trailer"),
        Case("another version", lying([File.ascii("x")]) { $0.magic = "bplist15" }, "unknown binary version"),
        Case("an object count of 2^63", lying([File.ascii("x")]) { $0.objectCount = 1 << 63 }, "object count"),
        Case("an object count of 0", lying([File.ascii("x")]) { $0.objectCount = 0 }, "object count"),
        Case("one object more than offsets", lying([File.ascii("x")]) { $0.objectCount = 2 }, "size of the file"),
        Case("a table past the end", lying([File.ascii("x")]) { $0.tableOffset = 1 << 40 }, "offset table"),
        Case("a table inside the header", lying([File.ascii("x")]) { $0.tableOffset = 7 }, "offset table"),
        Case(
            "a table that is not where it should be", lying([File.ascii("xy")]) { $0.tableOffset = 10 },
            "size of the file"),
        Case("offsets of no bytes", lying([File.ascii("x")]) { $0.offsetSize = 0 }, "offset size"),
        Case("offsets of 9 bytes", lying([File.ascii("x")]) { $0.offsetSize = 9 }, "offset size"),
        Case(
            "references of no bytes", lying([File.array([1]), File.ascii("x")]) { $0.referenceSize = 0 },
            "reference size"),
        Case(
            "references of 9 bytes", lying([File.array([1]), File.ascii("x")]) { $0.referenceSize = 9 },
            "reference size"),
        Case("a top object that does not exist", lying([File.ascii("x")]) { $0.top = 9 }, "top object"),
        Case("an offset past the objects", lying([File.yes, File.yes]) { $0.offsets = [8, 250] }, "object offset"),
        Case("an offset into the header", lying([File.yes, File.yes]) { $0.offsets = [8, 3] }, "object offset"),
        Case("an offset into the table", lying([File.yes, File.yes]) { $0.offsets = [8, 10] }, "object offset"),
        Case(
            "objects that overlap", lying([File.ascii("abc"), File.yes]) { $0.offsets = [8, 10] }, "objects overlap"),
        Case(
            "256 objects with references of a byte",
            lying(Array(repeating: File.yes, count: 256)) { $0.referenceSize = 1 }, "reference size"),
    ]

    static let objects: [Case] = [
        Case("an array of itself", File([File.array([0])]).bytes, "cycle"),
        Case(
            "two dictionaries in each other",
            File([File.dictionary([2], [1]), File.dictionary([2], [0]), File.ascii("k")]).bytes, "cycle"),
        Case("a reference that names no object", File([File.array([9]), File.ascii("x")]).bytes, "object reference"),
        Case(
            "such a reference in an unused object", File([File.dictionary([], []), File.array([9])]).bytes,
            "object reference"),
        Case(
            "a string of 2^40 bytes", File([[0x5F, 0x13] + File.bigEndian(1 << 40, 8) + Array("abc".utf8)]).bytes,
            "length past end"),
        Case(
            "an array of 2^61 elements", File([[0xAF, 0x13] + File.bigEndian(1 << 61, 8) + [0]]).bytes,
            "length past end"),
        Case(
            "a negative length", File([[0x5F, 0x13] + File.bigEndian(.max, 8) + Array("abc".utf8)]).bytes,
            "length past end"),
        Case("a length that is cut off", File([[0x5F]]).bytes, "length past end"),
        Case("a length that is a string", File([[0x5F, 0x51, 0x61, 0x61]]).bytes, "length is not an integer"),
        Case("an integer that is cut off", File([[0x13, 0, 0]]).bytes, "length past end"),
        Case("UTF-16 that is cut off", File([[0x62, 0, 0x41, 0]]).bytes, "length past end"),
        Case("a dictionary without its values", File([[0xD1, 0]]).bytes, "length past end"),
        Case(
            "a key that is an integer", File([File.dictionary([1], [2]), File.integer(7), File.ascii("v")]).bytes,
            "dictionary key is not a string"),
        Case(
            "the same key twice",
            File([File.dictionary([1, 1], [2, 3]), File.ascii("k"), File.ascii("a"), File.ascii("b")]).bytes,
            "duplicate key 'k'"),
        Case(
            "the same key as ASCII and as UTF-16",
            File([File.dictionary([1, 2], [3, 3]), File.ascii("k"), File.utf16("k"), File.yes]).bytes,
            "duplicate key 'k'"),
        Case("a null object", File.one("n", [0x00]), "null object"),
        Case("a fill byte", File.one("n", [0x0F]), "unknown object type 0x0f"),
        Case("a URL", File.one("n", [0x0C]), "unknown object type 0x0c"),
        Case("an object of type 7", File.one("n", [0x70]), "unknown object type 0x70"),
        Case("a set", File.one("s", [0xC1, 0x01]), "set object"),
        Case("an ordered set", File.one("s", [0xB1, 0x01]), "set object"),
        Case(
            "an integer of 32 bytes", File.one("i", [0x15] + Array(repeating: 0, count: 32)), "unknown object type 0x15"
        ),
        Case("a real of 2 bytes", File.one("r", [0x21, 0, 0]), "unknown object type 0x21"),
        Case("a date of 4 bytes", File.one("d", [0x32, 0, 0, 0, 0]), "unknown object type 0x32"),
        Case("a UID of 16 bytes", File.one("u", [0x8F] + Array(repeating: 0, count: 16)), "unknown object type 0x8f"),
    ]

    static let values: [Case] = [
        Case("NaN", File.one("r", File.real(.nan)), "key 'r': NaN cannot be stored as a number"),
        Case("a date that is NaN", File.one("d", File.date(.nan)), "key 'd': date out of range"),
        Case("a date that is infinite", File.one("d", File.date(.infinity)), "key 'd': date out of range"),
        Case("a date far in the future", File.one("d", File.date(1e300)), "key 'd': date out of range"),
        Case("the year -5000", File.one("d", File.date(-2.2e11)), "key 'd': date out of range"),
        Case("the year 10000", File.one("d", File.date(252_455_616_000)), "key 'd': date out of range"),
        Case("a lone high surrogate", File.one("s", File.utf16([0xD800, 0x41])), "key 's': text is not valid Unicode"),
        Case("a lone low surrogate", File.one("s", File.utf16([0xDC00])), "key 's': text is not valid Unicode"),
        Case(
            "ASCII that is none", File.one("s", [0x54] + Array("caf".utf8) + [0xE9]), "key 's': text is not valid ASCII"
        ),
        Case(
            "a value further down",
            File([
                File.dictionary([1], [2]), File.ascii("outer"), File.array([3]), File.dictionary([4], [5]),
                File.ascii("inner"),
                File.real(.nan),
            ]).bytes, "key 'outer' > 'inner': NaN"),
    ]

    @Test("a binary file with a damaged header, trailer or table is rejected", arguments: frames)
    func frame(damage: Case) { expectRefusal(damage) }

    @Test("a binary file with a damaged or forbidden object is rejected", arguments: objects)
    func object(damage: Case) { expectRefusal(damage) }

    @Test("a value that cannot be represented is rejected with its key", arguments: values)
    func value(damage: Case) { expectRefusal(damage) }

    private func expectRefusal(_ damage: Case) {
        let error = #expect(throws: GodwitError.self) { try BinaryPropertyListReader.read(damage.bytes) }
        #expect(error?.code == .data)
        #expect(error?.stage == .legacy)
        #expect(error?.message.contains(damage.reason) == true, "\(error?.message ?? "accepted")")
        #expect(error?.hint != nil)
    }

    @Test("a bomb of shared references is rejected without being expanded")
    func bomb() {
        let file = File((0..<40).map { File.array([$0 + 1, $0 + 1]) } + [File.ascii("boom")])
        let error = #expect(throws: GodwitError.self) { try BinaryPropertyListReader.read(file.bytes) }
        #expect(error?.message.contains("expands past 1000000 values") == true)
    }

    @Test("a hundred thousand nested arrays are rejected without overflowing the stack")
    func deep() {
        let count = 100_000
        var file = File((0..<count).map { File.array([$0 + 1], size: 4) } + [File.ascii("x")])
        file.referenceSize = 4
        file.offsetSize = 4
        let error = #expect(throws: GodwitError.self) { try BinaryPropertyListReader.read(file.bytes) }
        #expect(error?.message.contains("nested deeper than 512") == true)
    }

    @Test("a thousand references to one large array cost no more than one")
    func aliasesOfAGreatArray() {
        // Object 0 refers to 1,000 objects that are all the same array of 50,000 elements.
        let names = 1_000
        var file = File([
            File.array(Array(1...names), size: 2), File.array(Array(repeating: names + 1, count: 50_000), size: 2),
            File.yes,
        ])
        let array = 8 + file.objects[0].count
        file.offsets = [8] + Array(repeating: array, count: names) + [array + file.objects[1].count]
        file.objectCount = UInt64(names + 2)
        file.referenceSize = 2
        let error = #expect(throws: GodwitError.self) { try BinaryPropertyListReader.read(file.bytes) }
        #expect(error?.message.contains("expands past 1000000 values") == true)
    }

    @Test("every prefix of a good binary file is rejected")
    func prefixes() {
        for length in 0..<Self.good.count {
            #expect(throws: GodwitError.self) { try BinaryPropertyListReader.read(Array(Self.good.prefix(length))) }
        }
    }

    @Test("a message about damage never has a value")
    func noValues() {
        let file = File([
            File.dictionary([1, 2], [3, 4]), File.ascii("token"), File.ascii("bad"), File.ascii("secret-value"),
            File.real(.nan),
        ])
        let error = #expect(throws: GodwitError.self) { try BinaryPropertyListReader.read(file.bytes) }
        #expect(error?.description.contains("secret-value") == false)
        #expect(error?.message.contains("'bad'") == true)
    }
}
