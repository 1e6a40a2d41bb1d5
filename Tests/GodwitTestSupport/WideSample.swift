/// A text by its UTF-16 code units, paired or not, with the bytes that stand for it: both written by hand.
package struct WideSample: Sendable, CustomStringConvertible {
    package let units: [UInt16]
    /// WTF-8, <https://simonsapin.github.io/wtf-8/>.
    package let bytes: [UInt8]

    package init(units: [UInt16], bytes: [UInt8]) { (self.units, self.bytes) = (units, bytes) }

    package var description: String { units.map { String($0, radix: 16) }.joined(separator: " ") }

    /// What a store holds, in the order of `hex()`.
    package func stored(in encoding: String) -> String {
        let bytes =
            switch encoding {
            case "UTF-16le": units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
            case "UTF-16be": units.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
            default: self.bytes
            }
        return bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined().uppercased()
    }

    /// The text as an expression, which SQLite takes for the very bytes of a store.
    package func sql(in encoding: String) -> String { "CAST(x'\(stored(in: encoding))' AS TEXT)" }

    package static let encodings = ["UTF-8", "UTF-16le", "UTF-16be"]
    package static let wideEncodings = ["UTF-16le", "UTF-16be"]

    /// Texts that are UTF-8, and that SQLite alters nevertheless where it converts or binds them.
    package static let whole: [WideSample] = [
        .init(units: [], bytes: []),
        .init(units: [0x41, 0, 0x42], bytes: [0x41, 0, 0x42]),
        .init(units: [0xE9, 0x65E5], bytes: [0xC3, 0xA9, 0xE6, 0x97, 0xA5]),
        .init(units: [0xD800, 0xDC41], bytes: [0xF0, 0x90, 0x81, 0x81]),
        .init(units: [0xDBFF, 0xDFFF], bytes: [0xF4, 0x8F, 0xBF, 0xBF]),
        // Byte-order marks, of either order.
        .init(units: [0xFEFF], bytes: [0xEF, 0xBB, 0xBF]),
        .init(units: [0xFEFF, 0x41], bytes: [0xEF, 0xBB, 0xBF, 0x41]),
        .init(units: [0xFEFF, 0xFEFF], bytes: [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF]),
        .init(units: [0xFFFE], bytes: [0xEF, 0xBF, 0xBE]),
        .init(units: [0xFFFE, 0x41], bytes: [0xEF, 0xBF, 0xBE, 0x41]),
        .init(units: [0x41, 0xFFFE, 0xFFFF], bytes: [0x41, 0xEF, 0xBF, 0xBE, 0xEF, 0xBF, 0xBF]),
        .init(units: [0xFFFF], bytes: [0xEF, 0xBF, 0xBF]),
        .init(units: [0xFFFD], bytes: [0xEF, 0xBF, 0xBD]),
    ]

    /// Texts with half of a pair.
    ///
    /// To SQLite's conversion the first two are one, and the same as a whole one above.
    package static let broken: [WideSample] = [
        .init(units: [0xD800, 0x41], bytes: [0xED, 0xA0, 0x80, 0x41]),
        .init(units: [0xD800, 0x441], bytes: [0xED, 0xA0, 0x80, 0xD1, 0x81]),
        .init(units: [0xD800], bytes: [0xED, 0xA0, 0x80]),
        .init(units: [0xDBFF], bytes: [0xED, 0xAF, 0xBF]),
        .init(units: [0xDC00], bytes: [0xED, 0xB0, 0x80]),
        .init(units: [0xDC00, 0xD800], bytes: [0xED, 0xB0, 0x80, 0xED, 0xA0, 0x80]),
        .init(units: [0xD800, 0xD800, 0xDC00], bytes: [0xED, 0xA0, 0x80, 0xF0, 0x90, 0x80, 0x80]),
        .init(units: [0xFEFF, 0xDFFF], bytes: [0xEF, 0xBB, 0xBF, 0xED, 0xBF, 0xBF]),
        .init(units: [0x41, 0xD801, 0], bytes: [0x41, 0xED, 0xA0, 0x81, 0]),
    ]

    package static let all = whole + broken

    /// Makes a text of five bytes in a store in UTF-16, as damage leaves it: SQL can't.
    ///
    /// - Parameter store: the bytes of a file in which the last column of one record is the blob `ZZZZZ`.
    /// - Returns: the same with that blob as text: <https://sqlite.org/fileformat2.html#record_format>.
    package static func makingOddText(of store: [UInt8]) -> [UInt8]? {
        let blob = Array("ZZZZZ".utf8)
        guard let place = store.indices.dropLast(4).first(where: { store[$0..<$0 + 5].elementsEqual(blob) }),
            store[place - 1] == 22
        else { return nil }
        var made = store
        made[place - 1] = 23
        return made
    }
}
