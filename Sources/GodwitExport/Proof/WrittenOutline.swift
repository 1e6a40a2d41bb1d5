internal import CZlib

/// The structure of a complete file, for reading parts of it.
struct WrittenOutline {
    /// Bytes of the document, before packing.
    let count: Int64
    let size: Int64
    /// Offset of the first unit in the document, and the length of each unit.
    let base: Int64
    let unit: Int64
    /// Nil for a file that is not packed.
    let packed: Packed?

    struct Packed {
        /// By number of units before the part.
        let starts: SparseNotes<PackedStart>
        /// CRC-32 of the document.
        let check: uLong
    }
}

/// The text before and after a document's records, which is compared byte by byte.
struct WrittenFrame: Sendable {
    let head: [UInt8]
    let tail: [UInt8]
    let count: Int64

    /// The range between the two: a document's array, or its lines.
    var records: Range<Int64> { Int64(head.count)..<max(Int64(head.count), count - Int64(tail.count)) }

    /// Whether bytes before the records equal those of the head.
    func isHead(_ bytes: Slice<UnsafeRawBufferPointer>, at offset: Int64) -> Bool {
        bytes.isEmpty || bytes.elementsEqual(head.dropFirst(Int(offset)).prefix(bytes.count))
    }

    /// Whether bytes after the records equal those of the tail.
    func isTail(_ bytes: Slice<UnsafeRawBufferPointer>, at offset: Int64) -> Bool {
        bytes.isEmpty || bytes.elementsEqual(tail.dropFirst(Int(offset - records.upperBound)).prefix(bytes.count))
    }
}

/// The start of a part of a packed file, which is the start of a block.
struct PackedStart {
    /// Bytes of the file before it.
    let offset: Int64
    /// The text before it, as far as the part can refer to it.
    let before: [UInt8]
}
