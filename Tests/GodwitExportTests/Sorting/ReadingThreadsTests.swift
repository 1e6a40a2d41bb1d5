import GodwitModel
import GodwitSQLite
import Foundation
import GodwitExport
import GodwitTestSupport
import Synchronization
import Testing

/// A table read by two threads gives the same document as one read by a single thread, however they divide it.
struct ReadingThreadsTests {
    private static let ways: [@Sendable (StoreReaders) -> ReadingThreads] = [
        ReadingThreads.sharing, ReadingThreads.leavingAllToTheOther,
    ]

    /// Rows whose keys, dates and rowids each have another order; a twentieth of the rowids is far from the others.
    private static func dated(_ count: Int, more: String = "NULL") throws -> ExportFixture {
        try ExportFixture(
            [Entity(name: "Item", key: "id", modified: .init(column: "at"))],
            sql: """
                CREATE TABLE Item(id TEXT, at TEXT, a, more);
                CREATE INDEX Item_id ON Item(id); CREATE INDEX Item_a ON Item(a, at);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
                INSERT INTO Item(rowid, id, at, a, more)
                SELECT CASE i % 20 WHEN 0 THEN -i * 1000000007 ELSE i * 3 END, printf('k%06d', i * 7919 % 200003),
                    printf('2026-0%d-%02dT0%d:00:00.000Z', 1 + i % 8, 1 + i % 28, i % 10), i % 17, \(more) FROM n;
                """)
    }

    @Test(
        "each record is read once, and counts and dates include all", arguments: ways.indices, [1, 2, 7, 3000])
    func same(way: Int, count: Int) throws {
        let fixture = try Self.dated(count)
        let single = try fixture.export(to: "single.json")
        for (number, memory) in [SortMemory(), SortMemory(chunk: 2000)].enumerated() {
            let together = try fixture.export(to: "\(number).json", memory: memory, threads: Self.ways[way])
            #expect(together.sha256 == single.sha256)
            #expect(try fixture.text("\(number).json") == fixture.text("single.json"))
        }
        let store = try fixture.open()
        let scans = try [ReadingThreads.one, Self.ways[way](store.readers)].map { threads in
            try ExportReading(store.connection, manifest: fixture.manifest, context: .sample(), threads: threads).scan
        }
        #expect(scans[0].counts == ["Item": Int64(count)])
        #expect(scans[1].counts == scans[0].counts)
        #expect(scans[0].newestRecordAt != nil)
        #expect(scans[1].newestRecordAt == scans[0].newestRecordAt)
    }

    @Test("rowids at both limits of Int64 are read", arguments: ways.indices)
    func extremes(way: Int) throws {
        let fixture = try ExportFixture.items(
            columns: "n INTEGER PRIMARY KEY, id TEXT",
            "INSERT INTO Item VALUES (\(Int64.min), 'c'), (\(Int64.min + 1), 'b'), (-1, 'a'), (0, 'd'), (\(Int64.max), 'e')"
        )
        let single = try fixture.export(to: "single.json")
        #expect(try fixture.export(to: "e.json", threads: Self.ways[way]).sha256 == single.sha256)
        #expect(try fixture.records().count == 5)
    }

    @Test("a value too long for the second thread is read by the first", arguments: ways.indices)
    func tooLong(way: Int) throws {
        let fixture = try Self.dated(3, more: "zeroblob(\(StoreReaders.longestBesideOthers) + 1)")
        let single = try fixture.export(to: "single.json")
        for memory in [SortMemory(), SortMemory(chunk: 100)] {
            let name = "\(memory.chunk).json"
            let together = try fixture.export(to: name, memory: memory, threads: Self.ways[way])
            #expect(together.sha256 == single.sha256)
            #expect(try fixture.text(name) == fixture.text("single.json"))
        }
    }

    @Test("without another thread or reader, the first one reads everything")
    func single() throws {
        let fixture = try Self.dated(300)
        let expected = try fixture.export(to: "single.json").sha256
        let asked = Mutex(0)
        let none = try fixture.export(to: "none.json") { readers in
            var threads = ReadingThreads.sharing(readers)
            threads.start = { _ in
                asked.withLock { $0 += 1 }
                return nil
            }
            return threads
        }
        #expect(none.sha256 == expected)
        #expect(asked.withLock(\.self) == 1)
    }

    @Test("small tables, and tables that only one connection can read, start no thread", arguments: [false, true])
    func notWorthIt(hasReaders: Bool) throws {
        let fixture = try Self.dated(300)
        let asked = Mutex(0)
        try fixture.export { readers in
            var threads = hasReaders ? ReadingThreads(readers) : .one
            threads.count = 2
            threads.start = { _ in
                asked.withLock { $0 += 1 }
                return nil
            }
            return threads
        }
        #expect(asked.withLock(\.self) == 0)
    }

    @Test(
        "progress only increases, up to the total, also after a restart",
        arguments: ways.indices, [false, true])
    func progress(way: Int, isTooLong: Bool) throws {
        let long = "CASE i WHEN 19900 THEN zeroblob(\(StoreReaders.longestBesideOthers) + 1) END"
        let fixture = try Self.dated(20_000, more: isTooLong ? long : "NULL")
        let steps = Mutex<[RunProgress]>([])
        let context = RunContext.sample(progress: { step in steps.withLock { $0.append(step) } })
        try fixture.export(context: context, threads: Self.ways[way])
        let seen = steps.withLock { $0.map(\.completed) }
        #expect(!seen.isEmpty)
        #expect(seen == seen.sorted())
        #expect(seen.allSatisfy { $0 <= 20_000 })
    }

    @Test("a cancelled read ends in both threads, and leaves nothing", arguments: ways.indices)
    func cancelled(way: Int) throws {
        let fixture = try Self.dated(20_000)
        let cancellation = Cancellation()
        let context = RunContext.sample(cancellation: cancellation)
        let error = failure {
            try fixture.export(context: context, memory: SortMemory(chunk: 1 << 16)) { readers in
                var threads = Self.ways[way](readers)
                let start = threads.start
                threads.start = { work in
                    cancellation.cancel(.terminated)
                    return start(work)
                }
                return threads
            }
        }
        #expect(error?.code == .terminated)
        #expect(fixture.folder.names(in: "exports").isEmpty)
    }

    @Test("keys that SQLite must sort are found by any thread", arguments: ways.indices)
    func left(way: Int) throws {
        let fixture = try ExportFixture.items(
            columns: "id, a",
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
            INSERT INTO Item SELECT CASE WHEN i > 250 THEN i + 0.5 ELSE i END, i FROM n
            """)
        let expected = try fixture.export(to: "single.json", memory: SortMemory(chunk: 0)).sha256
        for memory in [SortMemory(), SortMemory(chunk: 600)] {
            let together = try fixture.export(to: "\(memory.chunk).json", memory: memory, threads: Self.ways[way])
            #expect(together.sha256 == expected)
        }
    }
}
