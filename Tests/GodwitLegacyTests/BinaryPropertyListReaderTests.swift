import GodwitModel
import GodwitPropertyList
import Testing

/// Valid files, and the value of each kind of object.
struct BinaryPropertyListReaderTests {
    private typealias File = BinaryFixture

    @Test("a binary file of Foundation is read with the same values", arguments: FoundationOracle.samples)
    func foundationFiles(value: LegacyValue) throws {
        let bytes = try FoundationOracle.write(value, as: .binary)
        #expect(try BinaryPropertyListReader.read(bytes).sorted == value.sorted)
    }

    @Test(
        "integers of 1, 2 and 4 bytes are unsigned, those of 8 and 16 are signed",
        arguments: [
            ([0x10, 0xFF], .integer(255)),
            ([0x11, 0xFF, 0xFF], .integer(65_535)),
            ([0x12, 0xFF, 0xFF, 0xFF, 0xFF], .integer(4_294_967_295)),
            ([0x13] + Array(repeating: 0xFF, count: 8), .integer(-1)),
            ([0x13, 0x80] + Array(repeating: 0, count: 7), .integer(.min)),
            ([0x13, 0x00, 0x20, 0, 0, 0, 0, 0, 1], .integer(9_007_199_254_740_993)),
            ([0x14] + Array(repeating: 0xFF, count: 16), .integer(-1)),
            ([0x14] + Array(repeating: 0, count: 15) + [7], .integer(7)),
            (
                [0x14] + Array(repeating: 0, count: 8) + Array(repeating: 0xFF, count: 8),
                .bigInteger("18446744073709551615")
            ),
            (
                [0x14, 0x80] + Array(repeating: 0, count: 15),
                .bigInteger("-170141183460469231731687303715884105728")
            ),
        ] as [([UInt8], LegacyValue)])
    func integers(object: [UInt8], expected: LegacyValue) throws {
        #expect(try BinaryPropertyListReader.read(File.one("i", object))["i"] == expected)
    }

    @Test(
        "real numbers keep their bits",
        arguments: [0.0, -0.0, .leastNonzeroMagnitude, 0.1, .greatestFiniteMagnitude, .infinity, -.infinity])
    func reals(number: Double) throws {
        #expect(try BinaryPropertyListReader.read(File.one("r", File.real(number)))["r"] == .real(number))
    }

    @Test("a real number of 4 bytes keeps its value")
    func singleReal() throws {
        let object = [0x22] + File.bigEndian(UInt64(Float(0.1).bitPattern), 4)
        #expect(try BinaryPropertyListReader.read(File.one("r", object))["r"] == .real(Double(Float(0.1))))
    }

    @Test("binary dates count seconds from 2001, with fractions")
    func dates() throws {
        let date = try BinaryPropertyListReader.read(File.one("d", File.date(0.5)))["d"]
        #expect(date == .date(Instant(seconds: 978_307_200, attoseconds: 500_000_000_000_000_000)))
    }

    @Test("Foundation's distant dates are in range", arguments: [-63_114_076_800.0, 63_113_904_000.0])
    func distantDates(seconds: Double) throws {
        let date = try BinaryPropertyListReader.read(File.one("d", File.date(seconds)))["d"]
        #expect(date == .date(Instant(seconds: 978_307_200 + Int64(seconds))))
    }

