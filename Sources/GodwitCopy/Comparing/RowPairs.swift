internal import GodwitFiles
package import GodwitModel

/// The cloud's row with the key of each local row: collected in key order, and read in the order of the local rows
/// (`SortedPairs`).
///
/// Many pairs are stored as sorted runs in a private file.
package struct RowPairs: ~Copyable {
    /// Maximum number of pairs in memory and in a run: 1 MiB.
    package static let maxRowsInMemory = 1 << 16

    private let limit: Int
    private let context: RunContext
    private let stage: GodwitError.Stage
    private var pairs: [RowPair] = []
    private var least: Int64?
    private var notes: NotesFile?
    private var runs: [PairRun] = []

    package init(_ context: RunContext, stage: GodwitError.Stage, maxRowsInMemory limit: Int = Self.maxRowsInMemory) {
        (self.context, self.stage, self.limit) = (context, stage, max(limit, 1))
    }

    /// - Parameter theirs: nil if only the local store has the key.
    package mutating func add(_ mine: Int64, _ theirs: Int64?) throws(GodwitError) {
        if pairs.count >= limit { try writeRun() }
        if theirs == RowPair.noRow { least = mine }
        pairs.append(RowPair(mine: mine, theirs: theirs ?? RowPair.noRow))
    }

    package consuming func sorted() throws(GodwitError) -> SortedPairs {
        guard notes != nil else {
            sort()
            return SortedPairs(inMemory: pairs, least: least)
        }
        try writeRun()
        return SortedPairs(notes, runs, least: least)
    }

    private mutating func sort() { pairs.sort { $0.mine < $1.mine } }

    private mutating func writeRun() throws(GodwitError) {
        try context.cancellation.check(stage)
        sort()
        let file: NotesFile
        if let notes { file = notes } else { file = try makeNotes() }
        notes = file
        try pairs.withContiguousBytes { bytes throws(GodwitError) in try file.write(bytes) }
        runs.append(PairRun(pairs, from: runs.last?.end ?? 0))
        pairs.removeAll(keepingCapacity: true)
    }

    private func makeNotes() throws(GodwitError) -> NotesFile {
        try NotesFile("pairs", context, stage: stage) { folder in
            "Set TMPDIR to a folder with more space: the copy uses 16 bytes a record in \(folder)."
        }
    }
}

/// A local row, and the cloud's row with the same key.
struct RowPair: BitwiseCopyable {
    var mine: Int64
    var theirs: Int64

    /// The number that means no row.
    ///
    /// `SortedPairs` recognizes a row that has this number by its partner.
    static let noRow = Int64.min
}

/// The location of a sorted run of pairs in the file.
struct PairRun: Sendable {
    /// Number of pairs that are read at once: 4 KiB.
    static let blockCount = 256

    let start: Int64
    let count: Int
    let firstRows: [Int64]
    let lastRow: Int64?

    init(_ pairs: [RowPair], from start: Int64) {
        (self.start, count) = (start, pairs.count)
        firstRows = stride(from: 0, to: pairs.count, by: Self.blockCount).map { pairs[$0].mine }
        lastRow = pairs.last?.mine
    }

    var end: Int64 { start + Int64(count * MemoryLayout<RowPair>.stride) }
}

extension [RowPair] {
    /// Passes the bytes of all elements to a body.
    fileprivate func withContiguousBytes(
        _ body: (UnsafeRawBufferPointer) throws(GodwitError) -> Void
    ) throws(GodwitError) {
        var failure: GodwitError?
        withUnsafeBytes { bytes in
            do throws(GodwitError) { try body(bytes) } catch { failure = error }
        }
        if let failure { throw failure }
    }
}
