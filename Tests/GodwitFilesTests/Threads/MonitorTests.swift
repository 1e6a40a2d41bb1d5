import GodwitFiles
import Synchronization
import Testing

struct MonitorTests {
    /// The state that several threads change under one lock.
    private final class Shared: @unchecked Sendable {
        let monitor = Monitor()
        var number = 0
        var isOpen = false
        var waiting = 0
    }

    @Test("one thread at a time is inside the lock")
    func exclusion() {
        let shared = Shared()
        let workers = (0..<4).compactMap { _ in
            WorkerThread {
                for _ in 0..<5000 { shared.monitor.locked { shared.number += 1 } }
            }
        }
        for worker in workers { worker.join() }
        #expect(workers.count == 4)
        #expect(shared.monitor.locked { shared.number } == 20_000)
    }

    @Test("a waiting thread continues after its event, and not after another")
    func events() {
        let shared = Shared()
        let worker = WorkerThread {
            shared.monitor.locked {
                shared.waiting = 1
                shared.monitor.announce(.result)
                while !shared.isOpen { shared.monitor.wait(for: .work) }
                shared.number = 7
                shared.monitor.announce(.result)
            }
        }
        shared.monitor.locked {
            while shared.waiting == 0 { shared.monitor.wait(for: .result) }
            // A wake-up that the thread must ignore: it checks its condition again.
            shared.monitor.announce(.work)
            #expect(shared.number == 0)
            shared.isOpen = true
            shared.monitor.announce(.work)
            while shared.number == 0 { shared.monitor.wait(for: .result) }
        }
        worker?.join()
        #expect(worker != nil)
        #expect(shared.number == 7)
    }

    @Test("an announcement to all wakes all")
    func all() {
        let shared = Shared()
        let workers = (0..<5).compactMap { _ in
            WorkerThread {
                shared.monitor.locked {
                    shared.waiting += 1
                    shared.monitor.announce(.result)
                    while !shared.isOpen { shared.monitor.wait(for: .work) }
                    shared.number += 1
                }
            }
        }
        shared.monitor.locked {
            while shared.waiting < workers.count { shared.monitor.wait(for: .result) }
            shared.isOpen = true
            shared.monitor.announceToAll(.work)
        }
        for worker in workers { worker.join() }
        #expect(workers.count == 5)
        #expect(shared.number == 5)
    }

    @Test("a wait with a timeout returns without an announcement", arguments: [0, 1, 20, 1001])
    func timed(milliseconds: Int) {
        let monitor = Monitor()
        let begin = ContinuousClock.now
        monitor.locked { monitor.wait(for: .work, milliseconds: milliseconds) }
        // The wait may end early without a reason; this checks only that it ends.
        #expect(begin.duration(to: .now) < .seconds(60))
    }

    @Test("a wait with a timeout ends early at an announcement")
    func timedAndAnnounced() {
        let shared = Shared()
        let worker = WorkerThread {
            shared.monitor.locked {
                shared.isOpen = true
                shared.monitor.announce(.work)
            }
        }
        shared.monitor.locked {
            while !shared.isOpen { shared.monitor.wait(for: .work, milliseconds: 3_600_000) }
        }
        worker?.join()
        #expect(shared.isOpen)
    }
}
