import GodwitModel
import GodwitExport
import GodwitTestSupport
import Testing

/// The hole in a packed document, whose bytes are only known when everything else has been packed.
struct GzipHoleTests {
    private static let block = PackedFile.block
    private static let filling = Array("\"contentVersion\": \"0123456789abcdef\"".utf8)

    @Test(
        "a hole at any offset is filled, and the checksum is that of the whole",
        arguments: [0, 1, 500, block - 1, block, block + 1, 2 * block, 5 * block + 17, 6 * block - 1, 6 * block])
    func offsets(offset: Int) throws {
        let content = PackedFile.records(6 * Self.block)
        let one = PackedFile(cores: 1, hole: (offset, Self.filling))
        let packed = try one.pack(content)
        #expect(try PackedFile.unpack(packed) == one.whole(content))
        #expect(try Gzip.unpack(packed) == one.whole(content))
        for cores in [2, 8] {
            #expect(
                try PackedFile(cores: cores, cuts: [70_000, 3], hole: (offset, Self.filling)).pack(content) == packed)
        }
    }

    @Test("a hole may be empty, or as large as a stored block", arguments: [0, 1, 255, 256, 65_535])
    func sizes(size: Int) throws {
        let content = PackedFile.records(2 * Self.block)
        let file = PackedFile(cores: 2, hole: (Self.block + 100, PackedFile.noise(size)))
        #expect(try PackedFile.unpack(file.pack(content)) == file.whole(content))
    }

    @Test("a document may consist only of a hole")
    func nothingElse() throws {
        let file = PackedFile(cores: 4, hole: (0, Self.filling))
        #expect(try Gzip.unpack(file.pack([])) == Self.filling)
    }

    @Test("filling a hole does not change the bytes around it")
    func independence() throws {
        let content = PackedFile.records(4 * Self.block)
        // A filling that repeats earlier bytes must not be stored as a reference to them.
        let likely = Array(content[2000..<2040])
        let packed = try [likely, PackedFile.noise(40)].map { filling in
            try PackedFile(cores: 2, hole: (Self.block + 40_000, filling)).pack(content)
        }
        let differing = zip(packed[0], packed[1]).enumerated().filter { $0.element.0 != $0.element.1 }.map(\.offset)
        let first = try #require(differing.first)
        let inBody = differing.filter { $0 < packed[0].count - 8 }
        #expect(packed[0].count == packed[1].count)
        #expect(inBody.allSatisfy { $0 < first + 40 })
    }

    @Test("data after a hole refers to nothing before it")
    func forgetting() throws {
        // Without the hole, the second half could refer to the first.
        let noise = PackedFile.noise(20_000)
        let packed = try PackedFile(cores: 2, hole: (20_000, Self.filling)).pack(noise + noise)
        #expect(packed.count > 40_000)
        #expect(try PackedFile(cores: 2).pack(noise + noise).count < 21_000)
    }

    @Test("an impossible hole is reported as a bug", arguments: [-1, 65_536, 1 << 20])
    func impossible(size: Int) throws {
        let folder = try TemporaryFolder()
        let file = try folder.makeFile("packed")
        var writer = try GzipWriter(level: 6, cores: 2)
        #expect(failure { try writer.writeHole(size, to: file) }?.code == .bug)
    }

    @Test("there is one hole, and its content has its size")
    func misuse() throws {
        let folder = try TemporaryFolder()
        let file = try folder.makeFile("packed")
        var writer = try GzipWriter(level: 6, cores: 2)
        #expect(failure { try writer.finish(filling: [1], in: file) }?.code == .bug)
        try writer.writeHole(3, to: file)
        #expect(failure { try writer.writeHole(3, to: file) }?.code == .bug)
        #expect(failure { try writer.finish(filling: [1, 2], in: file) }?.code == .bug)
        #expect(failure { try writer.finish(filling: [1, 2, 3, 4], in: file) }?.code == .bug)
    }
}
