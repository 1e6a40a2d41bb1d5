import GodwitFiles
import Foundation
import Testing

/// Work given to a thread is done once, in order, and has ended after the wait.
struct BackgroundWorkerTests {
    /// Numbers in the order in which they were added.
    private final class Log: @unchecked Sendable {
        private let lock = NSLock()
        private var kept: [Int] = []

        func add(_ number: Int) { lock.withLock { kept.append(number) } }
        var numbers: [Int] { lock.withLock { kept } }
    }

    @Test("pieces are done in order, all before the wait ends")
    func order() {
        let (worker, log) = (BackgroundWorker(), Log())
        for number in 0..<500 { worker.begin { log.add(number) } }
        worker.wait()
        #expect(log.numbers == Array(0..<500))
        worker.end()
    }

    @Test("as many pieces as its depth are accepted before any is done, in order")
    func depth() {
        let (log, gate) = (Log(), DispatchSemaphore(value: 0))
        let worker = BackgroundWorker(depth: 3)
        worker.begin {
            gate.wait()
            log.add(0)
        }
        for number in 1...2 { worker.begin { log.add(number) } }
        #expect(log.numbers.isEmpty)
        gate.signal()
        for number in 3..<100 { worker.begin { log.add(number) } }
        worker.end()
        #expect(log.numbers == Array(0..<100))
    }

    @Test("a caller that waits for room continues when half of the pieces are done")
    func half() {
        let (log, gate) = (Log(), DispatchSemaphore(value: 0))
        let worker = BackgroundWorker(depth: 4)
        for number in 0..<4 {
            worker.begin {
                gate.wait()
                log.add(number)
            }
        }
        for _ in 0..<2 { gate.signal() }
        worker.begin { log.add(4) }
        #expect(log.numbers == [0, 1])
        for _ in 0..<2 { gate.signal() }
        worker.end()
        #expect(log.numbers == [0, 1, 2, 3, 4])
    }

    @Test("pieces too few to wake the thread are done when they are waited for", arguments: [1, 3, 4, 5, 31])
    func few(count: Int) {
        let (worker, log) = (BackgroundWorker(depth: 32), Log())
        for round in 1...3 {
            for number in 0..<count { worker.begin { log.add(number) } }
            worker.wait()
            #expect(log.numbers.count == round * count)
        }
        worker.begin { log.add(-1) }
        worker.end()
        #expect(log.numbers == (0..<3).flatMap { _ in 0..<count } + [-1])
    }

    @Test("the end waits for the last piece")
    func end() {
        let (worker, log) = (BackgroundWorker(), Log())
        worker.begin {
            for number in 0..<10_000 { log.add(number) }
        }
        worker.end()
        #expect(log.numbers.count == 10_000)
    }

    @Test("a worker without pieces starts no thread, and ends")
    func idle() {
        let log = Log()
        let worker = BackgroundWorker(startThread: { work in
            log.add(1)
            return WorkerThread(work)
        })
        worker.wait()
        worker.end()
        #expect(log.numbers.isEmpty)
    }

    @Test("one thread other than the owner's does all pieces")
    func oneThread() {
        let (threads, started) = (Log(), Log())
        let worker = BackgroundWorker(startThread: { work in
            started.add(1)
            return WorkerThread(work)
        })
        let own = Int(bitPattern: ObjectIdentifier(Thread.current))
        for _ in 0..<20 { worker.begin { threads.add(Int(bitPattern: ObjectIdentifier(Thread.current))) } }
        worker.end()
        #expect(started.numbers.count == 1)
        #expect(Set(threads.numbers).count == 1)
        #expect(!threads.numbers.contains(own))
    }

    @Test("without a thread, the owner does each piece at once")
    func noThread() {
        let log = Log()
        let worker = BackgroundWorker(startThread: { _ in nil })
        for number in 0..<5 {
            worker.begin { log.add(number) }
            #expect(log.numbers.last == number)
        }
        worker.wait()
        worker.end()
        #expect(log.numbers == [0, 1, 2, 3, 4])
    }
}
