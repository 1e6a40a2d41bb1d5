import GodwitModel
import GodwitPropertyList
import FoundationLite
import GodwitExport
import GodwitFuzzTargets
import Testing

/// The fuzz targets reach the code they are made for.
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
            // Two records deleted in the log; without the log they exist.
            ("log-rich", 2), ("rich", 4),
        ] as [(String, Int64)])
    func storeIsRead(_ name: String, _ records: Int64) throws {
        #expect(try StoreSetCheck.outcome(of: try Self.seed(.storeSet, name))?.get() == records)
    }

    @Test("correcting the checksums of a journal that SQLite wrote changes nothing", arguments: ["log-many", "hot"])
    func genuineSums(_ name: String) throws {
        let bytes = Array(try Self.seed(.storeSet, name).dropFirst())
        let asIs = try #require(StoreSetInput([0] + bytes))
        let corrected = try #require(StoreSetInput([3] + bytes))
        let isSame = corrected.log == asIs.log && corrected.journal == asIs.journal
        #expect(isSame)
        let isThere = asIs.log?.isEmpty == false || asIs.journal?.isEmpty == false
        #expect(isThere)
    }

    @Test("correcting the checksums makes SQLite read a changed frame")
    func correctedSums() throws {
        var bytes = try Self.seed(.storeSet, "log-many")
        // The last frame's page ends with the first record of that page; this changes a letter of its text.
        bytes[bytes.count - 3] ^= 1
        #expect(try StoreSetCheck.outcome(of: bytes)?.get() == 9)
        bytes[0] = 0
        #expect(try StoreSetCheck.outcome(of: bytes)?.get() == 3)
    }

    @Test("files that claim more pages than they hold are rejected before a table of all pages is allocated")
    func claimedPages() throws {
        // The header's page count is not used if its two change counters differ (bytes 24 and 92):
        // <https://sqlite.org/fileformat2.html#in_header_database_size>.
        var log = try Self.seed(.storeSet, "log")
        let cut = try #require(Self.offset(of: StoreSetInput.mark, in: log)) + StoreSetInput.mark.count
        let page = 512
        // The size in pages after the commit: bytes 4 to 7 of the last frame's header, 24 bytes before its page.
        let frame = log.count - page - 24
        #expect(cut <= frame)
        log.replaceSubrange((frame + 4)..<(frame + 8), with: [0x7F, 0xFF, 0xFF, 0xFF])
        log[1 + 95] ^= 1
        try expectTooManyPages(log)

        var journal = try Self.seed(.storeSet, "hot")
        let start = try #require(Self.offset(of: StoreSetInput.mark, in: journal)) + 2 * StoreSetInput.mark.count
        // The size in pages before the transaction: bytes 16 to 19 of the header.
        journal.replaceSubrange((start + 16)..<(start + 20), with: [0x00, 0x7F, 0xFF, 0xFF])
        let first = try #require(Self.offset(of: Array("SQLite format 3\0".utf8), in: Array(journal[start...])))
        journal[start + first + 95] ^= 1
        try expectTooManyPages(journal)
    }

    private func expectTooManyPages(_ input: [UInt8]) throws {
        let error = #expect(throws: GodwitError.self) { _ = try StoreSetCheck.outcome(of: input)?.get() }
        #expect(error?.code == .data)
        #expect(error?.underlying?.contains("pages, more than its files have") == true)
    }

    private static func offset(of mark: [UInt8], in bytes: [UInt8]) -> Int? {
        bytes.indices.first { bytes[$0...].starts(with: mark) }
    }

    @Test(
        "the Core Data stores among the seeds are read, drafted and planned",
        arguments: [
            // Entities, whether the archived model was read, entities of the draft (the join table is one of them).
            ("model", 4, true, 5, false), ("planned", 4, true, 5, true), ("bare", 4, false, 5, false),
            ("bare-planned", 4, false, 5, true), ("packed", 4, true, 5, false), ("packed-header", 4, true, 5, true),
            ("mirrored", 4, true, 5, true), ("metadata-off", 4, true, 5, true), ("reflexive", 4, true, 6, true),
            ("inherits-itself", 0, false, nil, false),
        ] as [(String, Int, Bool, Int?, Bool)])
    func coreDataIsRead(_ name: String, _ entities: Int, _ isKnown: Bool, _ drafted: Int?, _ isPlanned: Bool) throws {
        let result = try #require(try CoreDataCheck.outcome(of: try Self.seed(.coreData, name)))
        #expect(result.entities == entities)
        #expect(result.isModelKnown == isKnown)
        #expect(result.drafted == drafted)
        #expect(result.isPlanned == isPlanned)
        #expect(result.isWhole == (drafted != nil))
    }

    @Test("the stores among the seeds are inspected", arguments: [("app", 3), ("app-log", 3), ("odd", 3), ("hot", 3)])
    func storeIsInspected(_ name: String, _ entities: Int) throws {
        let report = try #require(try InspectionCheck.outcome(of: try Self.seed(.inspection, name))).get()
        #expect(report.stores.map(\.entities.count) == [entities])
    }

    @Test("bytes that are not a file are read as the objects of one")
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

    @Test("correcting a document's hash changes only a wrong hash")
    func documentHash() throws {
        let right = Array(try Self.seed(.importDocument, "document").dropFirst())
        #expect(ExportText.withHash(right) == right)
        let wrong = Array(try Self.seed(.importDocument, "wrong-hash").dropFirst())
        #expect(throws: GodwitError.self) { try Self.readDocument(wrong) }
        #expect(try Self.readDocument(ExportText.withHash(wrong)) == 3)
    }

    @Test(
        "the documents among the seeds are read",
        arguments: [("document", 3), ("none", 0), ("lines", 2), ("gzip", 3), ("members", 3)] as [(String, Int64)])
    func documentIsRead(_ name: String, _ records: Int64) throws {
        #expect(try Self.readDocument(Array(try Self.seed(.importDocument, name).dropFirst())) == records)
    }

    @Test("hand-made gzip data is valid gzip")
    func gzip() throws {
        let plain = Array(try Self.seed(.importDocument, "document").dropFirst())
        let members =
            ExportText.gzip(Array(plain[..<100])) + ExportText.gzip([]) + ExportText.gzip(Array(plain[100...]))
        #expect(try Self.readDocument(members) == 3)
    }

    /// The number of records in a document.
    private static func readDocument(_ bytes: [UInt8]) throws -> Int64 {
        var check = DocumentCheck()
        return try ExportReader().read(ExportInput(bytes: bytes), into: &check).counts.values.reduce(0, +)
    }

    @Test("a valid property list is not changed", arguments: ["settings", "cycle"])
    func assemblyKeepsFiles(_ name: String) throws {
        let file = try Self.seed(.binaryPropertyList, name)
        #expect(BinaryAssembly.file(file) == file)
    }

    @Test("no input is too short for a fuzz target", arguments: FuzzTarget.allCases)
    func short(_ target: FuzzTarget) throws {
        try target.run([])
        for byte in UInt8.min...UInt8.max { try target.run([byte]) }
    }
}
