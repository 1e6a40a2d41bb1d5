internal import GodwitLedger
internal import GodwitModel
internal import GodwitSQLite

/// Integers that no record has or had, and that no reference contains.
struct NewNumbers {
    private var last: Int64 = 0

    init(
        above columns: [(table: String, column: String)], in stores: [SQLiteConnection]
    ) throws(GodwitError) {
        for store in stores {
            let shape = try store.readShape()
            for (table, column) in columns where shape.table(named: table)?.column(named: column) != nil {
                let name = quoted(column)
                let largest = try store.first(
                    "SELECT max(CAST(\(name) AS INTEGER)) FROM \(store.source(table)) WHERE typeof(\(name)) IN ('integer', 'real')"
                )
                if case .integer(let number)? = largest { last = max(last, number) }
            }
        }
    }

    /// Skips numbers that a store has given before, and those of records that were set aside.
    mutating func skipGiven(
        _ target: ReferenceTranslation.Target, in stores: [SQLiteConnection]
    ) throws(GodwitError) {
        var largest = last
        for store in stores {
            try store.forEachRemovedValue(of: target.column, in: target.parent.name, areOpen: false) { value in
                switch value {
                case .integer(let number): largest = max(largest, number)
                case .real(let number): largest = max(largest, Int64(exactly: number.rounded(.up)) ?? largest)
                default: break
                }
            }
            guard try store.hasTable("sqlite_sequence") else { continue }
            let given = try store.first(
                "SELECT max(seq) FROM sqlite_sequence WHERE name = ? COLLATE NOCASE AND typeof(seq) = 'integer'",
                [.string(target.parent.name)])
            if case .integer(let number)? = given { largest = max(largest, number) }
        }
        last = largest
    }

    mutating func next(_ store: SQLiteConnection) throws(GodwitError) -> Int64 {
        guard last < .max else {
            throw GodwitError(
                store.stage, .data, "`\(store.name)` has no row number left for another record",
                hint: "Give the record with the largest number another number in the app first.")
        }
        last += 1
        return last
    }
}
