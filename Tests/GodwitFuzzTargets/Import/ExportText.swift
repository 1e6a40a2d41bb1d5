import GodwitFiles
import GodwitModel

/// Builds parts of export documents by hand: the hash, gzip, the tagged values.
///
/// Shares no code with the sources except SHA-256.
package enum ExportText {
    /// The document with the correct hash of its entities; unchanged if it has no hash.
    ///
    /// Source: docs/export-format.md, Integrity.
    package static func withHash(_ document: [UInt8]) -> [UInt8] {
        guard let name = offset(of: "\"entities\"", in: document, last: false),
            let start = document[name...].firstIndex(of: UInt8(ascii: "[")),
            let integrity = offset(of: "\"integrity\"", in: document, last: true), integrity > start,
            let end = document[start..<integrity].lastIndex(of: UInt8(ascii: "]")),
            let hash = offset(of: "\"sha256\"", in: document, last: true), hash > integrity,
            let open = document[(hash + 8)...].firstIndex(of: UInt8(ascii: "\"")), open + 65 <= document.count
        else { return document }
        var document = document
        document.replaceSubrange((open + 1)..<(open + 65), with: Array(sha256Hex(Array(document[start...end])).utf8))
        return document
    }

    private static func offset(of text: StaticString, in bytes: [UInt8], last: Bool) -> Int? {
        let text = text.withUTF8Buffer { Array($0) }
        guard bytes.count >= text.count else { return nil }
        let offsets = 0...(bytes.count - text.count)
        func isHere(_ offset: Int) -> Bool { bytes[offset] == text[0] && bytes[offset...].starts(with: text) }
        return last ? offsets.last(where: isHere) : offsets.first(where: isHere)
    }

    /// A gzip member with the bytes stored: RFC 1951, section 3.2.4, in RFC 1952.
    package static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        func little(_ number: UInt32, _ size: Int) -> [UInt8] {
            (0..<size).map { UInt8(truncatingIfNeeded: number >> UInt32(8 * $0)) }
        }
        var packed: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            let size = UInt32(block.count)
            packed += [rest.isEmpty ? 1 : 0] + little(size, 2) + little(~size, 2) + block
        } while !rest.isEmpty
        return packed + little(checksum(of: bytes), 4) + little(UInt32(truncatingIfNeeded: bytes.count), 4)
    }

    /// CRC-32: RFC 1952, section 8.
    private static func checksum(of bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { sum, byte in table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8 }
    }

    private static let table: [UInt32] = (0..<256).map { number in
        (0..<8).reduce(UInt32(number)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ sum >> 1 : sum >> 1 }
    }

    /// The value that a record's member represents; nil if it represents none.
    static func value(_ value: LegacyValue) -> Value? {
        switch value {
        case .null: return .null
        case .integer(let number): return .integer(number)
        case .real(let number): return .real(number)
        case .string(let text): return .string(text)
        case .dictionary(let pairs):
            guard pairs.count == 1, case .string(let text) = pairs[0].value else { return nil }
            return tagged(pairs[0].key, text)
        default: return nil
        }
    }

    private static func tagged(_ tag: String, _ text: String) -> Value? {
        switch tag {
        case "$int": return Int64(text).map(Value.integer)
        case "$real": return Double(text).map(Value.real)
        case "$blob": return base64(text).map(Value.blob)
        case "$text": return base64(text).map(Value.text)
        default: return nil
        }
    }

    private static func base64(_ text: String) -> [UInt8]? {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var bits: UInt32 = 0
        var bytes: [UInt8] = []
        for (offset, character) in text.utf8.filter({ $0 != UInt8(ascii: "=") }).enumerated() {
            guard let digit = digits.firstIndex(of: character) else { return nil }
            bits = bits << 6 | UInt32(digit)
            if offset % 4 > 0 { bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(6 - 2 * (offset % 4)))) }
        }
        return bytes
    }
}
