internal import GodwitModel
internal import GodwitSQLite

/// The identities of rows in groups, in order; the last groups are in memory, earlier ones in a temporary store on
/// disk.
final class RowGroups {
    private let width: Int
    private let limit: Int
    private let stage: GodwitError.Stage
    private let cancellation: Cancellation
    private var groups: [[[Value]]] = []
    private var rowsInMemory = 0
    private var groupsOnDisk: Int64 = 0
    private var notes: WorkingStore?

    /// - Parameters:
    ///   - width: number of values that identify a row.
    ///   - limit: maximum number of rows in memory; a single group may exceed it.
    init(width: Int, stage: GodwitError.Stage, cancellation: Cancellation, maxRowsInMemory limit: Int) {
        (self.width, self.stage, self.cancellation, self.limit) = (width, stage, cancellation, limit)
    }

    var isEmpty: Bool { groups.isEmpty && groupsOnDisk == 0 }

    /// Adds a group, by the identities of its rows.
    func add(_ group: [[Value]]) throws(GodwitError) {
        if rowsInMemory > 0, rowsInMemory + group.count > limit { try moveToNotes() }
        groups.append(group)
        rowsInMemory += group.count
    }

    /// Calls a body for each group, in the order of insertion.
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
        // An alias of the rowid needs exactly this type; the other columns have none, so that values do not change.
        try store.connection.execute("CREATE TABLE member(place INTEGER PRIMARY KEY, number\(columns))")
        return store
    }
}
