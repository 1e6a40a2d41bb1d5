internal import GodwitFiles
internal import CSystemShim
internal import GodwitModel

/// Starts writing a new store to the disk while SQLite fills it, so that the commit has less to flush.
///
/// It is only a hint; SQLite's own flush makes the store durable. It uses its own thread, because the system may take
/// long to accept the hint.
/// Invariant for `@unchecked Sendable`: mutable state is used only inside `monitor.locked`.
package final class EarlyFlush: @unchecked Sendable {
    private let monitor = Monitor()
    /// Keeps the descriptor valid; nil if the file cannot be opened.
    private let file: OpenFile?
    private let descriptor: Int32?
    private let step: Int64
    private let flush: @Sendable (_ file: Int32, _ start: Int64, _ count: Int64) -> Void
    private var thread: WorkerThread?
    /// The size up to which the file should be flushed, and the size that the thread has requested.
    private var wanted: Int64 = 0
    private var asked: Int64 = 0
    private var isEnding = false

    /// For the file at a path, which only grows; does nothing if it cannot be opened.
    ///
    /// - Parameters:
    ///   - step: minimum growth in bytes between two requests.
    ///   - flush: sends a request to the system.
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

    /// Checks how far the file has grown; the writer calls it repeatedly.
    package func noteGrowth() {
        guard let size = try? file?.status().size else { return }
        monitor.locked {
            guard size - wanted >= step, !isEnding else { return }
            wanted = size
            // If the system gives no thread, the commit flushes everything.
            if thread == nil { thread = WorkerThread { [self] in work() } }
            monitor.announce(.work)
        }
    }

    /// Ends the thread, which retains this object; call it before this object is released.
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

    /// Call it under the lock; waits for new bytes, nil at the end.
    private func next() -> Range<Int64>? {
        while wanted == asked, !isEnding { monitor.wait(for: .work) }
        guard !isEnding else { return nil }
        defer { asked = wanted }
        return asked..<wanted
    }
}
