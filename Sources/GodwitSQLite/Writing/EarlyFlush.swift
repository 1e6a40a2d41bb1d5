internal import GodwitFiles
internal import CSystemShim
internal import GodwitModel

/// Lets the system begin to write a new store to the disk while SQLite fills it, so that its commit has less to wait for.
///
/// A hint and no more: what is durable is decided by SQLite's own flush, which follows. It is given in a thread of its own,
/// since the system may take its time to accept it.
///
/// Invariant, for `@unchecked Sendable`: what may change is touched only inside `monitor.locked`.
package final class EarlyFlush: @unchecked Sendable {
    private let monitor = Monitor()
    /// Kept, so that the descriptor is valid; nil where there is none.
    private let file: OpenFile?
    private let descriptor: Int32?
    private let step: Int64
    private let flush: @Sendable (_ file: Int32, _ start: Int64, _ count: Int64) -> Void
    private var thread: WorkerThread?
    /// Up to where the file is to be written, and up to where the thread has asked for that.
    private var wanted: Int64 = 0
    private var asked: Int64 = 0
    private var isEnding = false

    /// For the file at a path, which only grows; where it can't be opened, nothing is hinted at.
    ///
    /// - Parameters:
    ///   - step: by how many bytes it has to grow.
    ///   - flush: asks the system.
    package init(
        of path: String, step: Int64 = 8 << 20,
        flush: @escaping @Sendable (Int32, Int64, Int64) -> Void = { godwit_start_flushing($0, $1, $2) }
    ) {
        if let opened = try? OpenFile(reading: path) {
            descriptor = opened.descriptor
            file = consume opened
        } else {
            descriptor = nil
            file = nil
        }
        (self.step, self.flush) = (step, flush)
    }

    /// Looks how far the file has grown; to be called now and then by whoever fills it.
    package func noteGrowth() {
        guard let size = try? file?.status().size else { return }
        monitor.locked {
            guard size - wanted >= step, !isEnding else { return }
            wanted = size
            // Where the system gives no thread, the commit waits.
            if thread == nil { thread = WorkerThread { [self] in work() } }
            monitor.announce(.work)
        }
    }

    /// Ends the thread; to be called before this object goes, which the thread keeps.
    package func end() {
        let thread = monitor.locked {
            isEnding = true
            monitor.announce(.work)
            defer { self.thread = nil }
            return self.thread
        }
        thread?.join()
    }

    private func work() {
        while let range = monitor.locked({ next() }), let descriptor {
            flush(descriptor, range.lowerBound, Int64(range.count))
        }
    }

    /// Under the lock: the bytes that came since, once there are some; nil at the end.
    private func next() -> Range<Int64>? {
        while wanted == asked, !isEnding { monitor.wait(for: .work) }
        guard !isEnding else { return nil }
        defer { asked = wanted }
        return asked..<wanted
    }
}
