/// Why bytes are not JSON; each reader has its own message for it.
package struct JSONFault: Error {
    package enum Kind: Sendable {
        /// Missing: a value, a name in quotes, a colon, a digit, the end of a text, or a comma or an end after an element
        /// or a member.
        case value, name, colon, digit, textEnd, elementEnd, memberEnd
        /// A text with a control character, with bytes that are not UTF-8, or with an escape that JSON does not have.
        case control, encoding, escape, hexadecimal
        /// Half of a surrogate pair, or NUL, where neither is accepted.
        case halfPair, escapedNUL
        case leadingZero, duplicateName, textAfterEnd
        /// More than the reader accepts.
        case tooManyDigits, tooManyBlanks, tooManyValues, tooDeep
    }

    package let kind: Kind
    package let offset: Int
    /// Whether the bytes may be the first part of a correct text.
    package let needsMore: Bool

    init(_ kind: Kind, at offset: Int, needsMore: Bool = false) {
        (self.kind, self.offset, self.needsMore) = (kind, offset, needsMore)
    }
}
