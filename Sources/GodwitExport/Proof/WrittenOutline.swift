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

/// What stands around the array of a document, or around its lines, and is compared byte by byte.
struct WrittenFrame: Sendable {
    let head: [UInt8]
    let tail: [UInt8]
    /// Bytes of the whole document.
    let count: Int64

    /// The bytes between the two: the array of a document, or its lines.
    var records: Range<Int64> { Int64(head.count)..<max(Int64(head.count), count - Int64(tail.count)) }

    /// Whether bytes that stand before the records are those of the head.
    func isHead(_ bytes: Slice<UnsafeRawBufferPointer>, at place: Int64) -> Bool {
        bytes.isEmpty || bytes.elementsEqual(head.dropFirst(Int(place)).prefix(bytes.count))
    }

    /// Whether bytes that stand behind it are those of the tail.
    func isTail(_ bytes: Slice<UnsafeRawBufferPointer>, at place: Int64) -> Bool {
        bytes.isEmpty || bytes.elementsEqual(tail.dropFirst(Int(place - records.upperBound)).prefix(bytes.count))
    }
}

/// Where a part of a packed file begins with a block of its own.
struct PackedStart {
    /// Bytes of the file before it.
    let place: Int64
    /// What stands before it in the document, so far as it may be referred to.
    let before: [UInt8]
}
