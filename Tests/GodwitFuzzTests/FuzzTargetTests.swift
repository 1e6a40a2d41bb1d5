import GodwitFuzzTargets
import GodwitLegacy
import GodwitModel
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The fuzz targets reach what they are meant to reach.
struct FuzzTargetTests {
    private static func seed(_ target: FuzzTarget, _ name: String) throws -> [UInt8] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return Array(try Data(contentsOf: folder.appending(path: "Fuzz/Corpus/\(target.rawValue)/\(name)")))
    }

    @Test(
        "the stores among the seeds are opened, recovered and read",
        arguments: [
            // Three records; changed in the log; six more in the log; nine, whose deletion is rolled back.
            ("plain", 3), ("log", 3), ("log-many", 9), ("hot", 9), ("hot-named", 9), ("utf16", 2),
            // Two records deleted in the log; without a log they are there.
            ("log-rich", 2), ("rich", 4),
        ] as [(String, Int64)])
    func storeIsRead(_ name: String, _ records: Int64) throws {
        #expect(try StoreSetCheck.records(in: try Self.seed(.storeSet, name)) == records)
    }

    @Test("mending the sums of a log or journal that SQLite wrote changes nothing", arguments: ["log-many", "hot"])
    func genuineSums(_ name: String) throws {
        let bytes = Array(try Self.seed(.storeSet, name).dropFirst())
        let asIs = try #require(StoreSetInput([0] + bytes))
        let mended = try #require(StoreSetInput([3] + bytes))
        let isSame = mended.log == asIs.log && mended.journal == asIs.journal
        #expect(isSame)
        let isThere = asIs.log?.isEmpty == false || asIs.journal?.isEmpty == false
        #expect(isThere)
    }

    @Test("mending the sums makes SQLite read a frame that was changed")
    func mendedSums() throws {
        var bytes = try Self.seed(.storeSet, "log-many")
        // The last frame's page ends with the first record of that page; a letter of its text becomes another.
        bytes[bytes.count - 3] ^= 1
        #expect(try StoreSetCheck.records(in: bytes) == 9)
        bytes[0] = 0
        #expect(try StoreSetCheck.records(in: bytes) == 3)
    }

    @Test("bytes that are no file are taken for the objects of one")
    func assembly() throws {
        let file = BinaryAssembly.file(try Self.seed(.binaryPropertyList, "objects"))
        let value = try BinaryPropertyListReader.read(file)
        let flag = LegacyValue.bool(true)
        #expect(
            value
                == .dictionary([
                    LegacyPair(key: "a", value: .array([flag, .integer(7), flag])),
                    LegacyPair(key: "bb", value: .integer(7)),
                ]))
    }

    @Test("a file stays as it is", arguments: ["settings", "cycle"])
    func assemblyKeepsFiles(_ name: String) throws {
        let file = try Self.seed(.binaryPropertyList, name)
        #expect(BinaryAssembly.file(file) == file)
    }

    @Test("no input is too short", arguments: FuzzTarget.allCases)
    func short(_ target: FuzzTarget) throws {
        try target.run([])
        for byte in UInt8.min...UInt8.max { try target.run([byte]) }
    }
}
