import GodwitModel
import GodwitSQLite
import Foundation
import GodwitExport
import GodwitTestSupport
import Testing

/// Generated tables are exported, restored and exported again: the bytes are equal, and so are the stores.
///
/// `GODWIT_PROPERTY_ROUNDS` sets the number of tables; each store has twenty.
@Suite(.hangGuard)
struct RoundTripPropertyTests {
    private static let rounds = GeneratedCases.seeds("GODWIT_PROPERTY_ROUNDS", all: 10_000, few: 200).count
    private static let tablesInStore = 20
    private static let stores = UInt64((rounds + tablesInStore - 1) / tablesInStore)
    /// The stores are divided among parallel tests: a single test would still run when all others have ended.
    private static let parts = 1...min(4, max(1, stores))
    private static let forms = [
        ExportForm.plain, ExportForm(layout: .lines), ExportForm(gzipLevel: 1),
        ExportForm(layout: .lines, gzipLevel: 6),
    ]

    @Test("export, import and export give the same bytes, and equal stores", arguments: parts)
    func roundTrip(part: UInt64) throws {
        var (tables, records) = (0, 0)
        for seed in stride(from: part, through: Self.stores, by: Self.parts.count) {
            var dice = SeededGenerator(seed: seed &* 0x9E37_79B9_7F4A_7C15)
            let generated = (0..<Self.tablesInStore).map { GeneratedTable(number: $0, using: &dice) }
            let encoding = ["UTF-8", "UTF-16le", "UTF-8", "UTF-16be", "UTF-8"][Int(seed % 5)]
            records += try check(generated, encoding, form: Self.forms[Int(seed % 4)], seed: seed)
            tables += generated.count
        }
        // Most tables must have records, or the test proves nothing.
        #expect(records > tables)
        print("round trip, part \(part): \(tables) tables, \(records) records")
    }

    private func check(
        _ tables: [GeneratedTable], _ encoding: String, form: ExportForm, seed: UInt64
    ) throws -> Int {
        let pragma = "PRAGMA encoding='\(encoding)'"
        let restoration = try Restoration(
            tables.map(\.entity), schema: [([pragma] + tables.map(\.sql)).joined(separator: ";\n")])
        try restoration.make(upTo: 0) { store in
            try store.execute(schemaFile: pragma)
            for table in tables { try table.make(in: store, encoding: encoding) }
        }
        try restoration.export(as: form)
        do { try restoration.restore() } catch {
            Issue.record("seed \(seed): \(error)")
            return 0
        }
        try restoration.export("second.store", to: "second.json", as: form)
        let (first, second) = (
            try restoration.folder.bytes(of: "first.json"), try restoration.folder.bytes(of: "second.json")
        )
        #expect(first == second, "seed \(seed)")
        var count = 0
        for table in tables {
            let rows = try restoration.rows("first.store", table.name)
            #expect(try rows == restoration.rows("second.store", table.name), "seed \(seed): \(table.sql)")
            let bits = try restoration.bits("first.store", table)
            #expect(try bits == restoration.bits("second.store", table), "seed \(seed), \(encoding): \(table.sql)")
            count += rows.values.reduce(0, +)
        }
        return count
    }

    @Test("the affinity of a column is predicted as SQLite applies it, for any type and value")
    func affinity() throws {
        var dice = SeededGenerator(seed: 11)
        let types = [
            "", "TEXT", "INTEGER", "REAL", "BLOB", "NUMERIC", "DATE", "VARCHAR", "CHARINT", "FLOAT", "DOUBLE", "ANY",
            "POINT", "FLOATING POINT", "STRING", "NONE", "integer", "xBLOBx",
        ]
        let folder = try TemporaryFolder()
        let writer = try StoreWriter(
            creatingTemporary: folder["a.store"], name: "a", stage: .import, context: .sample())
        try writer.transaction(.import) { store throws(GodwitError) in
            for isStrict in [false, true] {
                let types = isStrict ? ["INT", "INTEGER", "REAL", "TEXT", "BLOB", "ANY"] : types
                let list = types.enumerated().map { "c\($0) \($1)" }.joined(separator: ", ")
                try store.execute("CREATE TABLE t\(isStrict)(\(list)) \(isStrict ? "STRICT" : "")")
                for _ in 0..<1500 {
                    let value = GeneratedTable.value(&dice)
                    for (index, type) in types.enumerated() {
                        try check(
                            value, "t\(isStrict)", "c\(index)", .init(declaredType: type, isStrict: isStrict), store)
                    }
                }
            }
        }
        try writer.close(.import)
    }

    private func check(
        _ value: Value, _ table: String, _ column: String, _ affinity: ColumnAffinity, _ store: SQLiteConnection
    ) throws(GodwitError) {
        // A STRICT table rejects a value that it can't keep or convert.
        guard (try? store.execute("INSERT INTO \(table)(\(column)) VALUES (?)", [value])) != nil else { return }
        let stored = try store.first("SELECT \(column) FROM \(table) WHERE rowid = last_insert_rowid()")
        let isKept =
            switch value {
            case .null, .blob: true
            case .integer: affinity.keepsIntegers
            case .real(let real): affinity.keeps(real: real)
            case .text(let bytes): bytes.withUnsafeBytes { affinity.keeps(text: $0) }
            }
        #expect((stored == value) == isKept, "\(value) in \(table).\(column), \(affinity)")
    }
}
