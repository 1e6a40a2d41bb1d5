package import GodwitModel
package import GodwitSQLite

/// A record as it stands in a document: its values in column order, in place.
///
/// Valid inside the call that hands it over; bytes point into the reader's memory.
package struct DocumentRecord: ~Copyable {
    let fields: UnsafePointer<RecordField>
    /// Number of values, as many as the entity has columns.
    package let count: Int
    let unit: UnsafeRawPointer
    let scratch: UnsafeRawPointer

    /// The storage class of a value.
    package func type(_ column: Int) -> StorageClass { fields[column].type }

    /// The value of a column of class `integer`.
    package func integer(_ column: Int) -> Int64 { Int64(bitPattern: fields[column].bits) }

    /// The value of a column of class `real`; never NaN.
    package func real(_ column: Int) -> Double { Double(bitPattern: fields[column].bits) }

    /// The bytes of a column of class `text` or `blob`, decoded.
    package func bytes(_ column: Int) -> UnsafeRawBufferPointer {
        let field = fields[column]
        let start = field.isDecoded ? scratch : unit
        return UnsafeRawBufferPointer(start: start + field.place, count: field.count)
    }

    /// A value, copied.
    package func value(_ column: Int) -> Value {
        switch type(column) {
        case .null: .null
        case .integer: .integer(integer(column))
        case .real: .real(real(column))
        case .text: .text(Array(bytes(column)))
        case .blob: .blob(Array(bytes(column)))
        }
    }
}

/// Where a value of a record is.
struct RecordField {
    var type: StorageClass = .null
    /// Whether its bytes are in the scratch memory; else they are in the unit as they were written.
    var isDecoded = false
    var place = 0
    var count = 0
    /// The bits of a number.
    var bits: UInt64 = 0
}
