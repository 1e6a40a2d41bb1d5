extension UInt8 {
    var isDecimalDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

    /// Digits, and letters from `a` to `f` in either case.
    package var isHexDigit: Bool { hexValue != nil }

    var hexValue: UInt32? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(self - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(self - UInt8(ascii: "a")) + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(self - UInt8(ascii: "A")) + 10
        default: nil
        }
    }
}

extension Collection<UInt8> {
    /// Digits with an optional fraction and exponent, without a sign; `.5` and `5.` are numbers too.
    package var isDecimalNumber: Bool {
        var rest = self[...]
        var digits = rest.takeDigits()
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            digits += rest.takeDigits()
        }
        guard digits > 0 else { return false }
        if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
            guard rest.takeDigits() > 0 else { return false }
        }
        return rest.isEmpty
    }

    /// Digits after an optional sign, and nothing else.
    package var isDecimalInteger: Bool {
        let digits = first == UInt8(ascii: "-") || first == UInt8(ascii: "+") ? dropFirst() : self[...]
        return !digits.isEmpty && digits.allSatisfy(\.isDecimalDigit)
    }
}

extension Collection<UInt8> where SubSequence == Self {
    fileprivate mutating func takeDigits() -> Int {
        let rest = drop(while: \.isDecimalDigit)
        let taken = count - rest.count
        self = rest
        return taken
    }
}
