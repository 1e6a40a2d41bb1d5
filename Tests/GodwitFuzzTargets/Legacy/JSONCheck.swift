import GodwitModel
import GodwitPropertyList
import FoundationLite

/// The JSON reader: what it accepts is also JSON to Foundation, and reads back the same after it is written.
enum JSONCheck {
    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        let value: LegacyValue
        do throws(GodwitError) {
            value = try JSONReader.read(bytes)
        } catch {
            return try FuzzFinding.check(error, codes: [.data])
        }
        let size = value.measure(upTo: bytes.count)
        try require(!size.isCut, "more values than bytes")
        try require(size.depth <= LegacyLimits.standard.depth, "deeper than the limit")
        guard let text = LegacyWriter.json(value) else { throw FuzzFinding("a value that JSON can't hold") }
        let again = try accepting("refused when written again") { () throws(GodwitError) in try JSONReader.read(text) }
        try require(again == value, "written again it reads back as something else")
        // Near the limit that both have, Foundation counts levels differently.
        guard size.depth < 500 else { return }
        let tree: JSONTree
        do {
            tree = try JSONDecoder().decode(JSONTree.self, from: Data(bytes))
        } catch {
            throw FuzzFinding("Foundation takes it for no JSON: \(error)")
        }
        try require(tree.isSame(as: value), "Foundation reads another value")
    }
}

/// JSON as Foundation reads it.
private indirect enum JSONTree: Decodable {
    case null
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case string(String)
    case array([JSONTree])
    case object([String: JSONTree])
    /// A number that neither type can represent.
    case number

    init(from decoder: any Decoder) throws {
        if let object = try? decoder.container(keyedBy: Key.self) {
            self = .object(
                try object.allKeys.reduce(into: [:]) { members, key in
                    members[key.stringValue] = try object.decode(JSONTree.self, forKey: key)
                })
            return
        }
        if var list = try? decoder.unkeyedContainer() {
            var items: [JSONTree] = []
            while !list.isAtEnd { items.append(try list.decode(JSONTree.self)) }
            self = .array(items)
            return
        }
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let text = try? value.decode(String.self) {
            self = .string(text)
        } else if let flag = try? value.decode(Bool.self) {
            self = .bool(flag)
        } else if let number = try? value.decode(Int64.self) {
            self = .integer(number)
        } else if let number = try? value.decode(Double.self) {
            self = .real(number)
        } else {
            self = .number
        }
    }

    private struct Key: CodingKey {
        let stringValue: String
        let intValue: Int? = nil
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Whether this equals the value that Godwit read; keys that Swift's strings can't tell apart are left out.
    func isSame(as value: LegacyValue) -> Bool {
        switch (self, value) {
        case (.null, .null): return true
        case (.bool(let a), .bool(let b)): return a == b
        case (.integer(let a), .integer(let b)): return a == b
        // Foundation reads a whole real as an integer; beyond 2^53 it drops decimals to make it one.
        case (.integer(let a), .real(let b)): return Double(a) == b || abs(b) >= 9_007_199_254_740_992
        case (.real(let a), .real(let b)): return a == b
        case (.real, .bigInteger), (.number, .bigInteger): return true
        case (.string(let a), .string(let b)): return a.utf8.elementsEqual(b.utf8)
        case (.array(let a), .array(let b)): return a.count == b.count && zip(a, b).allSatisfy { $0.isSame(as: $1) }
        case (.object(let a), .dictionary(let b)):
            if Set(b.map(\.key)).count < b.count { return true }
            return a.count == b.count && b.allSatisfy { pair in a[pair.key]?.isSame(as: pair.value) ?? false }
        default: return false
        }
    }
}
