/// A number that `JSONCursor` reads, digit by digit.
package struct JSONNumber {
    /// Its offset.
    package let start: Int
    package internal(set) var count = 0
    var isNegative = false
    /// Whether it has a point or an exponent.
    package internal(set) var isReal = false
    /// Digits before and after the point.
    private(set) var digits = 0
    /// The value of its digits if that is exact; else all bits are set.
    private(set) var magnitude: UInt64 = 0
    private var isExact = true
    /// The power of ten that multiplies the digits.
    var exponent = 0

    init(start: Int) { self.start = start }

    @inline(__always)
    mutating func append(digit: UInt8) {
        digits += 1
        let (tens, overflow) = magnitude.multipliedReportingOverflow(by: 10)
        let (sum, carry) = tens.addingReportingOverflow(UInt64(digit))
        if overflow || carry { isExact = false }
        magnitude = isExact ? sum : .max
    }

    /// The integer; nil if it does not fit, or is `-0`.
    package var integer: Int64? {
        guard !isReal, isExact else { return nil }
        if !isNegative { return Int64(exactly: magnitude) }
        guard magnitude > 0, magnitude <= UInt64(Int64.max) + 1 else { return nil }
        return magnitude == UInt64(Int64.max) + 1 ? .min : -Int64(magnitude)
    }

    /// The nearest double; nil if no finite double is near.
    ///
    /// - Parameter bytes: those that the number was read from.
    package func real(in bytes: UnsafeRawBufferPointer) -> Double? {
        if let quickReal { return quickReal }
        return Double(text(in: bytes)).flatMap { $0.isFinite ? $0 : nil }
    }

    func text(in bytes: UnsafeRawBufferPointer) -> String {
        String(decoding: bytes[start..<start + count], as: UTF8.self)
    }

    /// The double if one multiplication or division of two exact doubles gives it; nil for all other numbers.
    ///
    /// It is then correctly rounded: W. D. Clinger, "How to Read Floating Point Numbers Accurately", 1990.
    private var quickReal: Double? {
        guard isExact, magnitude <= 1 << 53, abs(exponent) <= 22 else { return nil }
        let whole = Double(magnitude)
        let value = exponent < 0 ? whole / Self.powers[-exponent] : whole * Self.powers[exponent]
        return isNegative ? -value : value
    }

    private static let powers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]
}
