internal import GodwitModel
internal import GodwitStore

/// Which row of the cloud's table has the key of each local row, to be read in the order of the local rows.
///
/// Many pairs are kept in a store of notes on the disk, which sorts them.
struct RowPairs: ~Copyable {
    /// What is kept in memory: 1.5 MiB.
    static let mostInMemory = 1 << 16

    private let limit: Int
    private let stage: Stage
    private let cancellation: Cancellation
    private var pairs: [(mine: Int64, theirs: Int64?)] = []
    private var notes: WorkingStore?

    init(stage: Stage, cancellation: Cancellation, mostInMemory limit: Int = Self.mostInMemory) {
        (self.stage, self.cancellation, self.limit) = (stage, cancellation, limit)
    }

    /// - Parameter theirs: nil where the key is the local store's alone.
    mutating func add(_ mine: Int64, _ theirs: Int64?) throws(GodwitError) {
        if pairs.count >= limit { try moveToNotes() }
        pairs.append((mine, theirs))
    }

    /// Hands on all pairs in the order of the local rows.
    consuming func forEach(_ body: (_ mine: Int64, _ theirs: Int64?) throws(GodwitError) -> Void) throws(GodwitError) {
        guard notes != nil else {
            pairs.sort { $0.mine < $1.mine }
            for pair in pairs { try body(pair.mine, pair.theirs) }
            return
        }
        try moveToNotes()
        guard let notes else { return }
        let cursor = try notes.connection.prepare("SELECT mine, theirs FROM pair ORDER BY mine")
        while try cursor.step() { try body(cursor.integer(0), cursor.type(1) == .null ? nil : cursor.integer(1)) }
    }

    private mutating func moveToNotes() throws(GodwitError) {
        let store: WorkingStore
        if let notes { store = notes } else { store = try makeNotes() }
        notes = store
        let insertion = try store.connection.prepare("INSERT INTO pair VALUES (?, ?)")
        for pair in pairs {
            try insertion.bind(integer: pair.mine, at: 1)
            if let theirs = pair.theirs {
                try insertion.bind(integer: theirs, at: 2)
            } else {
                try insertion.bindNull(at: 2)
            }
            try insertion.run()
        }
        pairs.removeAll(keepingCapacity: true)
    }

    private func makeNotes() throws(GodwitError) -> WorkingStore {
        let store = try WorkingStore(stage: stage, cancellation: cancellation, cacheKibibytes: 2048)
        try store.connection.execute("CREATE TABLE pair(mine INTEGER, theirs INTEGER)")
        return store
    }
}
