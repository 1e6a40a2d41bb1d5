/// A number as it is read, digit by digit.
struct JSONNumber {
    /// Where it is in the unit.
    let start: Int
    var count = 0
    var isNegative = false
    /// Whether it has a point or an exponent.
    var isReal = false
    /// Digits, those behind the point included.
    private(set) var digits = 0
    /// The value of its digits, while that is exact; else all bits are set.
    private(set) var magnitude: UInt64 = 0
    private(set) var isExact = true
    /// The power of ten that the digits are multiplied with.
    var exponent = 0

    /// More than any double needs to be told from its neighbours.
    static let digitLimit = 1100

    init(start: Int) { self.start = start }

    @inline(__always)
    mutating func append(digit: UInt8) {
        digits += 1
        let (tens, overflow) = magnitude.multipliedReportingOverflow(by: 10)
        let (sum, carry) = tens.addingReportingOverflow(UInt64(digit))
        if overflow || carry { isExact = false }
        magnitude = isExact ? sum : .max
    }

    /// The whole number; nil where it does not fit, or is `-0`, which whole numbers do not have.
    var integer: Int64? {
        guard !isReal, isExact else { return nil }
        if !isNegative { return Int64(exactly: magnitude) }
        guard magnitude > 0, magnitude <= UInt64(Int64.max) + 1 else { return nil }
        return magnitude == UInt64(Int64.max) + 1 ? .min : -Int64(magnitude)
    }

    /// The double, where one multiplication or division of two exact doubles gives it; nil for all other numbers.
    ///
    /// It is then correctly rounded: W. D. Clinger, "How to Read Floating Point Numbers Accurately", 1990.
    var quickReal: Double? {
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
