import GodwitLedger
import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Testing

/// A `godwit_…` object that Godwit did not make is rejected before any of it is read or run.
struct BookOwnershipTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func refusal(_ sql: String) throws -> GodwitError? {
        try SampleStore.make(folder["a.store"], "CREATE TABLE Note(id); \(sql)")
        let snapshot = try StoreSnapshot(of: folder["a.store"], name: "a.store", stage: .copy, context: .sample())
        return failure { try snapshot.connection.requireOwnBooks() }
    }

    @Test("Godwit's tables are recognized by their names and first columns")
    func own() throws {
        let store = try MemoryStore(stage: .status)
        try store.connection.requireOwnBooks()
        for table in Ledger.Table.allCases {
            try store.connection.makeTable(table)
            try store.connection.requireOwnBooks()
            let columns = try store.connection.rows("PRAGMA table_xinfo(\(table.rawValue))").map { $0[1].readable }
            #expect(columns.starts(with: table.firstColumns))
        }
    }

    @Test("a view, a virtual table, other columns and another spelling give 65", arguments: Ledger.Table.allCases)
    func foreign(table: Ledger.Table) throws {
        let name = table.rawValue
        let columns = table.firstColumns.map { "\"\($0)\"" }.joined(separator: ", ")
        for (number, sql) in [
            "CREATE VIEW \(name) AS SELECT 1 AS stage", "CREATE VIRTUAL TABLE \(name) USING fts5(stage)",
            "CREATE TABLE \(name)(evil)", "CREATE TABLE \(name.uppercased())(\(columns))",
            "CREATE TABLE \(name)(\(columns), more AS (1) STORED)",
            "CREATE TABLE \(name)(\(columns), CHECK(random() > 0))",
            "CREATE TABLE \(name)(\(columns), more DEFAULT (random()))",
            "CREATE TABLE \(name)(\(columns)); CREATE INDEX I ON \(name)(length(\"\(table.firstColumns[0])\"))",
            "CREATE TABLE \(name)(\(columns)); CREATE TRIGGER T AFTER INSERT ON \(name) BEGIN DELETE FROM Note; END",
            "CREATE TRIGGER \(name) AFTER INSERT ON Note BEGIN DELETE FROM Note; END",
        ].enumerated() {
            let folder = try BookOwnershipTests()
            let error = try folder.refusal(sql)
            #expect(error?.code == .data, "\(number): \(sql)")
            #expect(
                error?.message.hasPrefix("`\(name)` in `a.store` is not the table that Godwit makes, but a ") == true)
            #expect(error?.hint != nil)
        }
    }

    @Test("names that only have a similar start are ignored")
    func others() throws {
        #expect(try refusal("CREATE TABLE godwit_notes(a); CREATE VIEW godwit_few AS SELECT 1") == nil)
    }
}
