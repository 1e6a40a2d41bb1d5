import GodwitJSON
import GodwitModel
import GodwitSQLite
import Foundation
import GodwitExport
import GodwitTestSupport
import Testing

/// Sorted runs, read by ranges of keys that fit into memory.
struct KeyRangeReaderTests {
    /// Ranges of up to 6,000 bytes.
    private static let memory = SortMemory(chunk: 9000, givenBack: 1)

    /// A spool with a table's records, divided into runs of `perRun` records.
    private static func spool(
        _ fixture: ExportFixture, perRun: Int, spacing: Int64 = memory.sampleSpacing
    ) throws -> RecordSpool {
        let store = try fixture.open()
        let rows = try store.connection.prepare("SELECT rowid, id, a FROM Item NOT INDEXED")
        let spool = try RecordSpool(.sample(), stage: .export, KeySamples(spacing: spacing))
        let (chunk, labels) = (RecordChunk(capacity: memory.chunk), FieldLabels(["id", "a"]))
        let values = RowValues(count: rows.columnCount)
        while try rows.step() {
            let isRead = values.read(rows)
            #expect(isRead)
            let isTaken = try chunk.append(values, labels, keyColumn: 1)
            #expect(isTaken)
            guard chunk.count == perRun else { continue }
            spool.write(chunk)
            chunk.removeAll()
        }
        if chunk.count > 0 { spool.write(chunk) }
        try spool.requireWritten()
        return spool
    }

    /// The result of a reader, and what remained of the file.
    private struct Read {
        var ranges: [[Int64]] = []
        var bytes = 0
        var rest: [Range<Int64>] = []
        var isTooDense = false

        var rowids: [Int64] { ranges.flatMap(\.self) }
    }

    private static func read(_ spool: RecordSpool, _ memory: SortMemory = memory) throws -> Read {
        let reader = KeyRangeReader(spool, 0..<spool.runs.count, memory, isLast: false)
        let chunk = reader.makeChunk()
        var read = Read()
        while true {
            reader.load(chunk)
            try reader.requireLoaded()
            guard chunk.count > 0 else { break }
            #expect(chunk.size <= memory.longestRange)
            read.ranges.append((0..<chunk.count).map { chunk.header($0).header.rowid })
            read.bytes += chunk.size
        }
        (read.rest, read.isTooDense) = (reader.rest, reader.isTooDense)
        return read
    }

    /// The rows in order, by SQLite.
    private static func expected(_ fixture: ExportFixture, where condition: String = "1") throws -> [Int64] {
        let store = try fixture.open()
        let rows = try store.connection.prepare("SELECT rowid FROM Item WHERE \(condition) ORDER BY id")
        var rowids: [Int64] = []
        while try rows.step() { rowids.append(rows.integer(0)) }
        return rowids
    }

