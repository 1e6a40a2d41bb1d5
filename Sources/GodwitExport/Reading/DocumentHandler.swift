package import GodwitModel

/// Takes what a reader finds, in the order of the document.
///
/// Everything is provisional until `ExportReader.read` returns: only then is the document proven to be whole.
package protocol DocumentHandler: ~Copyable {
    /// The header, before any entity.
    mutating func begin(_ header: DocumentHeader) throws(GodwitError)
    /// An entity; its records follow.
    mutating func begin(_ entity: DocumentEntity) throws(GodwitError)
    /// A record of the entity that began last.
    mutating func take(_ record: borrowing DocumentRecord) throws(GodwitError)
    /// A key of the entity that began last, as a record of that one column: its record is gone since the export that the
    /// document says the differences from. Comes behind the records.
    mutating func take(gone key: borrowing DocumentRecord) throws(GodwitError)
    /// All records of the entity were there.
    mutating func end(_ entity: DocumentEntity) throws(GodwitError)
}

extension DocumentHandler where Self: ~Copyable {
    /// Does nothing: documents that hold everything have none.
    package mutating func take(gone key: borrowing DocumentRecord) throws(GodwitError) {}
}

/// Reads a document for its own sake: to check that it is whole.
package struct DocumentCheck: DocumentHandler {
    package init() {}
    package mutating func begin(_ header: DocumentHeader) {}
    package mutating func begin(_ entity: DocumentEntity) {}
    package mutating func take(_ record: borrowing DocumentRecord) {}
    package mutating func end(_ entity: DocumentEntity) {}
}

/// What a document that was read to its end is proven to hold.
package struct DocumentSummary: Sendable, Equatable {
    package let header: DocumentHeader
    package let isCompressed: Bool
    /// Records by entity.
    package let counts: [String: Int64]
    /// Over the `entities` array, brackets included: as its integrity block says, and as was computed.
    package let sha256: String
    /// Size of the document, unpacked.
    package let bytes: Int64
}
