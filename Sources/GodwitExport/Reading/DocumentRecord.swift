package import GodwitModel
package import GodwitSQLite

/// A record in a document: its values in column order, in the reader's memory.
///
/// Valid only inside the call that receives it.
package struct DocumentRecord: ~Copyable {
    let fields: UnsafePointer<RecordField>
    package let count: Int
    let unit: UnsafeRawPointer
    let scratch: UnsafeRawPointer

    package func type(_ column: Int) -> StorageClass { fields[column].type }

    /// The value of a column of class `integer`.
    package func integer(_ column: Int) -> Int64 { Int64(bitPattern: fields[column].bits) }

    /// The value of a column of class `real`; never NaN.
    package func real(_ column: Int) -> Double { Double(bitPattern: fields[column].bits) }

    /// The decoded bytes of a column of class `text` or `blob`.
    package func bytes(_ column: Int) -> UnsafeRawBufferPointer {
        let field = fields[column]
        let start = field.isDecoded ? scratch : unit
        return UnsafeRawBufferPointer(start: start + field.place, count: field.count)
    }

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

/// The type and location of a value in a record.
struct RecordField {
    var type: StorageClass = .null
    /// Whether its bytes are in the scratch memory; otherwise they are in the unit, as written.
    var isDecoded = false
    var place = 0
    var count = 0
    /// The bits of a number.
    var bits: UInt64 = 0
}
