/// One SQLite value with its storage class, exactly as stored.
///
/// Text is kept as bytes: SQLite's TEXT may hold NUL or bytes that are not UTF-8, and a `String` would replace them.
/// Source: <https://sqlite.org/datatype3.html>.
package enum Value: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case blob([UInt8])

    /// Text from a Swift string, as UTF-8.
    package static func string(_ text: some StringProtocol) -> Value { .text(Array(text.utf8)) }

    /// Compares storage class and bits: `0.0` and `-0.0` differ, and so do `1` and `1.0`.
    package static func == (a: Value, b: Value) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.integer(let x), .integer(let y)): x == y
        case (.real(let x), .real(let y)): x.bitPattern == y.bitPattern
        case (.text(let x), .text(let y)), (.blob(let x), .blob(let y)): x == y
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .integer(let x): hasher.combine(x)
        case .real(let x): hasher.combine(x.bitPattern)
        case .text(let x): hasher.combine(x)
        case .blob(let x): hasher.combine(x)
        }
    }

    /// The value for a report: text with invalid UTF-8 replaced, a blob only by its size.
    package var readable: String {
        switch self {
        case .null: "NULL"
        case .integer(let x): String(x)
        case .real(let x): String(x)
        case .text(let bytes): String(decoding: bytes, as: UTF8.self)
        case .blob(let bytes): "blob of \(bytes.count.counted("byte"))"
        }
    }

    /// The value of a key: a blob as in SQL, with 32 bytes at most.
    package var keyText: String {
        guard case .blob(let bytes) = self else { return readable }
        let shown = bytes.prefix(32).map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
        return "x'\(shown)\(bytes.count > 32 ? "…" : "")'"
    }
}

/// A total order that is the same on every device: storage class first, then value or bytes.
///
/// NULL < numbers < text < blob, as SQLite sorts. Numbers compare by value, then integer before real; text and blobs by
/// bytes (collation BINARY). Integers and doubles are compared exactly, without rounding.
extension Value: Comparable {
    package static func < (a: Value, b: Value) -> Bool {
        switch (a, b) {
        case (.integer(let x), .integer(let y)): return x < y
        case (.real(let x), .real(let y)): return isLess(x, y)
        case (.integer(let x), .real(let y)): return isLess(x, y) ?? true
        case (.real(let x), .integer(let y)):
            guard let less = isLess(y, x) else { return false }
            return !less
        case (.text(let x), .text(let y)), (.blob(let x), .blob(let y)): return x.lexicographicallyPrecedes(y)
        default: return a.classRank < b.classRank
        }
    }

    private var classRank: Int {
        switch self {
        case .null: 0
        case .integer, .real: 1
        case .text: 2
        case .blob: 3
        }
    }

    /// Whether the first real is less: by value, with `-0.0` before `0.0`.
    ///
    /// SQLite stores no NaN (it becomes NULL); a NaN from elsewhere sorts before all numbers.
    private static func isLess(_ x: Double, _ y: Double) -> Bool {
        if x.isNaN || y.isNaN { return x.isNaN && (!y.isNaN || x.bitPattern < y.bitPattern) }
        return x == y ? x.sign == .minus && y.sign == .plus : x < y
    }

    /// Whether the integer is less than the real; nil if they are equal.
    private static func isLess(_ integer: Int64, _ real: Double) -> Bool? {
        if real.isNaN { return false }
        if real >= 9_223_372_036_854_775_808.0 { return true }
        if real < -9_223_372_036_854_775_808.0 { return false }
        let whole = Int64(real)
        if integer != whole { return integer < whole }
        let fraction = real - Double(whole)
        return fraction == 0 ? nil : fraction > 0
    }
}
