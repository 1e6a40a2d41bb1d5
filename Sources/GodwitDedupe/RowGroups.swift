internal import GodwitModel
internal import GodwitSQLite

/// Where the rows of groups are, group after group; the rows themselves are not held, and of many groups only the last
/// ones are in memory, all others in a store of notes on the disk.
final class RowGroups {
    private let width: Int
    private let limit: Int
    private let stage: Stage
    private let cancellation: Cancellation
    private var groups: [[[Value]]] = []
    private var rowsInMemory = 0
    private var groupsOnDisk: Int64 = 0
    private var notes: WorkingStore?

    /// - Parameters:
    ///   - width: how many values tell a row from all others.
    ///   - limit: how many rows are kept in memory; of one group all.
    init(width: Int, stage: Stage, cancellation: Cancellation, maxRowsInMemory limit: Int) {
        (self.width, self.stage, self.cancellation, self.limit) = (width, stage, cancellation, limit)
    }

    /// Adds a group, by what identifies each of its rows.
    func add(_ group: [[Value]]) throws(GodwitError) {
        if rowsInMemory > 0, rowsInMemory + group.count > limit { try moveToNotes() }
        groups.append(group)
        rowsInMemory += group.count
    }

    /// Hands on all groups in the order in which they were added.
    func forEach(_ body: ([[Value]]) throws(GodwitError) -> Void) throws(GodwitError) {
        if let notes {
            let cursor = try notes.connection.prepare("SELECT * FROM member ORDER BY place")
            var (number, group): (Int64, [[Value]]) = (0, [])
            while try cursor.step() {
                if cursor.integer(1) != number, !group.isEmpty {
                    try body(group)
                    group = []
                }
                number = cursor.integer(1)
                group.append((2..<width + 2).map { cursor.value($0) })
            }
            if !group.isEmpty { try body(group) }
        }
        for group in groups { try body(group) }
    }

    private func moveToNotes() throws(GodwitError) {
        let store: WorkingStore
        if let notes { store = notes } else { store = try makeNotes() }
        notes = store
        let places = String(repeating: ", ?", count: width)
        let insertion = try store.connection.prepare("INSERT INTO member VALUES (NULL, ?\(places))")
        for group in groups {
            groupsOnDisk += 1
            for row in group {
                try insertion.bind([.integer(groupsOnDisk)] + row)
                try insertion.run()
            }
        }
        (groups, rowsInMemory) = ([], 0)
    }

    private func makeNotes() throws(GodwitError) -> WorkingStore {
        let store = try WorkingStore(stage: stage, cancellation: cancellation, cacheKibibytes: 2048)
        let columns = (0..<width).map { ", identity\($0)" }.joined()
        // The type of a rowid's alias must stand there in full; the others have none, so that values stay as they are.
        try store.connection.execute("CREATE TABLE member(place INTEGER PRIMARY KEY, number\(columns))")
        return store
    }
}
