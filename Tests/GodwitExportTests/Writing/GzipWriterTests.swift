import GodwitFiles
import GodwitExport
import GodwitModel
import GodwitTestSupport
import Testing

/// One member, however many threads pack it: every tool can unpack it, and equal content gives equal bytes.
struct GzipWriterTests {
    private static let block = PackedFile.block

    /// Sizes around the ends of blocks, and around the capacity of a ring of blocks.
    private static let edges = [
        0, 1, 2, 100, block - 1, block, block + 1, 2 * block - 1, 2 * block, 2 * block + 1, 3 * block,
        7 * block + 12_345,
        20 * block, 40 * block + 1,
    ]

    @Test("content of any size survives, for the project's reader and for gunzip", arguments: edges)
    func sizes(size: Int) throws {
        for content in [PackedFile.records(size), PackedFile.noise(size)] {
            let packed = try PackedFile(cores: 3).pack(content)
            #expect(try PackedFile.unpack(packed) == content)
            #expect(try Gzip.unpack(packed) == content)
        }
    }

    @Test("Python's reader finds one member and no trailing bytes")
    func python() throws {
        let content = PackedFile.records(5 * Self.block + 77)
        let packed = try PackedFile(cores: 2, hole: (300, Array("filled".utf8))).pack(content)
        let script = """
            import sys, zlib
            d = zlib.decompressobj(31)
            out = d.decompress(sys.stdin.buffer.read()) + d.flush()
            sys.exit(9) if d.unused_data or not d.eof else sys.stdout.buffer.write(out)
            """
        let unpacked = try #require(try Gzip.run("python3", ["-c", script], packed))
        #expect(unpacked == Array(content[..<300]) + Array("filled".utf8) + Array(content[300...]))
    }

    @Test("the bytes do not depend on the number of cores", arguments: [1, 6, 9])
    func cores(level: Int) throws {
        let content = PackedFile.records(30 * Self.block + 5) + PackedFile.noise(3 * Self.block)
        let one = try PackedFile(level: level, cores: 1).pack(content)
        #expect(try PackedFile.unpack(one) == content)
        for cores in [2, 3, 8, 16, 1000] {
            for _ in 0..<3 { #expect(try PackedFile(level: level, cores: cores).pack(content) == one) }
        }
    }

    @Test("any number of cores is accepted", arguments: [Int.min, -1, 0, Int.max])
    func strangeCores(cores: Int) throws {
        let content = PackedFile.records(3 * Self.block)
        #expect(try PackedFile(cores: cores).pack(content) == PackedFile(cores: 1).pack(content))
    }

    @Test(
        "the bytes do not depend on the division of the writes",
        arguments: [
            [1, 99_999], [block], [block - 1, 1], [block + 1], [1 << 20], [1 << 16, 3, 1, 250_000], [37, 4099, 65_521],
        ])
    func cuts(cuts: [Int]) throws {
        let content = PackedFile.records(9 * Self.block + 4321)
        let whole = try PackedFile(cores: 1).pack(content)
        #expect(try PackedFile(cores: 1, cuts: cuts).pack(content) == whole)
        #expect(try PackedFile(cores: 4, cuts: cuts).pack(content) == whole)
    }

    @Test("writing byte by byte gives the same as one write")
    func singleBytes() throws {
        let content = PackedFile.records(Self.block + 3)
        #expect(try PackedFile(cores: 2, cuts: [1]).pack(content) == PackedFile(cores: 2).pack(content))
    }

    @Test("empty writes change nothing")
    func emptyPieces() throws {
        let folder = try TemporaryFolder()
        let content = PackedFile.records(2 * Self.block)
        let file = try folder.makeFile("packed")
        var writer = try GzipWriter(level: 6, cores: 2)
        for piece in [[], content[..<Self.block], [], content[Self.block...], []] {
            try piece.withUnsafeBytes { try writer.write($0, to: file) }
        }
        try writer.finish(filling: [], in: file)
        try file.commit(replacing: false)
        #expect(try folder.bytes(of: "packed") == PackedFile().pack(content))
    }

    @Test("every level compresses, and a higher one not worse", arguments: [false, true])
    func levels(isNoise: Bool) throws {
        let content = isNoise ? PackedFile.noise(3 * Self.block + 9) : PackedFile.records(3 * Self.block + 9)
        var sizes: [Int] = []
        for level in 1...9 {
            let packed = try PackedFile(level: level, cores: 2, hole: (1000, [1, 2, 3])).pack(content)
            #expect(try PackedFile.unpack(packed) == Array(content[..<1000]) + [1, 2, 3] + Array(content[1000...]))
            sizes.append(packed.count)
        }
        if isNoise {
            // RFC 1951, section 3.2.4: data that can't be compressed is stored with a few bytes more.
            #expect(sizes.allSatisfy { $0 > content.count && $0 < content.count + content.count / 1000 + 200 })
        } else {
            #expect(sizes[0] < content.count / 3 && sizes[8] < sizes[0] && sizes[5] <= sizes[0])
        }
    }

    @Test("a block refers to the end of the previous one, so that little is lost")
    func dictionary() throws {
        // The content repeats every 30,000 bytes; without references across the ends of blocks, each block would store
        // it again.
        let repeating = Array([[UInt8]](repeating: PackedFile.noise(30_000), count: 40).joined())
        #expect(try PackedFile(cores: 2).pack(repeating).count < 40_000)
        let content = PackedFile.records(20 * Self.block)
        let usual = try Gzip.pack(content).count
        #expect(try PackedFile(cores: 2).pack(content).count < usual + usual / 50)
    }

    @Test("blocks of unequal size are written in order")
    func order() throws {
        let content = (0..<24).flatMap { part in
            part % 2 == 0 ? PackedFile.noise(Self.block, seed: UInt64(part + 1)) : PackedFile.records(Self.block)
        }
        for cores in [2, 5] {
            #expect(try PackedFile.unpack(PackedFile(level: 9, cores: cores).pack(content)) == content)
        }
    }

    @Test("ten writers at a time do not interfere")
    func manyWriters() async throws {
        let content = PackedFile.records(6 * Self.block)
        let expected = try PackedFile().pack(content)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<10 { group.addTask { try PackedFile(cores: 3).pack(content) == expected } }
            for try await isSame in group { #expect(isSame) }
        }
    }
}
