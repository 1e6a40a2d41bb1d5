internal import GodwitJSON

/// Checks on the bytes of text formats.
package enum UTF8Text {
    /// The offset of the first byte that is not UTF-8; nil if there is none.
    package static func firstFault(in bytes: [UInt8]) -> Int? { bytes.withUnsafeBytes { $0.firstUTF8Fault() } }

    /// The byte order mark at the start of a UTF-8 file.
    package static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Space, tab, line feed and carriage return: white space in both XML and JSON.
    package static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    static func append(_ scalar: Unicode.Scalar, to text: inout [UInt8]) {
        text.append(contentsOf: Unicode.UTF8.encode(scalar).map(Array.init) ?? [])
    }
}
