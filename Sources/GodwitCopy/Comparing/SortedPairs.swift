internal import GodwitFiles
package import GodwitModel
package import GodwitSQLite

/// Pairs of rows in the order of the local ones; any number of threads may read them.
package final class SortedPairs: Sendable {
    private let few: [RowPair]
    private let notes: NotesFile?
    private let runs: [PairRun]
    /// The local row whose partner has the number that otherwise means no row.
    private let least: Int64?

    init(inMemory pairs: [RowPair], least: Int64?) {
        (few, notes, runs, self.least) = (pairs, nil, [], least)
    }

    init(_ notes: NotesFile?, _ runs: [PairRun], least: Int64?) {
        (few, self.notes, self.runs, self.least) = ([], notes, runs, least)
    }

    /// The first and the last local row; nil if there is none.
    package var bounds: (first: Int64, last: Int64)? {
        let first = few.first?.mine ?? runs.compactMap(\.firstRows.first).min()
        let last = few.last?.mine ?? runs.compactMap(\.lastRow).max()
        return first.flatMap { first in last.map { (first, $0) } }
    }

    /// Hands on the pairs of a range of local rows, in their order.
    package func forEach(
        in range: RowRange = .all, _ body: (_ mine: Int64, _ theirs: Int64?) throws(GodwitError) -> Void
    ) throws(GodwitError) {
        guard let notes else {
            var place = few.firstPlace { $0.mine >= range.first }
            while place < few.count, few[place].mine <= range.last {
                try body(few[place].mine, partner(few[place]))
                place += 1
            }
            return
        }
        var merge = try PairMerge(notes, runs, from: range.first)
        while let pair = merge.first, pair.mine <= range.last {
            try body(pair.mine, partner(pair))
            try merge.removeFirst()
        }
    }

    private func partner(_ pair: RowPair) -> Int64? {
        pair.theirs != RowPair.noRow || pair.mine == least ? pair.theirs : nil
    }
}

/// Sorted runs as one: a heap of their first pairs finds the run whose pair comes next.
///
/// Invariant: `heap[0]` is the run with the smallest current pair; runs that have ended are not in it.
private struct PairMerge: ~Copyable {
    private var readers: [PairReader]
    private var heap: [(pair: RowPair, run: Int)] = []

    /// Begins with the first pair whose local row is not before this one.
    init(_ notes: NotesFile, _ runs: [PairRun], from first: Int64) throws(GodwitError) {
        readers = runs.map { PairReader(notes, $0, from: first) }
        for run in readers.indices {
            var pair = try readers[run].next()
            while let skipped = pair, skipped.mine < first { pair = try readers[run].next() }
            if let pair { heap.append((pair, run)) }
        }
        heap.sort { $0.pair.mine < $1.pair.mine }
    }

    var first: RowPair? { heap.first?.pair }

    mutating func removeFirst() throws(GodwitError) {
        if let next = try readers[heap[0].run].next() {
            heap[0].pair = next
        } else {
            let last = heap.removeLast()
            if heap.isEmpty { return }
            heap[0] = last
        }
        siftDown()
    }

    private mutating func siftDown() {
        var place = 0
        let moving = heap[0]
        while true {
            var child = 2 * place + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].pair.mine < heap[child].pair.mine { child += 1 }
            guard heap[child].pair.mine < moving.pair.mine else { break }
            heap[place] = heap[child]
            place = child
        }
        heap[place] = moving
    }
}

/// Reads one run, a block at a time.
private struct PairReader {
    private let notes: NotesFile
    private let run: PairRun
    private var block: [RowPair] = []
    private var place = 0
    private var nextBlock: Int

    /// Begins with the block that has the first pair whose local row is not before this one, if it has any before.
    init(_ notes: NotesFile, _ run: PairRun, from first: Int64) {
        (self.notes, self.run) = (notes, run)
        nextBlock = max(run.firstRows.firstPlace { $0 >= first } - 1, 0)
    }

    mutating func next() throws(GodwitError) -> RowPair? {
        if place == block.count {
            guard nextBlock < run.firstRows.count else { return nil }
            try read()
        }
        defer { place += 1 }
        return block[place]
    }

    private mutating func read() throws(GodwitError) {
        let size = MemoryLayout<RowPair>.stride
        let first = nextBlock * PairRun.blockCount
        let count = min(PairRun.blockCount, run.count - first)
        if block.count != count { block = Array(repeating: RowPair(mine: 0, theirs: 0), count: count) }
        var failure: GodwitError?
        block.withUnsafeMutableBytes { space in
            do throws(GodwitError) { try notes.read(space, at: run.start + Int64(first * size)) } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        (place, nextBlock) = (0, nextBlock + 1)
    }
}

extension Array {
    /// Where the first element is that a condition holds for, which holds for all after it.
    fileprivate func firstPlace(where holds: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
