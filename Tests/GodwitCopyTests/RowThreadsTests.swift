import GodwitFiles
import GodwitModel
import GodwitSQLite
import Foundation
import GodwitCopy
import GodwitTestSupport
import Synchronization
import Testing

/// Two stores that several threads compare row by row.
struct RowThreadsTests {
    private let fixture: CopyFixture

    init() throws {
        fixture = try CopyFixture(
            [Entity(name: "Item", key: "id")],
            schema: "CREATE TABLE Item(id INTEGER PRIMARY KEY, a, b); CREATE INDEX ItemA ON Item(a, b);")
    }

    /// Both stores with the same rows.
    private func make(_ rows: String) throws {
        try fixture.local("INSERT INTO Item " + rows).close()
        try fixture.cloud("INSERT INTO Item " + rows).close()
    }

    private static let many = """
        WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 30000) SELECT x, 'a' || x, x / 4.0 FROM n
        """

    @Test(
        "rows at the limits of Int64, and with large gaps, are all compared",
        arguments: [
            "VALUES (-9223372036854775808, 1, 2), (0, 1, 2), (9223372036854775807, 1, 2)",
            "VALUES (1, 1, 2), (2, 1, 2), (9000000000000000000, 1, 2)", "VALUES (7, 1, 2)",
            "SELECT NULL, NULL, NULL WHERE FALSE", many,
        ])
    func numbers(rows: String) throws {
        try make(rows)
        let found = try fixture.prove()
        #expect(try fixture.prove(by: .of(3)) == found)
        #expect(found.map(\.holds) == [true] && found.first?.local == found.first?.equal)
        // A row only in the cloud: before all others, between them, and after them.
        for number in [Int64.min + 1, 5000, .max - 1] {
            let cloud = try SampleStore(fixture.cloudPath)
            try cloud.execute("INSERT OR IGNORE INTO Item VALUES (\(number), 'more', 0)")
            try cloud.close()
            let more = try fixture.prove(by: .of(3))
            #expect(try more == fixture.prove())
        }
    }

    @Test(
        "one differing value is found in any range, as by one thread",
        arguments: GeneratedCases.numbers(0..<32, few: 8))
    func different(range: Int) throws {
        try make(Self.many)
        let cloud = try SampleStore(fixture.cloudPath)
        try cloud.execute("UPDATE Item SET b = -b WHERE id = \(range * 937 + 1)")
        try cloud.close()
        let found = try fixture.prove(by: .of(3))
        #expect(found.map(\.cloudKept) == [1] && found.map(\.equal) == [29_999])
        #expect(try found == fixture.prove())
    }

    @Test("with a value that other threads cannot read, or without threads, the calling thread compares everything")
    func single() throws {
        try make(Self.many)
        for path in [fixture.localPath, fixture.cloudPath] {
            let store = try SampleStore(path)
            let long = Int(StoreReaders.longestBesideOthers) + 1
            try store.execute("UPDATE Item SET a = printf('%.\(long)c', 'a') WHERE id % 9999 = 17")
            try store.close()
        }
        #expect(try fixture.prove(by: .of(3)).map(\.equal) == [30_000])
        var threads = RowThreads.of(3)
        threads.start = { _ in nil }
        #expect(try fixture.prove(by: threads).map(\.equal) == [30_000])
    }

    @Test(
        "no more threads than requested are started, and none for few rows", arguments: [(1, 0), (2, 1), (3, 2)])
    func started(count: Int, expected: Int) throws {
        try make(Self.many)
        let started = Mutex(0)
        var threads = RowThreads.of(count)
        threads.start = { work in
            started.withLock { $0 += 1 }
            return WorkerThread(work)
        }
        _ = try fixture.prove(by: threads)
        #expect(started.withLock(\.self) == expected)
        threads.rangeSize = 30_000
        _ = try fixture.prove(by: threads)
        #expect(started.withLock(\.self) == expected)
    }

    @Test("progress is reported only by the calling thread, and never above the total")
    func progress() throws {
        try make(Self.many)
        let reported = Mutex<[(count: Int64, thread: ObjectIdentifier)]>([])
        let context = RunContext.sample(progress: { progress in
            reported.withLock { $0.append((progress.completed, ObjectIdentifier(Thread.current))) }
        })
        for count in [1, 3] {
            _ = try fixture.prove(context, by: .of(count, rangeSize: count == 1 ? 1 : 10_000))
            let seen = reported.withLock(\.self)
            #expect(seen.allSatisfy { $0.count <= 30_000 && $0.thread == ObjectIdentifier(Thread.current) })
            #expect(!seen.isEmpty && zip(seen, seen.dropFirst()).allSatisfy { $0.count < $1.count })
            reported.withLock { $0 = [] }
        }
    }

    @Test("a cancelled comparison ends", arguments: 1...3)
    func cancelled(count: Int) throws {
        try make(Self.many)
        let cancellation = Cancellation()
        let context = RunContext.sample(cancellation: cancellation)
        cancellation.cancel()
        #expect(failure { _ = try fixture.prove(context, by: .of(count)) }?.code == .interrupted)
    }

    @Test("a comparison changes neither store", arguments: ["DELETE", "WAL"])
    func unchanged(journal: String) throws {
        let app = try fixture.local(journal: journal, "INSERT INTO Item " + Self.many)
        try fixture.cloud(journal: journal, "INSERT INTO Item " + Self.many).close()
        let before = try fixture.folder.fingerprint()
        #expect(try fixture.prove(by: .of(3)).map(\.equal) == [30_000])
        #expect(try fixture.folder.fingerprint().differences(from: before) == [])
        try app.close()
    }
}
