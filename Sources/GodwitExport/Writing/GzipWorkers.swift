internal import GodwitFiles
internal import GodwitModel

/// A ring of blocks that the calling thread fills and writes, and that other threads help to pack.
///
/// Blocks have numbers. A block is filled (number `queued`), waits (below `queued`), is being packed (below `taken`),
/// is packed (`isPacked`), and is written and free (below `written`).
/// Invariant for `@unchecked Sendable`: properties below "Under the lock" are used only inside `monitor.locked`, and
/// those below "Of the calling thread" only by the thread that writes the document. A block belongs to the calling
/// thread until it is queued and after it is packed; in between it belongs to the thread that took it.
final class GzipWorkers: @unchecked Sendable {
    private let monitor = Monitor()
    private let level: Int
    /// Maximum number of blocks in memory.
    private let capacity: Int
    private let helperLimit: Int

    // MARK: Under the lock

    private var blocks: [GzipBlock] = []
    private var isPacked: [Bool] = []
    /// The calling thread's, then one for each helper.
    private var deflaters: [Deflater]
    private var queued = 0
    private var taken = 0
    private var isEnding = false

    // MARK: Of the calling thread

    private let startThread: WorkerThread.Start
    private var helpers: [WorkerThread] = []
    private var canStartHelpers = true
    private var written = 0

    /// Maximum number of threads; more would wait for the calling thread, the only one that reads the store.
    static let coreLimit = 16

    /// Number of blocks in addition to one per core: text comes in pieces, and helpers need work until the next piece
    /// is read.
    private static let reserve = 16

    /// - Parameter cores: maximum number of packing threads, including the calling one.
    init(level: Int, cores: Int, startThread: @escaping WorkerThread.Start) throws(GodwitError) {
        let cores = min(max(cores, 1), Self.coreLimit)
        (self.level, self.startThread) = (level, startThread)
        helperLimit = cores - 1
        capacity = cores + Self.reserve
        deflaters = [try Deflater(level: level)]
    }

    // MARK: For the calling thread

    /// Number of blocks in memory.
    var blockCount: Int { monitor.locked { blocks.count } }

    var hasBlocks: Bool { written < queuedCount }

    /// Whether a block must be written before another can be filled.
    var isFull: Bool { queuedCount - written >= capacity }

    private var queuedCount: Int { monitor.locked { queued } }

    /// The next block to fill, empty; it may refer to the previous one, if that is given.
    func beginBlock(after previous: GzipBlock?) -> GzipBlock {
        let block = monitor.locked {
            let index = queued % capacity
            if index == blocks.count {
                blocks.append(GzipBlock(for: deflaters[0]))
                isPacked.append(false)
            }
            isPacked[index] = false
            return blocks[index]
        }
        block.begin(after: previous)
        return block
    }

    /// Queues a filled block for the next free thread.
    func queue(_ block: GzipBlock) {
        // A document of one block is packed before a thread would start.
        if block.isFull, !block.isLast { startHelper() }
        monitor.locked {
            queued += 1
            monitor.announce(.work)
        }
    }

    /// The oldest block that is not written, after it is packed; until then, the calling thread packs waiting blocks.
    func oldestPacked() -> GzipBlock {
        let (oldest, own) = monitor.locked { (blocks[written % capacity], deflaters[0]) }
        while let next = monitor.locked({ nextOrNil(unlessPacked: written) }) { pack(next, with: own) }
        return oldest
    }

    func freeOldest() { written += 1 }

    /// Ends the helpers and waits for them; blocks that are not packed stay so.
    func end() {
        monitor.locked {
            isEnding = true
            monitor.announceToAll(.work)
        }
        for helper in helpers { helper.join() }
        helpers = []
    }

    // MARK: For all threads

    /// Starts another helper if there are not enough; if the system gives no thread, the existing ones continue.
    private func startHelper() {
        guard canStartHelpers, helpers.count < helperLimit else { return }
        // Created on this thread, because malloc uses separate arenas for other threads.
        guard let deflater = try? Deflater(level: level) else { return canStartHelpers = false }
        monitor.locked { deflaters.append(deflater) }
        let number = helpers.count + 1
        guard let helper = startThread({ [self] in help(number) }) else { return canStartHelpers = false }
        helpers.append(helper)
    }

    private func help(_ number: Int) {
        let own = monitor.locked { deflaters[number] }
        while let next = monitor.locked({ nextOrEnd() }) { pack(next, with: own) }
    }

    private func pack(_ number: Int, with deflater: Deflater) {
        let block = monitor.locked { blocks[number % capacity] }
        block.pack(with: deflater)
        monitor.locked {
            isPacked[number % capacity] = true
            monitor.announce(.result)
        }
    }

    /// Call it under the lock; waits for the next block, nil at the end.
    private func nextOrEnd() -> Int? {
        while !isEnding {
            if let next = takeNext() { return next }
            monitor.wait(for: .work)
        }
        return nil
    }

    /// Call it under the lock; waits for the next block until another one is packed, then nil.
    private func nextOrNil(unlessPacked number: Int) -> Int? {
        while !isPacked[number % capacity] {
            if let next = takeNext() { return next }
            monitor.wait(for: .result)
        }
        return nil
    }

    /// Call it under the lock; blocks are taken in order.
    private func takeNext() -> Int? {
        guard taken < queued else { return nil }
        taken += 1
        return taken - 1
    }
}
