import GodwitModel
import GodwitStore
import GodwitTestSupport
import Synchronization
import Testing

/// Numbered pieces of work, done by whoever is free.
struct SharedWorkTests {
    @Test(
        "each piece is done once, and what came of it is in its place", arguments: [0, 1, 2, 7, 100], [1, 2, 4, 200])
    func once(count: Int, threads: Int) throws {
        let done = Mutex<[Int]>([])
        let work = SharedWork(count) { piece in
            done.withLock { $0.append(piece) }
            return piece * piece
        }
        #expect(try work.perform(threads: threads) == (0..<count).map { $0 * $0 })
        #expect(done.withLock { $0.sorted() } == Array(0..<count))
    }

    @Test("what came of a piece may be nothing")
    func nothing() throws {
        let work = SharedWork(4) { piece in piece % 2 == 0 ? nil : piece }
        #expect(try work.perform(threads: 2) == [nil, 1, nil, 3])
    }

    @Test(
        "no more threads are started than there are pieces for", arguments: [(0, 0), (1, 0), (2, 1), (5, 3), (50, 3)])
    func threads(count: Int, expected: Int) throws {
        let started = Mutex(0)
        _ = try SharedWork(count) { $0 }.perform(threads: 4) { work in
            started.withLock { $0 += 1 }
            return WorkerThread(work)
        }
        #expect(started.withLock(\.self) == expected)
    }

    @Test("where the system has no thread the calling one does everything")
    func alone() throws {
        #expect(try SharedWork(20) { $0 }.perform(threads: 8) { _ in nil } == Array(0..<20))
    }

    @Test("a failure is thrown, and no piece is begun after it")
    func failing() {
        let begun = Mutex<[Int]>([])
        let work = SharedWork<Int>(100) { piece throws(GodwitError) in
            begun.withLock { $0.append(piece) }
            if piece == 3 { throw GodwitError(.export, .data, "piece \(piece)") }
            return piece
        }
        #expect(failure { try work.perform(threads: 1) }?.message == "piece 3")
        #expect(begun.withLock(\.self) == [0, 1, 2, 3])
    }

    @Test("of several failures the first in order is thrown")
    func firstFailure() {
        let work = SharedWork<Int>(2) { piece throws(GodwitError) in
            throw GodwitError(.export, .data, "piece \(piece)")
        }
        for _ in 0..<50 { #expect(failure { try work.perform(threads: 2) }?.message == "piece 0") }
    }
}
