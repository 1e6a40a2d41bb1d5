/// What the first 100 bytes of a store say: <https://sqlite.org/fileformat2.html#the_database_header>.
package struct StoreHeader: Sendable, Equatable {
    /// Whether the file is in write-ahead-log mode.
    package let isWAL: Bool
    /// Bytes in a page.
    package let pageSize: Int
    /// Whether the file is of a format that this SQLite only reads.
    package let isReadOnlyFormat: Bool
    /// Whether the file is of a format that this SQLite can't read, of the file or of its schema.
    package let isNewerFormat: Bool
    /// Pages in the file as its last writer counted them; nil where that number was not kept up to date.
    package let pageCount: Int64?

    /// Reads a header; nil where these are not the first bytes of a SQLite file.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= 100, bytes.starts(with: Array("SQLite format 3\0".utf8)) else { return nil }
        let size = Int(bytes[16]) << 8 | Int(bytes[17])
        pageSize = size == 1 ? 65_536 : size
        guard pageSize >= 512, pageSize & (pageSize - 1) == 0 else { return nil }
        isWAL = bytes[19] == 2
        isReadOnlyFormat = bytes[18] > 2
        // In a header that is damaged or encrypted, what never changes is changed as well.
        let isWhole = bytes[21..<24].elementsEqual([64, 32, 32]) && bytes[72..<92].allSatisfy { $0 == 0 }
        let schemaFormat = bytes[44..<48].reduce(0) { $0 << 8 | Int($1) }
        isNewerFormat = isWhole && (bytes[19] > 2 || schemaFormat > 4)
        // Writers before SQLite 3.7 left the count alone; it holds where the counter beside it moved along.
        let isKept = bytes[24..<28] == bytes[92..<96] && bytes[28..<32].contains { $0 != 0 }
        pageCount = isKept ? bytes[28..<32].reduce(0) { $0 << 8 | Int64($1) } : nil
    }
}

/// What lies beside a store.
package struct StoreCompanions: Sendable, Equatable {
    /// Size of the `-wal`; nil where there is none.
    package var walSize: Int64?
    /// Size of the `-journal`; nil where there is none.
    package var journalSize: Int64?

    /// Whether SQLite may restore pages from one of them.
    package var canRestore: Bool { (walSize ?? 0) > 0 || (journalSize ?? 0) > 0 }

    package init(walSize: Int64? = nil, journalSize: Int64? = nil) {
        self.walSize = walSize
        self.journalSize = journalSize
    }
}
