extension UnsafeRawBufferPointer {
    /// Whether the bytes are UTF-8 as RFC 3629 has it (no overlong forms, no surrogates) and hold no NUL.
    package var isValidUTF8WithoutNUL: Bool {
        var index = 0
        while index < count {
            let byte = self[index]
            if byte < 0x80 {
                guard byte != 0 else { return false }
                index += 1
                continue
            }
            guard let length = sequenceLength(at: index, lead: byte) else { return false }
            index += length
        }
        return true
    }

    /// How many bytes a sequence has that begins with this one; nil where it is none.
    ///
    /// - Parameter allowsSurrogates: whether half of a surrogate pair is one, as in WTF-8.
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
