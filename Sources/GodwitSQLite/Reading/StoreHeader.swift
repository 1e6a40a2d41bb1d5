/// The first 100 bytes of a store: <https://sqlite.org/fileformat2.html#the_database_header>.
package struct StoreHeader: Sendable, Equatable {
    package let isWAL: Bool
    /// Bytes in a page.
    package let pageSize: Int
    /// Whether this version of SQLite can only read the file's format.
    package let isReadOnlyFormat: Bool
    /// Whether this version of SQLite cannot read the format of the file or of its schema.
    package let isNewerFormat: Bool
    /// Number of pages, as the last writer counted them; nil if that number is out of date.
    package let pageCount: Int64?

    /// Nil if these are not the first bytes of a SQLite file.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= 100, bytes.starts(with: Array("SQLite format 3\0".utf8)) else { return nil }
        let size = Int(bytes[16]) << 8 | Int(bytes[17])
        pageSize = size == 1 ? 65_536 : size
        guard pageSize >= 512, pageSize & (pageSize - 1) == 0 else { return nil }
        isWAL = bytes[19] == 2
        isReadOnlyFormat = bytes[18] > 2
        // In a damaged or encrypted header, bytes that never change are different too.
        let isWhole = bytes[21..<24].elementsEqual([64, 32, 32]) && bytes[72..<92].allSatisfy { $0 == 0 }
        let schemaFormat = bytes[44..<48].reduce(0) { $0 << 8 | Int($1) }
        isNewerFormat = isWhole && (bytes[19] > 2 || schemaFormat > 4)
        // Writers before SQLite 3.7 did not update the count; it is valid if the counter next to it was updated.
        let isKept = bytes[24..<28] == bytes[92..<96] && bytes[28..<32].contains { $0 != 0 }
        pageCount = isKept ? bytes[28..<32].reduce(0) { $0 << 8 | Int64($1) } : nil
    }
}

/// The `-wal` and `-journal` files of a store.
package struct StoreCompanions: Sendable, Equatable {
    /// Size of the `-wal`; nil if it does not exist.
    package var walSize: Int64?
    /// Size of the `-journal`; nil if it does not exist.
    package var journalSize: Int64?

    /// Whether SQLite may restore pages from one of them.
    package var canRestore: Bool { (walSize ?? 0) > 0 || (journalSize ?? 0) > 0 }

    package init(walSize: Int64? = nil, journalSize: Int64? = nil) {
        (self.walSize, self.journalSize) = (walSize, journalSize)
    }
}
