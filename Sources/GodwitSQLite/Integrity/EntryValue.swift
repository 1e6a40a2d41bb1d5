internal import GodwitJSON
internal import Libc

/// A value of an index entry, in SQLite's memory: valid until its cursor steps.
///
/// Two values are equal exactly if SQLite calls them equal by collation BINARY: 1 and 1.0 are one number, and so are
/// 0.0 and -0.0. <https://sqlite.org/datatype3.html#comparison_expressions>
enum EntryValue {
    case null
    case integer(Int64)
    case real(Double)
    case text(UnsafeRawBufferPointer)
    case blob(UnsafeRawBufferPointer)

    @inline(__always)
    init(_ value: RowValue) {
        switch value {
        case .null: self = .null
        case .integer(let number): self = .integer(number)
        case .real(let number): self = Int64(exactly: number).map(EntryValue.integer) ?? .real(number)
        case .text(let text): self = .text(text)
        case .blob(let blob): self = .blob(blob)
        }
    }

    /// A column of the current row of a store in UTF-8.
    @inline(__always)
    init(_ statement: OpaquePointer, _ column: Int32) { self.init(RowValue(statement, column)) }

    /// SQLite's order: NULL, numbers, texts, blobs; negative, zero or positive.
    @inline(__always)
    func compare(with other: EntryValue) -> Int {
        switch (self, other) {
        case (.text(let mine), .text(let theirs)), (.blob(let mine), .blob(let theirs)):
            mine.compareBytes(with: theirs)
        case (.integer(let mine), .integer(let theirs)): mine == theirs ? 0 : mine < theirs ? -1 : 1
        case (.real(let mine), .real(let theirs)): mine == theirs ? 0 : mine < theirs ? -1 : 1
        case (.integer(let mine), .real(let theirs)): Self.compare(mine, theirs)
        case (.real(let mine), .integer(let theirs)): -Self.compare(theirs, mine)
        default: rank - other.rank
        }
    }

    /// Compares an integer with a number that is not an integer: exactly, because the nearest `Double` of the integer
    /// may be that number.
    private static func compare(_ integer: Int64, _ real: Double) -> Int {
        guard let below = Int64(exactly: real.rounded(.down)) else { return real > 0 ? -1 : 1 }
        return integer <= below ? -1 : 1
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .integer, .real: 1
        case .text: 2
        case .blob: 3
        }
    }
}
