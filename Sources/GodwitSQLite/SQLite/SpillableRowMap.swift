internal import GodwitJSON
package import GodwitModel

/// A row: its table, and what tells it from all others there.
package struct RowIdentifier: Hashable, Sendable {
    /// The name's bytes: to Swift two spellings of one letter are one, to SQLite they are two tables.
    package let table: [UInt8]
    package let identity: [Value]

    package init(table: String, identity: [Value]) {
        (self.table, self.identity) = (Array(table.utf8), identity)
    }

    fileprivate init(table: [UInt8], identity: [Value]) {
        (self.table, self.identity) = (table, identity)
    }
}

/// What a command notes about rows while it works: in memory while they are few, on the disk when they are many, so that
/// memory does not grow with them.
package final class SpillableRowMap {
    /// Rows that are kept in memory: of short keys about two megabytes.
    package static let maxRowsInMemory = 1 << 12

    private let limit: Int
    private let stage: Stage
    private let cancellation: Cancellation
    private var few: [RowIdentifier: [Value]] = [:]
    private var many: RowNotesOnDisk?

    package init(stage: Stage, cancellation: Cancellation, maxRowsInMemory limit: Int = SpillableRowMap.maxRowsInMemory)
    {
        (self.stage, self.cancellation, self.limit) = (stage, cancellation, limit)
    }

    /// Notes values about a row, in place of those that were noted before.
    package func note(_ values: [Value] = [], of row: RowIdentifier) throws(GodwitError) {
        if many == nil, few.count >= limit, few[row] == nil { try moveToDisk() }
        if let many { try many.note(values, of: row) } else { few[row] = values }
    }

    /// What was noted about a row; nil where nothing was.
    package func values(of row: RowIdentifier) throws(GodwitError) -> [Value]? {
        if let many { try many.values(of: row) } else { few[row] }
    }

    /// Whether anything was noted about a row, be it no values.
    package func has(_ row: RowIdentifier) throws(GodwitError) -> Bool { try values(of: row) != nil }

    /// Forgets a row; returns what was noted about it.
    @discardableResult
    package func forget(_ row: RowIdentifier) throws(GodwitError) -> [Value]? {
        guard let many else { return few.removeValue(forKey: row) }
        let before = try many.values(of: row)
        if before != nil { try many.forget(row) }
        return before
    }

    /// Hands on all rows in no order; the body must not note anything here.
    package func forEach(_ body: (RowIdentifier, [Value]) throws(GodwitError) -> Void) throws(GodwitError) {
        if let many { return try many.forEach(body) }
        for (row, values) in few { try body(row, values) }
    }

    private func moveToDisk() throws(GodwitError) {
        let disk = try RowNotesOnDisk(stage, cancellation)
        for (row, values) in few { try disk.note(values, of: row) }
        few = [:]
        many = disk
    }
}

/// The same in a working store, where a row is its table and identity as the books write values.
private final class RowNotesOnDisk {
    private let store: WorkingStore
    private let insertion: SQLiteCursor
    private let selection: SQLiteCursor
    private let removal: SQLiteCursor

    init(_ stage: Stage, _ cancellation: Cancellation) throws(GodwitError) {
        let store = try WorkingStore(stage: stage, cancellation: cancellation, cacheKibibytes: 2048)
        try store.connection.execute("CREATE TABLE note(row BLOB PRIMARY KEY, content BLOB) WITHOUT ROWID")
        insertion = try store.connection.prepare("INSERT OR REPLACE INTO note VALUES (?, ?)")
        selection = try store.connection.prepare("SELECT content FROM note WHERE row = ?")
        removal = try store.connection.prepare("DELETE FROM note WHERE row = ?")
        self.store = store
    }

    func note(_ values: [Value], of row: RowIdentifier) throws(GodwitError) {
        try insertion.bind([Self.key(row), .blob(TypedJSON.array(of: values))])
        try insertion.run()
    }

    func values(of row: RowIdentifier) throws(GodwitError) -> [Value]? {
        try selection.bind([Self.key(row)])
        defer { selection.reset() }
        return try selection.step() ? try values(selection, 0) : nil
    }

    func forget(_ row: RowIdentifier) throws(GodwitError) {
        try removal.bind([Self.key(row)])
        try removal.run()
    }

    func forEach(_ body: (RowIdentifier, [Value]) throws(GodwitError) -> Void) throws(GodwitError) {
        let cursor = try store.connection.prepare("SELECT row, content FROM note")
        while try cursor.step() {
            let key = try values(cursor, 0)
            guard case .blob(let table)? = key.first else { throw unreadable }
            try body(RowIdentifier(table: table, identity: Array(key.dropFirst())), values(cursor, 1))
        }
    }

    private static func key(_ row: RowIdentifier) -> Value {
        .blob(TypedJSON.array(of: [.blob(row.table)] + row.identity))
    }

    private func values(_ cursor: borrowing SQLiteCursor, _ column: Int) throws(GodwitError) -> [Value] {
        guard let values = TypedJSON.elements(of: cursor.withBytes(column) { Array($0) }) else { throw unreadable }
        return values
    }

    private var unreadable: GodwitError {
        GodwitError(store.connection.stage, .bug, "What Godwit noted in a temporary file can't be read back.")
    }
}
