/// A text given twice by hand: its UTF-16 code units, paired or not, and the bytes for it.
package struct WideSample: Sendable, CustomStringConvertible {
    package let units: [UInt16]
    /// WTF-8, <https://simonsapin.github.io/wtf-8/>.
    package let bytes: [UInt8]

    package init(units: [UInt16], bytes: [UInt8]) { (self.units, self.bytes) = (units, bytes) }

    package var description: String { units.map { String($0, radix: 16) }.joined(separator: " ") }

    /// The bytes in the store, in the order of `hex()`.
    package func stored(in encoding: String) -> String {
        let bytes =
            switch encoding {
            case "UTF-16le": units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
            case "UTF-16be": units.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
            default: self.bytes
            }
        return bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined().uppercased()
    }

    /// The text as an SQL expression that gives exactly these bytes.
    package func sql(in encoding: String) -> String { "CAST(x'\(stored(in: encoding))' AS TEXT)" }

    package static let encodings = ["UTF-8", "UTF-16le", "UTF-16be"]
    package static let wideEncodings = ["UTF-16le", "UTF-16be"]

    /// Valid UTF-8 texts that SQLite changes nevertheless when it converts or binds them.
    package static let whole: [WideSample] = [
        .init(units: [], bytes: []),
        .init(units: [0x41, 0, 0x42], bytes: [0x41, 0, 0x42]),
        .init(units: [0xE9, 0x65E5], bytes: [0xC3, 0xA9, 0xE6, 0x97, 0xA5]),
        .init(units: [0xD800, 0xDC41], bytes: [0xF0, 0x90, 0x81, 0x81]),
        .init(units: [0xDBFF, 0xDFFF], bytes: [0xF4, 0x8F, 0xBF, 0xBF]),
        // Byte order marks of both orders.
        .init(units: [0xFEFF], bytes: [0xEF, 0xBB, 0xBF]),
        .init(units: [0xFEFF, 0x41], bytes: [0xEF, 0xBB, 0xBF, 0x41]),
        .init(units: [0xFEFF, 0xFEFF], bytes: [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF]),
        .init(units: [0xFFFE], bytes: [0xEF, 0xBF, 0xBE]),
        .init(units: [0xFFFE, 0x41], bytes: [0xEF, 0xBF, 0xBE, 0x41]),
        .init(units: [0x41, 0xFFFE, 0xFFFF], bytes: [0x41, 0xEF, 0xBF, 0xBE, 0xEF, 0xBF, 0xBF]),
        .init(units: [0xFFFF], bytes: [0xEF, 0xBF, 0xBF]),
        .init(units: [0xFFFD], bytes: [0xEF, 0xBF, 0xBD]),
    ]

    /// Texts with half of a surrogate pair.
    ///
    /// SQLite's conversion gives the same result for the first two, and also for one of `whole`.
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

    /// Makes a text of five bytes in a UTF-16 store, as damage leaves it; SQL can't make one.
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
