import GodwitFiles
import GodwitModel
import GodwitTestSupport
import Synchronization
import Testing

/// Numbered pieces of work, done by any free thread.
struct SharedWorkTests {
    @Test(
        "each piece is done once, with its result at its index", arguments: [0, 1, 2, 7, 100], [1, 2, 4, 200])
    func once(count: Int, threads: Int) throws {
        let done = Mutex<[Int]>([])
        let work = SharedWork(count) { piece in
            done.withLock { $0.append(piece) }
            return piece * piece
        }
        #expect(try work.perform(threads: threads) == (0..<count).map { $0 * $0 })
        #expect(done.withLock { $0.sorted() } == Array(0..<count))
    }

    @Test("the result of a piece may be nil")
    func nothing() throws {
        let work = SharedWork(4) { piece in piece % 2 == 0 ? nil : piece }
        #expect(try work.perform(threads: 2) == [nil, 1, nil, 3])
    }

    @Test(
        "no more threads than pieces are started", arguments: [(0, 0), (1, 0), (2, 1), (5, 3), (50, 3)])
    func threads(count: Int, expected: Int) throws {
        let started = Mutex(0)
        _ = try SharedWork(count) { $0 }.perform(threads: 4) { work in
            started.withLock { $0 += 1 }
            return WorkerThread(work)
        }
        #expect(started.withLock(\.self) == expected)
    }

    @Test("without threads, the calling one does everything")
    func single() throws {
        #expect(try SharedWork(20) { $0 }.perform(threads: 8) { _ in nil } == Array(0..<20))
    }

    @Test("each thread makes its own tool, and one without a tool does no work")
    func tools() throws {
        final class Tool {
            let isCalling: Bool
            var uses = 0
            init(isCalling: Bool) { self.isCalling = isCalling }
        }
        let made = Mutex(0)
        let own = Tool(isCalling: true)
        let work = SharedWork<Tool, Bool>(1000) { _, tool in
            tool.uses += 1
            return tool.isCalling
        }
        let byCalling = try work.perform(with: own, threads: 3) {
            // The first thread that asks gets no tool.
            made.withLock { made -> Tool? in
                made += 1
                return made == 1 ? nil : Tool(isCalling: false)
            }
        }
        #expect(made.withLock(\.self) == 2)
        #expect(byCalling.count == 1000 && byCalling.count(where: \.self) == own.uses)
        let single = SharedWork<Tool, Bool>(100) { _, tool in tool.isCalling }
        #expect(try single.perform(with: own, threads: 3) { nil }.allSatisfy(\.self))
    }

    @Test("a failure is thrown, and no further piece is started")
    func failing() {
        let begun = Mutex<[Int]>([])
        let work = SharedWork<Void, Int>(100) { piece throws(GodwitError) in
            begun.withLock { $0.append(piece) }
            if piece == 3 { throw GodwitError(.export, .data, "piece \(piece)") }
            return piece
        }
        #expect(failure { try work.perform(threads: 1) }?.message == "piece 3")
        #expect(begun.withLock(\.self) == [0, 1, 2, 3])
    }

    @Test("of several failures the first in order is thrown")
    func firstFailure() {
        let work = SharedWork<Void, Int>(2) { piece throws(GodwitError) in
            throw GodwitError(.export, .data, "piece \(piece)")
        }
        for _ in 0..<50 { #expect(failure { try work.perform(threads: 2) }?.message == "piece 0") }
    }
}