    @Test("UIDs of keyed archives are read")
    func uids() throws {
        #expect(try BinaryPropertyListReader.read(File.one("u", [0x80, 5]))["u"] == .uid(5))
        #expect(try BinaryPropertyListReader.read(File.one("u", [0x81, 1, 0]))["u"] == .uid(256))
        #expect(
            try BinaryPropertyListReader.read(File.one("u", [0x87] + Array(repeating: 0xFF, count: 8)))["u"]
                == .uid(.max))
    }

    @Test("binary text keeps every byte, including NUL and combining characters")
    func text() throws {
        #expect(try BinaryPropertyListReader.read(File.one("s", File.ascii("a\0b")))["s"] == .string("a\0b"))
        let decomposed = "cafe\u{301} 👩🏽‍🚀"
        #expect(try BinaryPropertyListReader.read(File.one("s", File.utf16(decomposed)))["s"] == .string(decomposed))
    }

    @Test("a count may be longer than necessary")
    func longCount() throws {
        let object: [UInt8] = [0x5F, 0x11, 0, 3] + Array("abc".utf8)
        #expect(try BinaryPropertyListReader.read(File.one("s", object))["s"] == .string("abc"))
    }

    @Test("keys that are equal only after normalization stay two keys in a binary file")
    func normalisationTwins() throws {
        let file = File([
            File.dictionary([1, 2], [3, 4]), File.utf16("caf\u{E9}"), File.utf16("cafe\u{301}"), File.ascii("v"),
            File.ascii("w"),
        ])
        guard case .dictionary(let pairs) = try BinaryPropertyListReader.read(file.bytes) else {
            Issue.record("no dictionary")
            return
        }
        #expect(pairs.map(\.value) == [.string("v"), .string("w")])
        #expect(!pairs[0].hasKey(pairs[1].key))
    }

    @Test("a binary file's order of keys is kept")
    func order() throws {
        let names = ["zeta", "alpha", "mu"]
        let file = File([File.dictionary([1, 2, 3], [4, 4, 4])] + names.map(File.ascii) + [File.yes])
        guard case .dictionary(let pairs) = try BinaryPropertyListReader.read(file.bytes) else {
            Issue.record("no dictionary")
            return
        }
        #expect(pairs.map(\.key) == names)
    }

    @Test("objects may be shared, in any order, with unused bytes between them")
    func unusualButSound() throws {
        var file = File([File.ascii("v"), File.ascii("k"), File.ascii("l"), File.dictionary([1, 2], [0, 0])])
        file.top = 3
        file.gap = [0xFF, 0xFF]
        #expect(try BinaryPropertyListReader.read(file.bytes) == .dict(["k": .string("v"), "l": .string("v")]))
    }

    @Test("two object numbers may have one offset")
    func aliases() throws {
        var file = File([File.dictionary([1, 2], [3, 4]), File.ascii("k"), File.ascii("l"), File.yes])
        file.offsets = [8, 13, 15, 17, 17]
        file.objectCount = 5
        #expect(try BinaryPropertyListReader.read(file.bytes) == .dict(["k": .bool(true), "l": .bool(true)]))
    }

    @Test("offsets of 3 bytes and references of 8 bytes are read", arguments: [1, 2, 3, 4, 5, 8])
    func oddSizes(size: Int) throws {
        var file = File([File.dictionary([1], [2], size: size), File.ascii("k"), File.yes])
        file.offsetSize = size
        file.referenceSize = size
        #expect(try BinaryPropertyListReader.read(file.bytes) == .dict(["k": .bool(true)]))
    }

    @Test("a binary file is read up to the nesting limit, and one level more is rejected")
    func depth() throws {
        func nested(_ levels: Int) -> [UInt8] {
            File(
                (0..<(levels - 1)).map { File.array([$0 + 1], size: 2) } + [File.array([], size: 2)]
                    + (levels < 256 ? (0..<256).map { _ in File.yes } : [])
            ).bytes
        }
        let limits = LegacyLimits(depth: 300)
        #expect(try BinaryPropertyListReader.read(nested(300), limits: limits).typeName == "array")
        let error = #expect(throws: GodwitError.self) { try BinaryPropertyListReader.read(nested(301), limits: limits) }
        #expect(error?.message.contains("nested deeper than 300") == true)
    }

    @Test("a shared container counts with its own depth at every reference")
    func sharedDepth() throws {
        // 3 -> 4 -> 5 is reached first at level 2 and again at level 4.
        let file = File([
            File.array([3, 1]), File.array([2]), File.array([3]), File.array([4]), File.array([5]), File.array([]),
        ])
        #expect(throws: Never.self) { try BinaryPropertyListReader.read(file.bytes, limits: .init(depth: 6)) }
        let error = #expect(throws: GodwitError.self) {
            try BinaryPropertyListReader.read(file.bytes, limits: .init(depth: 5))
        }
        #expect(error?.message.contains("nested deeper") == true)
    }

    @Test("values and keys count towards the limit, shared ones each time")
    func nodeLimit() throws {
        // The dictionary, its key, the array, and three times the same string.
        let file = File([File.dictionary([1], [2]), File.ascii("k"), File.array([3, 3, 3]), File.ascii("v")]).bytes
        #expect(throws: Never.self) { try BinaryPropertyListReader.read(file, limits: .init(nodes: 6)) }
        let error = #expect(throws: GodwitError.self) {
            try BinaryPropertyListReader.read(file, limits: .init(nodes: 5))
        }
        #expect(error?.message.contains("expands past 5 values") == true)
    }

    @Test("shared text counts towards the limit each time")
    func contentLimit() throws {
        let file = File([File.array([1, 1, 1]), File.ascii("0123456789")]).bytes
        #expect(throws: Never.self) { try BinaryPropertyListReader.read(file, limits: .init(content: 30)) }
        let error = #expect(throws: GodwitError.self) {
            try BinaryPropertyListReader.read(file, limits: .init(content: 29))
        }
        #expect(error?.message.contains("expands past 29 bytes") == true)
    }

    @Test("shared keys count towards the limit each time")
    func keyContentLimit() throws {
        let file = File([
            File.array([1, 2]), File.dictionary([3], [4]), File.dictionary([3], [4]), File.ascii("0123456789"),
            File.yes,
        ]).bytes
        #expect(throws: Never.self) { try BinaryPropertyListReader.read(file, limits: .init(content: 20)) }
        #expect(throws: GodwitError.self) { try BinaryPropertyListReader.read(file, limits: .init(content: 19)) }
    }

    @Test("objects without references count towards the limit")
    func objectLimit() throws {
        let file = File([File.dictionary([], [])] + Array(repeating: File.yes, count: 9)).bytes
        #expect(try BinaryPropertyListReader.read(file, limits: .init(nodes: 10)) == .dict([:]))
        let error = #expect(throws: GodwitError.self) {
            try BinaryPropertyListReader.read(file, limits: .init(nodes: 9))
        }
        #expect(error?.message.contains("more than 9 objects") == true)
        #expect(error?.hint?.contains("1,000,000 values") == true)
    }

    @Test("an empty dictionary is the smallest binary file")
    func smallest() throws {
        let file = File([File.dictionary([], [])]).bytes
        #expect(file == PropertyListEditor.emptyPropertyList(.binary))
        #expect(try BinaryPropertyListReader.read(file) == .dict([:]))
    }
}
