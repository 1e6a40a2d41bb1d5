extension UnsafeRawBufferPointer {
    /// Whether the bytes are UTF-8 without NUL.
    package var isValidUTF8WithoutNUL: Bool { firstUTF8Fault(acceptsNUL: false) == nil }

    /// The offset of the first byte that is not UTF-8; nil if there is none.
    ///
    /// Source: RFC 3629, section 3; overlong forms and surrogates are not UTF-8.
    package func firstUTF8Fault(acceptsNUL: Bool = true) -> Int? {
        var index = 0
        while index < count {
            let byte = self[index]
            if byte < 0x80 {
                guard byte != 0 || acceptsNUL else { return index }
                index += 1
                continue
            }
            guard let length = sequenceLength(at: index, lead: byte) else { return index }
            index += length
        }
        return nil
    }

    /// The length of the sequence of bytes that starts with `lead`; nil if it is not valid.
    ///
    /// - Parameter allowsSurrogates: whether half of a surrogate pair is valid, as in WTF-8.
    func sequenceLength(at index: Int, lead: UInt8, allowsSurrogates: Bool = false) -> Int? {
        func isContinuation(_ offset: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
            index + offset < count && range.contains(self[index + offset])
        }
        switch lead {
        case 0xC2...0xDF:
            return isContinuation(1) ? 2 : nil
        case 0xE0...0xEF:
            let second: ClosedRange<UInt8> =
                lead == 0xE0 ? 0xA0...0xBF : lead == 0xED && !allowsSurrogates ? 0x80...0x9F : 0x80...0xBF
            return isContinuation(1, second) && isContinuation(2) ? 3 : nil
        case 0xF0...0xF4:
            let second: ClosedRange<UInt8> =
                lead == 0xF0 ? 0x90...0xBF : lead == 0xF4 ? 0x80...0x8F : 0x80...0xBF
            return isContinuation(1, second) && isContinuation(2) && isContinuation(3) ? 4 : nil
        default:
            return nil
        }
    }
}
