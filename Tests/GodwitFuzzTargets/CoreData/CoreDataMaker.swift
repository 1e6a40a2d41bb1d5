import GodwitSQLite
internal import CSQLiteShim

/// Writes the store that an input describes as the app would: with SQLite, without Godwit's writing code.
///
/// Statements that SQLite rejects (a table twice, a row with too many values) are skipped.
struct CoreDataMaker: ~Copyable {
    private let database: OpaquePointer

    init(_ path: String) throws(FuzzFinding) {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
        guard code == SQLITE_OK, let opened else {
            sqlite3_close_v2(opened)
            throw FuzzFinding("no store can be made: \(code)")
        }
        database = opened
    }

    deinit { sqlite3_close_v2(database) }

    /// Makes everything in one transaction, which need not be durable.
    borrowing func make(_ input: CoreDataInput) {
        run("PRAGMA page_size = 1024")
        run("PRAGMA journal_mode = OFF")
        run("PRAGMA synchronous = OFF")
        run("BEGIN")
        run("CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)")
        if let bytes = input.metadata {
            run("CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)")
            run("INSERT INTO Z_METADATA VALUES (1, 'uuid', ?)", [.blob(bytes)])
        }
        if let bytes = input.modelCache {
            run("CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)")
            run("INSERT INTO Z_MODELCACHE VALUES (?)", [.blob(bytes)])
        }
        for line in input.lines { write(line) }
        run("COMMIT")
    }

    private borrowing func write(_ line: CoreDataInput.Line) {
        switch line {
        case .entity(let values):
            let all = values + Array(repeating: .null, count: 4 - values.count)
            run("INSERT INTO Z_PRIMARYKEY VALUES (?, ?, ?, ?)", all)
        case .table(let name, let columns):
            let list = columns.map { column in
                let key = column.name == "Z_PK" ? "INTEGER PRIMARY KEY" : quoted(column.type)
                return "\(quoted(column.name)) \(key)"
            }
            run("CREATE TABLE \(quoted(name)) (\(list.joined(separator: ", ")))")
        case .index(let table, let column):
            run("CREATE INDEX \(quoted("\(table)_\(column)_INDEX")) ON \(quoted(table)) (\(quoted(column)))")
        case .row(let table, let values):
            let marks = Array(repeating: "?", count: values.count).joined(separator: ", ")
            run("INSERT INTO \(quoted(table)) VALUES (\(marks))", values)
        }
    }

    private borrowing func run(_ sql: String, _ values: [CoreDataInput.Value] = []) {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else { return }
        defer { sqlite3_finalize(statement) }
        for (index, value) in zip(CInt(1)..., values) {
            switch value {
            case .null: sqlite3_bind_null(statement, index)
            case .integer(let number): sqlite3_bind_int64(statement, index, number)
            case .real(let number): sqlite3_bind_double(statement, index, number)
            case .text(let bytes):
                bytes.withUnsafeBytes { room in
                    let start = room.baseAddress?.assumingMemoryBound(to: CChar.self)
                    _ = godwit_sqlite_bind_text_copied(statement, index, start, sqlite3_uint64(room.count))
                }
            case .blob(let bytes):
                bytes.withUnsafeBytes { room in
                    _ = godwit_sqlite_bind_blob_copied(statement, index, room.baseAddress, sqlite3_uint64(room.count))
                }
            }
        }
        while sqlite3_step(statement) == SQLITE_ROW {}
    }
}
