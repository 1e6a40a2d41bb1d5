internal import CZlib

/// How a finished file is made up, as far as whoever reads parts of it has to know.
struct WrittenOutline {
    /// Bytes of the document, before they were packed.
    let count: Int64
    /// Bytes of the file.
    let size: Int64
    /// Where in the document the first unit begins, and how long each is.
    let base: Int64
    let unit: Int64
    /// Nil for a file that is not packed.
    let packed: Packed?

    struct Packed {
        /// By how many units came before.
        let starts: SparseNotes<PackedStart>
        /// CRC-32 of the document.
        let check: uLong
    }
}

/// Where a part of a packed file begins with a block of its own.
struct PackedStart {
    /// Bytes of the file before it.
    let place: Int64
    /// What stands before it in the document, so far as it may be referred to.
    let before: [UInt8]
}
