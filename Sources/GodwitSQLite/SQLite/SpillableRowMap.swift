internal import GodwitJSON
package import GodwitModel

/// Identifies a row: its table, and its identity there.
package struct RowIdentifier: Hashable, Sendable {
    /// The name's bytes: Swift's strings are equal in every Unicode form, but SQLite has two tables then.
    package let table: [UInt8]
    package let identity: [Value]

    package init(table: String, identity: [Value]) {
        (self.table, self.identity) = (Array(table.utf8), identity)
    }

    fileprivate init(table: [UInt8], identity: [Value]) {
        (self.table, self.identity) = (table, identity)
    }
}

/// Values that a command records about rows: in memory if they are few, on disk if they are many.
package final class SpillableRowMap {
    /// Maximum number of rows in memory; about 2 MB with short keys.
    package static let maxRowsInMemory = 1 << 12

    private let limit: Int
    private let stage: GodwitError.Stage
    private let cancellation: Cancellation
    private var few: [RowIdentifier: [Value]] = [:]
    private var many: RowNotesOnDisk?

    package init(
        stage: GodwitError.Stage, cancellation: Cancellation,
        maxRowsInMemory limit: Int = SpillableRowMap.maxRowsInMemory
    ) {
        (self.stage, self.cancellation, self.limit) = (stage, cancellation, limit)
    }

    /// Records values about a row and replaces earlier ones.
    package func note(_ values: [Value] = [], of row: RowIdentifier) throws(GodwitError) {
        if many == nil, few.count >= limit, few[row] == nil { try moveToDisk() }
        if let many { try many.note(values, of: row) } else { few[row] = values }
    }

    /// The values of a row; nil if none were recorded.
    package func values(of row: RowIdentifier) throws(GodwitError) -> [Value]? {
        if let many { try many.values(of: row) } else { few[row] }
    }

    /// Whether the row was recorded, also with an empty list of values.
    package func has(_ row: RowIdentifier) throws(GodwitError) -> Bool { try values(of: row) != nil }

    /// Removes a row and returns its values.
    @discardableResult
    package func forget(_ row: RowIdentifier) throws(GodwitError) -> [Value]? {
        guard let many else { return few.removeValue(forKey: row) }
        let before = try many.values(of: row)
        if before != nil { try many.forget(row) }
        return before
    }

    /// Calls a body for all rows, in no order; the body must not change this map.
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

/// The same in a working store, where table and identity of a row are one typed JSON array.
private final class RowNotesOnDisk {
    private let store: WorkingStore
    private let insertion: SQLiteCursor
    private let selection: SQLiteCursor
    private let removal: SQLiteCursor

    init(_ stage: GodwitError.Stage, _ cancellation: Cancellation) throws(GodwitError) {
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
        GodwitError(store.connection.stage, .bug, "Godwit's temporary file can't be read back")
    }
}
