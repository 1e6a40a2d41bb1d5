internal import GodwitJSON
package import GodwitModel

/// Finds out if a column may have a value that another column lacks, in one scan of each table, without indexes.
///
/// SQLite would search each value in an index at random, or make one: 0.9 s or 0.7 s for a million references, this
/// takes 0.25 s. The hashes of the other column's values are kept in parts, so that memory is constant.
package struct MissingValueSearch {
    package typealias Column = (table: String, name: String)

    /// 16 MiB of hashes, half of them unused.
    private static let hashesPerPart: Int64 = 1 << 20

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
        let count = try connection.countRecords(of: other.table)
        let parts = UInt64(count / Self.hashesPerPart + 1)
        for part in 0..<parts {
            let hashes = HashTable(atLeast: 2 * count / Int64(parts))
            let isKept = try connection.scan([quoted(other.name)], from: connection.source(other.table)) { row in
                let hash = ValueHash.of(row[0])
                return hash % parts == part ? hashes.add(hash) : true
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

/// A set of hashes with a fixed size: each is at its own place, or at the next free one.
private final class HashTable {
    private let places: UnsafeMutableBufferPointer<UInt64>
    private let shift: UInt64
    @exclusivity(unchecked) private var free: Int

    /// - Parameter count: number of places.
    init(atLeast count: Int64) {
        let bits = max(Int64.bitWidth - count.leadingZeroBitCount, 6)
        places = .allocate(capacity: 1 << bits)
        places.initialize(repeating: 0)
        shift = UInt64(64 - bits)
        free = 1 << bits
    }

    deinit { places.deallocate() }

    /// Adds a hash; false if there is no room.
    @inline(__always)
    func add(_ hash: UInt64) -> Bool {
        let place = place(of: hash)
        if places[place] != 0 { return true }
        places[place] = hash | 1
        free &-= 1
        return free > 0
    }

    @inline(__always)
    func has(_ hash: UInt64) -> Bool { places[place(of: hash)] != 0 }

    /// The place of a hash, or the free one where it belongs; the last bit of a hash is not compared, so that none is 0.
    @inline(__always)
    private func place(of hash: UInt64) -> Int {
        var place = Int(truncatingIfNeeded: hash >> shift)
        while places[place] != 0, places[place] != hash | 1 { place = (place &+ 1) & (places.count &- 1) }
        return place
    }
}
