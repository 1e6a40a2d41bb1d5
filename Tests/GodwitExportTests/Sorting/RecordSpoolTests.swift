import GodwitFiles
import GodwitJSON
import GodwitModel
import GodwitSQLite
import GodwitExport
import GodwitTestSupport
import Synchronization
import Testing

/// Runs of records that several threads add to one file, and chunks that move between threads.
struct RecordSpoolTests {
    private static let labels = FieldLabels(["id", "a"])

    /// A chunk of records with these keys; the rowids are the keys' numbers.
    private static func chunk(_ numbers: [Int]) throws -> RecordChunk {
        let reader = try memory()
        let row = try reader.prepare("SELECT ?1, printf('%08d', ?1), ?2")
        let (chunk, values) = (RecordChunk(capacity: 64), RowValues(count: 3))
        for number in numbers {
            try row.bind(.integer(Int64(number)), at: 1)
            try row.bind(.string(String(repeating: "x", count: number % 97)), at: 2)
            #expect(try row.step())
            let isRead = values.read(row)
            #expect(isRead)
            let isTaken = try chunk.append(values, labels, keyColumn: 1)
            #expect(isTaken)
            row.reset()
        }
        return chunk
    }

    private static func memory() throws -> SQLiteConnection {
        let folder = try TemporaryFolder()
        try SampleStore.make(folder["s.store"], "CREATE TABLE T(a)")
        return try SQLiteReader(
            path: folder["s.store"], name: "s.store", stage: .export, busyMilliseconds: 0, cancellation: Cancellation()
        ).connection
    }

    private static func rowids(_ chunk: RecordChunk) -> [Int64] {
        (0..<chunk.count).map { chunk.header($0).header.rowid }
    }

    @Test("runs that threads add concurrently are each read back complete and in order")
    func threads() throws {
        let spool = try RecordSpool(.sample(), stage: .export, KeySamples(spacing: 1 << 10))
        let (threads, runs, records) = (4, 6, 150)
        let begun = try (0..<threads * runs).map { run in
            try Self.chunk((0..<records).map { ($0 * 7919 + run) % records * threads * runs + run })
        }
        let waiting = Mutex(begun)
        let workers = (0..<threads).compactMap { _ in
            WorkerThread {
                while let chunk = waiting.withLock({ $0.popLast() }) { spool.write(chunk) }
            }
        }
        #expect(workers.count == threads)
        for worker in workers { worker.join() }
        try spool.requireWritten()
        #expect(spool.runs.count == threads * runs)
        #expect(zip(spool.runs, spool.runs.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        let reader = KeyRangeReader(spool, 0..<spool.runs.count, SortMemory(), isLast: true)
        let loaded = reader.makeChunk()
        var all: [Int64] = []
        while true {
            reader.load(loaded)
            try reader.requireLoaded()
            guard loaded.count > 0 else { break }
            all += Self.rowids(loaded)
        }
        #expect(all == Array(0..<Int64(threads * runs * records)))
    }

    @Test("two chunks that exchange their contents each continue with the other's")
    func exchange() throws {
        let (one, other) = (try Self.chunk([5, 3, 3, 4]), try Self.chunk([9, 8]))
        let sizes = (one.size, other.size)
        one.sort()
        #expect(one.repeatedKeys == 1)
        one.exchangeRecords(with: other)
        #expect(Self.rowids(one) == [9, 8])
        #expect(Self.rowids(other) == [3, 3, 4, 5])
        #expect((one.size, other.size) == (sizes.1, sizes.0))
        #expect((one.repeatedKeys, other.repeatedKeys) == (0, 1))
        one.sort()
        #expect(Self.rowids(one) == [8, 9])
        other.removeAll()
        #expect(Self.rowids(one) == [8, 9])
        #expect((other.count, other.size, other.repeatedKeys) == (0, 0, 0))
    }

    @Test("a chunk that exchanges with itself or an empty one loses nothing")
    func exchangeWithNothing() throws {
        let (one, empty) = (try Self.chunk([2, 1]), RecordChunk(capacity: 0))
        one.exchangeRecords(with: empty)
        #expect((one.count, one.size) == (0, 0))
        #expect(Self.rowids(empty) == [2, 1])
        empty.exchangeRecords(with: one)
        #expect(Self.rowids(one) == [2, 1])
        one.exchangeRecords(with: one)
        #expect(Self.rowids(one) == [2, 1])
    }
}
