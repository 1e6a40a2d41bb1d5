package import GodwitModel

/// Receives the content of a document in order.
///
/// Everything is provisional until `ExportReader.read` returns: only then the document is known to be complete.
package protocol DocumentHandler: ~Copyable {
    mutating func begin(_ header: DocumentHeader) throws(GodwitError)
    mutating func begin(_ entity: DocumentEntity) throws(GodwitError)
    /// A record of the current entity.
    mutating func take(_ record: borrowing DocumentRecord) throws(GodwitError)
    /// The key of a removed record of the current entity, as a record of one column; comes after the records.
    mutating func take(gone key: borrowing DocumentRecord) throws(GodwitError)
    mutating func end(_ entity: DocumentEntity) throws(GodwitError)
}

extension DocumentHandler where Self: ~Copyable {
    /// Does nothing: complete exports have no removed keys.
    package mutating func take(gone key: borrowing DocumentRecord) throws(GodwitError) {}
}

/// Reads a document only to check that it is complete.
package struct DocumentCheck: DocumentHandler {
    package init() {}
    package mutating func begin(_ header: DocumentHeader) {}
    package mutating func begin(_ entity: DocumentEntity) {}
    package mutating func take(_ record: borrowing DocumentRecord) {}
    package mutating func end(_ entity: DocumentEntity) {}
}

/// The proven content of a document that was read completely.
package struct DocumentSummary: Sendable, Equatable {
    package let header: DocumentHeader
    package let isCompressed: Bool
    package let counts: [String: Int64]
    /// Hash of the `entities` array with its brackets; equals the one in the integrity block.
    package let sha256: String
    /// Size of the document in bytes, unpacked.
    package let bytes: Int64
}
