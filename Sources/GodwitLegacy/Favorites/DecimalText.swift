internal import GodwitPropertyList

/// The exact number of a decimal text: `007`, `7.0` and `70e-1` are equal.
///
/// As doubles, `9007199254740993.0` and `9007199254740992.0` are equal; here they are not.
struct DecimalText: Equatable {
    private let isNegative: Bool
    /// Without zeros at either end; empty for zero.
    private let digits: [UInt8]
    /// The number is `0.digits` times ten to this power.
    private let exponent: Int

    /// Reads sign, digits, fraction and exponent, with spaces around them; nil for any other text.
    init?(_ text: String) {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        var rest = Array(text.utf8.drop(while: isBlank))
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        let isMinus = rest.first == UInt8(ascii: "-")
        if isMinus || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
        guard rest.isDecimalNumber else { return nil }
        let parts = rest.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 | 0x20 == UInt8(ascii: "e") }
        let mantissa = parts[0].split(
            separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        let all = Array(mantissa.joined())
        let significant = Array(all.drop { $0 == UInt8(ascii: "0") })
        let leading = all.count - significant.count
        let end = significant.lastIndex { $0 != UInt8(ascii: "0") } ?? -1
        digits = Array(significant.prefix(end + 1))
        guard !digits.isEmpty else {
            (isNegative, exponent) = (false, 0)
            return
        }
        var shift = 0
        if parts.count == 2 {
            guard let written = Int(String(decoding: parts[1], as: UTF8.self)) else { return nil }
            shift = written
        }
        let (sum, overflow) = shift.addingReportingOverflow(mantissa[0].count - leading)
        guard !overflow else { return nil }
        (isNegative, exponent) = (isMinus, sum)
    }
}
