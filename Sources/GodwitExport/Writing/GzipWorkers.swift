internal import GodwitFiles
internal import GodwitModel

/// The blocks of a document on their way: a ring that the calling thread fills and empties, and that threads help to pack.
///
/// Blocks have numbers, and go through four counts: a block is being filled (number `queued`), waits (below `queued`), is
/// being packed (below `taken`), is packed (`isPacked`), is written and so free (below `written`).
///
/// Invariant, for `@unchecked Sendable`: whatever stands below "Under the lock" is touched only inside
/// `monitor.locked`; whatever stands below "Of the calling thread" only by the one thread that writes the document. A
/// block belongs to the calling thread until it is queued and once it is packed, between the two to whoever took it.
final class GzipWorkers: @unchecked Sendable {
    private let monitor = Monitor()
    private let level: Int
    /// How many blocks are in memory at most.
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

    /// More threads than this would wait for the calling thread, which alone reads the store.
    static let coreLimit = 16

    /// Blocks beside one for each core: the text comes in pieces of 1 MiB, and until the next has been read from the store
    /// the helpers must not run out of work.
    private static let reserve = 16

    /// - Parameter cores: how many threads may pack at a time, the calling one included.
    init(level: Int, cores: Int, startThread: @escaping WorkerThread.Start) throws(GodwitError) {
        let cores = min(max(cores, 1), Self.coreLimit)
        (self.level, self.startThread) = (level, startThread)
        helperLimit = cores - 1
        capacity = cores + Self.reserve
        deflaters = [try Deflater(level: level)]
    }

    // MARK: What the calling thread does

    /// How many blocks there are in memory.
    var blockCount: Int { monitor.locked { blocks.count } }

    /// Whether there is a block that was queued and not yet written.
    var hasBlocks: Bool { written < queuedCount }

    /// Whether a block must be written before another can be filled.
    var isFull: Bool { queuedCount - written >= capacity }

    private var queuedCount: Int { monitor.locked { queued } }

    /// The block to be filled next, emptied; it may refer to the one before, if that is given.
    func beginBlock(after previous: GzipBlock?) -> GzipBlock {
        let block = monitor.locked {
            let place = queued % capacity
            if place == blocks.count {
                blocks.append(GzipBlock(for: deflaters[0]))
                isPacked.append(false)
            }
            isPacked[place] = false
            return blocks[place]
        }
        block.begin(after: previous)
        return block
    }

    /// Lets the block that was filled be packed by whoever comes first.
    func queue(_ block: GzipBlock) {
        // What comes in one block is packed sooner than a thread starts.
        if block.isFull, !block.isLast { startHelper() }
        monitor.locked {
            queued += 1
            monitor.announce(.work)
        }
    }

    /// The oldest block that is not written, once it is packed; the calling thread packs what waits meanwhile.
    func oldestPacked() -> GzipBlock {
        let (oldest, own) = monitor.locked { (blocks[written % capacity], deflaters[0]) }
        while let next = monitor.locked({ nextOrNil(unlessPacked: written) }) { pack(next, with: own) }
        return oldest
    }

    /// Frees the oldest block: it was written.
    func freeOldest() { written += 1 }

    /// Ends the helpers and waits for them; what was not packed is left so.
    func end() {
        monitor.locked {
            isEnding = true
            monitor.announceToAll(.work)
        }
        for helper in helpers { helper.join() }
        helpers = []
    }

    // MARK: What all threads do

    /// One more helper, unless there are enough; where the system has no thread for it, those that are there go on.
    private func startHelper() {
        guard canStartHelpers, helpers.count < helperLimit else { return }
        // Made here, since memory that other threads ask for comes from arenas of their own.
        guard let deflater = try? Deflater(level: level) else { return canStartHelpers = false }
        monitor.locked { deflaters.append(deflater) }
        let number = helpers.count + 1
        guard let helper = startThread({ [self] in help(number) }) else { return canStartHelpers = false }
        helpers.append(helper)
    }

    /// What a helper does until the end.
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

    /// Under the lock: the next block that waits, once there is one; nil at the end.
    private func nextOrEnd() -> Int? {
        while !isEnding {
            if let next = takeNext() { return next }
            monitor.wait(for: .work)
        }
        return nil
    }

    /// Under the lock: the next block that waits, as long as another is not packed; nil as soon as it is.
    private func nextOrNil(unlessPacked number: Int) -> Int? {
        while !isPacked[number % capacity] {
            if let next = takeNext() { return next }
            monitor.wait(for: .result)
        }
        return nil
    }

    /// Under the lock: the next block that waits, if there is one; blocks are taken in their order.
    private func takeNext() -> Int? {
        guard taken < queued else { return nil }
        taken += 1
        return taken - 1
    }
}
