internal import GodwitJSON
internal import GodwitModel
internal import GodwitSQLite

/// A table as an export writes it: which columns, in which order, and how its records are found in theirs.
struct ExportedTable {
    let name: String
    let key: String
    let columns: [ExportedColumn]
    /// Records that are written.
    var count: Int64
    /// Keys whose records are gone; nil where everything is written.
    var goneCount: Int64?
    /// The column with the date of a record.
    let modified: ModifiedColumn?
    /// All records in the order of the export.
    let select: String
    /// What stands before each value.
    let labels: FieldLabels
    /// How its records are read to be sorted here; nil where only SQLite can put them in order.
    let scan: Scan?

    /// A table read from its beginning to its end.
    struct Scan {
        /// How many columns of the rows come before those that are written: the rowid, and the key.
        static let columnsBefore = 1
        /// The rowid, and all columns, as they are written in SQL.
        let columns: [String]
        /// The table, as it is read from its beginning to its end.
        let source: String
        /// Its rowid, as it is written in SQL.
        var rowid: String { columns[0] }
        /// Where the key is among these.
        let keyColumn: Int
        /// Which of two rows, given their rowids, comes first in the export.
        let first: String

        /// Its rows of some rowids; without a condition where that is all of them.
        func source(_ range: RowRange) -> String {
            var conditions: [String] = []
            if range.first > .min { conditions.append("\(rowid) >= \(range.first)") }
            if range.last < .max { conditions.append("\(rowid) <= \(range.last)") }
            return conditions.isEmpty ? source : "\(source) WHERE \(conditions.joined(separator: " AND "))"
        }

        /// A query for the smallest rowid, or the greatest.
        func end(isLast: Bool) -> String {
            "SELECT \(rowid) FROM \(source) ORDER BY \(rowid) \(isLast ? "DESC" : "ASC") LIMIT 1"
        }
    }

    /// The table of an entity, its columns in the table's own order.
    init(_ table: EntityTable, count: Int64) {
        let columns = table.shape.columnsInFile.map { column in
            ExportedColumn(name: column.name, type: column.type, isGenerated: column.isGenerated)
        }
        self.init(table, key: table.columns[table.keyIndex], columns: columns, count: count)
    }

    /// The table of an entity, with the columns, their order and their spelling that a document announced.
    init(_ table: EntityTable, as announced: DocumentEntity, count: Int64) {
        self.init(table, key: announced.key, columns: announced.columns, count: count)
    }

    /// The place of the key among the columns.
    var keyPlace: Int? { columns.firstIndex { $0.isNamed(key) } }

    private init(_ table: EntityTable, key: String, columns: [ExportedColumn], count: Int64) {
        (name, self.key, self.columns, self.count) = (table.entity.name, key, columns, count)
        modified = table.entity.modified
        labels = FieldLabels(columns.map(\.name))
        let list = columns.map { quoted($0.name) }.joined(separator: ", ")
        let order = Self.order(of: columns, in: table)
        select = "SELECT \(list) FROM \(table.name) ORDER BY \(order)"
        // Without a rowid the rows lie in the order of their primary key, and there is no short name for one.
        guard !table.shape.isWithoutRowid, table.collation == "BINARY", columns.count < 1990,
            let rowid = table.identity.first, let place = columns.firstIndex(where: { $0.isNamed(key) })
        else {
            scan = nil
            return
        }
        scan = Scan(
            columns: [rowid] + columns.map { quoted($0.name) }, source: "\(table.name) NOT INDEXED",
            keyColumn: place + Scan.columnsBefore,
            first: "SELECT \(rowid) FROM \(table.name) WHERE \(rowid) IN (?1, ?2) ORDER BY \(order) LIMIT 1")
    }

    /// The same with what alone is written of it.
    func counting(_ changes: (changed: Int64, gone: Int64)) -> ExportedTable {
        var table = self
        (table.count, table.goneCount) = (changes.changed, changes.gone)
        return table
    }

    /// Begins to sum up the rows of its scan; nil where a check has no use for that.
    func beginSummation(in store: SQLiteConnection) throws(GodwitError) -> RecordSummation? {
        guard scan != nil else { return nil }
        let places = columns.enumerated().map { (quoted($1.name), $0 + Scan.columnsBefore) }
        return try store.beginSummation(
            of: name, rowid: 0, columns: Dictionary(places, uniquingKeysWith: { first, _ in first }))
    }

    /// Key order, then the other columns by bytes and storage class whatever their own collation, then the sign of zero
    /// where a column can hold a negative one: records with one key have one order, too.
    ///
    /// SQLite allows 2,000 terms (<https://sqlite.org/limits.html>): in a table wider than 900 columns the first 900 decide.
    private static func order(of columns: [ExportedColumn], in table: EntityTable) -> String {
        let keyName = table.columns[table.keyIndex]
        let others = columns.filter { !$0.name.isSameName(as: keyName) }.prefix(900).map { quoted($0.name) }
        let signed = columns.prefix(900).filter { column in
            table.shape.column(named: column.name)?.affinity(inStrict: table.shape.isStrict) == .blob
        }
        let terms =
            [table.keyOrder] + others.map { "\($0) COLLATE \(table.collation), typeof(\($0))" }
            + signed.prefix(100).map { "\(NegativeZero.function)(\(quoted($0.name)))" }
        return terms.joined(separator: ", ")
    }

    /// Writes what stands before the records, up to the count; the object stays open.
    func writeDescription(to json: inout JSONBuffer) {
        json.append("{\"name\": ")
        json.append(string: name)
        json.append(", \"key\": ")
        json.append(string: key)
        json.append(", \"columns\": [")
        for (place, column) in columns.enumerated() {
            if place > 0 { json.append(", ") }
            json.append("{\"name\": ")
            json.append(string: column.name)
            json.append(", \"type\": ")
            json.append(string: column.type)
            json.append(column.isGenerated ? ", \"generated\": true}" : "}")
        }
        json.append("], \"count\": ")
        json.append(digits: count)
        guard let goneCount else { return }
        json.append(", \"goneCount\": ")
        json.append(digits: goneCount)
    }
}
