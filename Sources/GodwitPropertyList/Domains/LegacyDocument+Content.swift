internal import GodwitModel

extension LegacyDocument {
    /// Bytes that are equal if, and only if, types and values are: they depend on no format and no order of objects.
    ///
    /// Each value has a tag, and all that varies in size has its size first. It works without recursion, however deep the
    /// values are.
    package var contentBytes: [UInt8] { ContentBytes(of: .dictionary(root)).bytes }

    /// Keys whose values differ between two documents, sorted by bytes; nil is a document without keys.
    package static func keysThatDiffer(_ one: LegacyDocument?, _ other: LegacyDocument?) -> [String] {
        var before = Dictionary((one?.root ?? []).map { (Array($0.key.utf8), $0) }) { first, _ in first }
        var keys: [String] = []
        for pair in other?.root ?? [] {
            let found = before.removeValue(forKey: Array(pair.key.utf8))
            if found?.contentBytes != pair.contentBytes { keys.append(pair.key) }
        }
        return (keys + before.values.map(\.key)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}

extension LegacyPair {
    fileprivate var contentBytes: [UInt8] { ContentBytes(of: value).bytes }
}

private struct ContentBytes {
    var bytes: [UInt8] = []

    init(of value: LegacyValue) {
        var open = [value]
        while let value = open.popLast() {
            append(value)
            switch value {
            case .array(let items): open += items.reversed()
            case .dictionary(let pairs):
                for pair in pairs.sortedByKey.reversed() { open += [pair.value, .string(pair.key)] }
            default: continue
            }
        }
    }

    /// The value itself; of an array or a dictionary, only how many entries follow.
    private mutating func append(_ value: LegacyValue) {
        switch value {
        case .bool(let flag): append("b", [flag ? 1 : 0])
        case .integer(let number): append("i", "\(number)".utf8)
        case .bigInteger(let digits): append("i", digits.utf8)
        case .real(let number): append("r", "\(number.bitPattern)".utf8)
        case .string(let text): append("s", text.utf8)
        case .date(let instant): append("d", "\(instant.seconds).\(instant.attoseconds)".utf8)
        case .data(let data): append("x", data)
        case .array(let items): append("a", count: items.count)
        case .dictionary(let pairs): append("m", count: pairs.count)
        case .uid(let number): append("u", "\(number)".utf8)
        case .null: append("n", [])
        case .unheld(let value): append("?", value.bytes)
        }
    }

    private mutating func append(_ tag: Character, count: Int) { bytes += Array("\(tag)\(count):".utf8) }

    private mutating func append(_ tag: Character, _ content: some Collection<UInt8>) {
        append(tag, count: content.count)
        bytes += content
    }
}
