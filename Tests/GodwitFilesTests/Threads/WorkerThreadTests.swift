import GodwitFiles
import Libc
import Synchronization
import Testing

struct WorkerThreadTests {
    @Test("the work is done after the wait")
    func joined() {
        let sum = Mutex(0)
        let threads = (1...8).map { number in WorkerThread { sum.withLock { $0 += number } } }
        for thread in threads { thread?.join() }
        #expect(threads.allSatisfy { $0 != nil })
        #expect(sum.withLock(\.self) == 36)
    }

    #if canImport(Glibc)
        @Test("a thread with low priority passes it only to the threads that it starts")
        func givesWay() throws {
            let own = nice(0)
            let found = Mutex<[Int32]>([])
            let thread = WorkerThread {
                WorkerThread.giveWay()
                found.withLock { $0.append(nice(0)) }
                WorkerThread { found.withLock { $0.append(nice(0)) } }?.join()
            }
            try #require(thread != nil)
            thread?.join()
            let other = WorkerThread { found.withLock { $0.append(nice(0)) } }
            other?.join()
            // A process that already has this niceness keeps it.
            let given = max(own, 5)
            #expect(found.withLock(\.self) == [given, given, own])
            #expect(nice(0) == own)
        }
    #endif
}
