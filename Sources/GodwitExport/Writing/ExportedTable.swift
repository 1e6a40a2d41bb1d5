internal import GodwitJSON
internal import GodwitModel
internal import GodwitSQLite

/// A table in an export: its columns in order, and how to read its records in order.
struct ExportedTable {
    let name: String
    let key: String
    let columns: [ExportedColumn]
    /// Number of records to write.
    var count: Int64
    /// Number of removed keys; nil for a complete export.
    var goneCount: Int64?
    /// The column with the date of a record.
    let modified: ModifiedColumn?
    /// All records in the order of the export.
    let select: String
    /// The text before each value.
    let labels: FieldLabels
    /// How to read records for sorting; nil if SQLite must sort them.
    let scan: Scan?

    /// A table that is read from start to end.
    struct Scan {
        /// Number of columns before those to write: the rowid.
        static let columnsBefore = 1
        /// The rowid and all columns, quoted for SQL.
        let columns: [String]
        /// The table for SQL, without indexes.
        let source: String
        var rowid: String { columns[0] }
        /// Index of the key among these.
        let keyColumn: Int
        /// A query for the rowid that comes first in the export, of two rowids.
        let first: String

        func source(_ range: RowRange) -> String {
            var conditions: [String] = []
            if range.first > .min { conditions.append("\(rowid) >= \(range.first)") }
            if range.last < .max { conditions.append("\(rowid) <= \(range.last)") }
            return conditions.isEmpty ? source : "\(source) WHERE \(conditions.joined(separator: " AND "))"
        }

        /// A query for the smallest or the greatest rowid.
        func end(isLast: Bool) -> String {
            "SELECT \(rowid) FROM \(source) ORDER BY \(rowid) \(isLast ? "DESC" : "ASC") LIMIT 1"
        }
    }

    /// The table of an entity, with its columns in the order of the table.
    init(_ table: EntityTable, count: Int64) {
        let columns = table.shape.columnsInFile.map { column in
            ExportedColumn(name: column.name, type: column.type, isGenerated: column.isGenerated)
        }
        self.init(table, key: table.columns[table.keyIndex], columns: columns, count: count)
    }

    /// The table of an entity, with the columns that a document announced.
    init(_ table: EntityTable, as announced: DocumentEntity, count: Int64) {
        self.init(table, key: announced.key, columns: announced.columns, count: count)
    }

    var keyPlace: Int? { columns.firstIndex { $0.isNamed(key) } }

    private init(_ table: EntityTable, key: String, columns: [ExportedColumn], count: Int64) {
        (name, self.key, self.columns, self.count) = (table.entity.name, key, columns, count)
        modified = table.entity.modified
        labels = FieldLabels(columns.map(\.name))
        let list = columns.map { quoted($0.name) }.joined(separator: ", ")
        let order = Self.order(of: columns, in: table)
        select = "SELECT \(list) FROM \(table.source) ORDER BY \(order)"
        // Rows of a table WITHOUT ROWID are in the order of their primary key, and no short number identifies one.
        guard !table.shape.isWithoutRowid, table.collation == "BINARY", columns.count < 1990,
            let rowid = table.identity.first, let index = columns.firstIndex(where: { $0.isNamed(key) })
        else {
            scan = nil
            return
        }
        scan = Scan(
            columns: [rowid] + columns.map { quoted($0.name) }, source: "\(table.name) NOT INDEXED",
            keyColumn: index + Scan.columnsBefore,
            first: "SELECT \(rowid) FROM \(table.name) NOT INDEXED WHERE \(rowid) IN (?1, ?2) ORDER BY \(order) LIMIT 1"
        )
    }

    /// The same with the counts of an increment.
    func counting(_ changes: (changed: Int64, gone: Int64)) -> ExportedTable {
        var table = self
        (table.count, table.goneCount) = (changes.changed, changes.gone)
        return table
    }

    /// Key order, then the other columns by bytes and storage class, then the sign of zero if a column can store -0.0:
    /// so records with equal keys have a fixed order too.
    ///
    /// SQLite allows 2,000 terms (<https://sqlite.org/limits.html>): in a table with more columns, the first 900
    /// decide.
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

    /// Writes the description of the entity, up to the counts; the JSON object stays open.
    func writeDescription(to json: inout JSONBuffer) {
        json.append("{\"name\": ")
        json.append(string: name)
        json.append(", \"key\": ")
        json.append(string: key)
        json.append(", \"columns\": [")
        for (index, column) in columns.enumerated() {
            if index > 0 { json.append(", ") }
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
