/// A Core Data store described by one input: switches, the model in `Z_MODELCACHE`, the property list in `Z_METADATA`,
/// and lines that make tables and rows, with a mark between each two.
///
/// A line begins with a letter; single spaces separate its words:
///
///     E 1 Workout 0 3                    a row of Z_PRIMARYKEY: number, name, super-entity, highest key
///     T ZWORKOUT Z_PK INTEGER ZNAME VARCHAR    a table: its name, then columns with their declared types
///     I ZEXERCISESET ZWORKOUT            an index named as Core Data names that of a relation
///     R ZWORKOUT 1 1 1 'Legs             a row: n for NULL, a number, x and hexadecimal digits, ' and text
package struct CoreDataInput {
    /// A value of a row.
    enum Value: Equatable {
        case null
        case integer(Int64)
        case real(Double)
        case text([UInt8])
        case blob([UInt8])
    }

    enum Line: Equatable {
        case entity([Value])
        case table(name: String, columns: [(name: String, type: String)])
        case index(table: String, column: String)
        case row(table: String, values: [Value])

        static func == (one: Line, other: Line) -> Bool { "\(one)" == "\(other)" }
    }

    /// More lines than a store of a few kilobytes has.
    static let mostLines = 200

    /// The contents of `Z_MODELCACHE`; nil for a store without that table.
    package let modelCache: [UInt8]?
    /// The contents of `Z_METADATA`; nil for a store without that table.
    package let metadata: [UInt8]?
    let lines: [Line]
    /// Whether the result of `init` is planned as well, which takes time.
    package let isPlanned: Bool

    /// Splits an input; nil if it is empty.
    ///
    /// Switches: 1 omits `Z_MODELCACHE`, 2 takes its bytes as they are without compression, 4 omits `Z_METADATA`, 8
    /// plans a run.
    package init?(_ bytes: [UInt8]) {
        guard let switches = bytes.first else { return nil }
        var parts = Self.parts(of: bytes.dropFirst())
        lines = Self.lines(parts.popLast() ?? [])
        let model = parts.first ?? []
        if switches & 1 != 0 {
            modelCache = nil
        } else {
            modelCache = switches & 2 != 0 ? model : Self.packed(BinaryAssembly.file(model))
        }
        metadata = switches & 4 != 0 ? nil : BinaryAssembly.file(parts.count > 1 ? parts[1] : [])
        isPlanned = switches & 8 != 0
    }

    private static func parts(of bytes: ArraySlice<UInt8>) -> [[UInt8]] {
        let mark = StoreSetInput.mark
        var parts: [[UInt8]] = []
        var start = bytes.startIndex
        var place = start
        while place + mark.count <= bytes.endIndex, parts.count < 2 {
            if bytes[place] == mark[0], bytes[place...].starts(with: mark) {
                parts.append(Array(bytes[start..<place]))
                place += mark.count
                start = place
            } else {
                place += 1
            }
        }
        return parts + [Array(bytes[start...])]
    }

    /// The bytes as a DEFLATE stream of stored blocks (RFC 1951, 3.2.4), which needs no compressor.
    private static func packed(_ bytes: [UInt8]) -> [UInt8] {
        var packed: [UInt8] = []
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(0xFFFF)
            rest = rest.dropFirst(block.count)
            let (low, high) = (UInt8(block.count & 0xFF), UInt8(block.count >> 8))
            packed += [rest.isEmpty ? 1 : 0, low, high, ~low, ~high] + block
        } while !rest.isEmpty
        return packed
    }

    // MARK: Lines

    private static func lines(_ bytes: [UInt8]) -> [Line] {
        bytes.split(separator: 0x0A).prefix(mostLines).compactMap { line in
            let words = line.split(separator: 0x20, omittingEmptySubsequences: false).map(Array.init)
            guard words.count > 1 else { return nil }
            let name = String(decoding: words[1], as: UTF8.self)
            let rest = Array(words.dropFirst(2))
            switch words[0] {
            case [UInt8(ascii: "E")]: return .entity(words.dropFirst().prefix(4).map(value))
            case [UInt8(ascii: "T")]:
                let columns = stride(from: 0, to: rest.count - 1, by: 2).prefix(60).map { place in
                    (String(decoding: rest[place], as: UTF8.self), String(decoding: rest[place + 1], as: UTF8.self))
                }
                return .table(name: name, columns: columns)
            case [UInt8(ascii: "I")]:
                return .index(table: name, column: String(decoding: rest.first ?? [], as: UTF8.self))
            case [UInt8(ascii: "R")]: return .row(table: name, values: rest.prefix(60).map(value))
            default: return nil
            }
        }
    }

    private static func value(_ word: [UInt8]) -> Value {
        let text = String(decoding: word, as: UTF8.self)
        if text == "n" { return .null }
        if let number = Int64(text) { return .integer(number) }
        if let number = Double(text) { return .real(number) }
        if word.first == UInt8(ascii: "x"), let bytes = bytes(ofHexadecimal: word.dropFirst()) { return .blob(bytes) }
        return .text(word.first == UInt8(ascii: "'") ? Array(word.dropFirst()) : word)
    }

    private static func bytes(ofHexadecimal digits: ArraySlice<UInt8>) -> [UInt8]? {
        guard digits.count.isMultiple(of: 2) else { return nil }
        let digits = digits.map { Character(UnicodeScalar($0)).hexDigitValue }
        var bytes: [UInt8] = []
        for place in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[place], let low = digits[place + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }
}
