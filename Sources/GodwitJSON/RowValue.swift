package import GodwitModel

/// A value of a row, where it is in SQLite's memory: valid until its cursor steps.
package enum RowValue {
    case null
    case integer(Int64)
    case real(Double)
    case text(UnsafeRawBufferPointer)
    case blob(UnsafeRawBufferPointer)

    /// A value of its own.
    package var copied: Value {
        switch self {
        case .null: .null
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .text(let text): .text(Array(text))
        case .blob(let blob): .blob(Array(blob))
        }
    }
}
