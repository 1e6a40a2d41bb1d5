internal import GodwitJSON
package import GodwitModel

/// Finds out if a column may have a value that another column lacks, in one scan of each table, without indexes.
///
/// SQLite would search each value in an index at random, or make one: 0.9 s or 0.7 s for a million references, this
/// takes 0.25 s. The hashes of the other column's values are kept in parts, so that memory is constant.
package struct MissingValueSearch {
    package typealias Column = (table: String, name: String)

    /// 8 MiB of hashes, half of them unused.
    private static let hashesPerPart: Int64 = 500_000

    private let connection: SQLiteConnection
    private let column: Column
    private let other: Column

    /// Nil if equal values of these columns may have different hashes, because SQLite compares them by another collation
    /// or converts their types: <https://sqlite.org/datatype3.html#type_conversions_prior_to_comparison>.
    ///
    /// - Parameter collation: the collation by which the values are compared.
    package init?(
        of column: Column, in other: Column, comparedBy collation: String = "BINARY", _ shape: SchemaShape,
        _ connection: SQLiteConnection
    ) {
        guard let affinity = Self.affinity(of: column, shape), affinity == .text || affinity == .integer,
            affinity == Self.affinity(of: other, shape), collation.isSameName(as: "BINARY")
        else { return nil }
        (self.connection, self.column, self.other) = (connection, column, other)
    }

    private static func affinity(of column: Column, _ shape: SchemaShape) -> ColumnAffinity? {
        guard let table = shape.table(named: column.table) else { return nil }
        return table.column(named: column.name)?.affinity(inStrict: table.isStrict)
    }

    /// False if the other column has every value that is not NULL.
    package func mayFindAny() throws(GodwitError) -> Bool {
        let count = try connection.estimateRecords(of: other.table)
        let parts = UInt64(count / Self.hashesPerPart + 1)
        for part in 0..<parts {
            let hashes = HashTable(for: count / Int64(parts) + 1)
            let isKept = try connection.scan([quoted(other.name)], from: connection.source(other.table)) { row in
                let hash = ValueHash.of(row[0])
                guard hash % parts == part else { return true }
                return hashes.insert(hash) || !hashes.isFull
            }
            guard isKept else { return true }
            let areAllFound = try connection.scan([quoted(column.name)], from: connection.source(column.table)) { row in
                if case .null = row[0] { return true }
                let hash = ValueHash.of(row[0])
                return hash % parts == part ? hashes.has(hash) : true
            }
            guard areAllFound else { return true }
        }
        return false
    }
}