    private static func items(_ count: Int, key: String) throws -> ExportFixture {
        try ExportFixture.items(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
            INSERT INTO Item SELECT \(key), printf('%0*d', i % 90, i), NULL FROM n
            """)
    }

    private static let keys = [
        "printf('%09d', i * 7919 % 10007 * 99991)", "printf('%09d', i * 99991)", "printf('%09d', (2001 - i) * 99991)",
        "i * 7919 % 10007 * 65536", "-i * 65536", "randomblob(16)", "printf('%09d', i * i)", "printf('%d', i * 7919)",
    ]

    @Test("all records are read in order, in ranges that fit", arguments: keys, [20, 100, 700, 2000])
    func order(key: String, perRun: Int) throws {
        let fixture = try Self.items(2000, key: key)
        let spool = try Self.spool(fixture, perRun: perRun)
        #expect(spool.runs.count == 2000 / perRun + (2000 % perRun > 0 ? 1 : 0))
        let read = try Self.read(spool)
        #expect(!read.isTooDense)
        #expect(read.rest.isEmpty)
        #expect(try read.rowids == Self.expected(fixture))
        // Not many more ranges than necessary.
        #expect(read.ranges.count >= read.bytes / Self.memory.longestRange)
        #expect(read.ranges.count <= 3 * read.bytes / Self.memory.range)
    }

    @Test("keys that all begin alike are all left to a merge")
    func alike() throws {
        let fixture = try Self.items(500, key: "printf('workout-%09d', i)")
        let spool = try Self.spool(fixture, perRun: 50)
        let read = try Self.read(spool)
        #expect(read.isTooDense)
        #expect(read.ranges.isEmpty)
        #expect(read.rest == spool.runs)
    }

    @Test("ranges before too many equal starts are read, and no other record is lost")
    func alikeInTheMiddle() throws {
        let others = "printf('%c%09d', i % 26 + 97, i * 7919)"
        let fixture = try Self.items(900, key: "iif(i % 3 = 0, printf('middle-%09d', i), \(others))")
        let spool = try Self.spool(fixture, perRun: 60)
        let read = try Self.read(spool)
        #expect(read.isTooDense)
        #expect(read.rowids.count > 200)
        #expect(try read.rowids == Array(Self.expected(fixture).prefix(read.rowids.count)))
        #expect(try Set(read.rowids).isSubset(of: Self.expected(fixture, where: "id < 'middle-'")))
        let left = read.rest.reduce(0) { $0 + $1.count }
        #expect(read.bytes + left == Int(spool.runs.last?.upperBound ?? 0))
        #expect(read.rest.allSatisfy { rest in spool.runs.contains { $0.upperBound == rest.upperBound } })
    }

    @Test("a record that fits no range is left to a merge, and so are those after it")
    func longRecord() throws {
        let fixture = try Self.items(400, key: "printf('%09d', i * 99991)")
        let writer = try StoreWriter(
            existing: fixture.folder["C.store"], name: "C.store", stage: .export, context: .sample())
        try writer.transaction(.export) { store throws(GodwitError) in
            try store.execute("UPDATE Item SET a = zeroblob(9000) WHERE rowid = 300", [])
        }
        try writer.close(.export)
        let read = try Self.read(Self.spool(fixture, perRun: 30))
        #expect(read.isTooDense)
        #expect(read.rowids == Array(1...Int64(read.rowids.count)))
        #expect((200..<300).contains(read.rowids.count))
    }

    @Test("many runs with few samples each still give ranges", arguments: [20, 31, 40], 1...3)
    func fewSamplesEach(perRun: Int, each: Int) throws {
        let fixture = try Self.items(4000, key: "randomblob(16)")
        let spool = try Self.spool(fixture, perRun: perRun)
        let size = try #require(spool.runs.first?.upperBound)
        let memory = SortMemory(chunk: Int(size) * 16, givenBack: 1)
        let read = try Self.read(Self.spool(fixture, perRun: perRun, spacing: size / Int64(each)), memory)
        #expect(!read.isTooDense)
        #expect(read.ranges.count >= read.bytes / memory.longestRange)
        #expect(try read.rowids == Self.expected(fixture))
    }

    @Test("more samples than fit still give ranges")
    func fewSamples() throws {
        let fixture = try Self.items(2000, key: "randomblob(16)")
        let store = try fixture.open()
        let rows = try store.connection.prepare("SELECT rowid, id, a FROM Item NOT INDEXED")
        let spool = try RecordSpool(.sample(), stage: .export, KeySamples(spacing: 64, limit: 600))
        let (chunk, labels) = (RecordChunk(capacity: 1 << 20), FieldLabels(["id", "a"]))
        let values = RowValues(count: rows.columnCount)
        while try rows.step() {
            let isRead = values.read(rows)
            #expect(isRead)
            let isTaken = try chunk.append(values, labels, keyColumn: 1)
            #expect(isTaken)
            if chunk.count % 40 == 0 {
                spool.write(chunk)
                chunk.removeAll()
            }
        }
        #expect(spool.samples.sorted(0..<50).count <= 600)
        let read = try Self.read(spool)
        #expect(!read.isTooDense)
        #expect(try read.rowids == Self.expected(fixture))
    }
}
