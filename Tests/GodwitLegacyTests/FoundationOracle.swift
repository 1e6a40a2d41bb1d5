import GodwitModel
import Foundation

/// Foundation's property list reader and writer, used for valid files only.
enum FoundationOracle {
    static func write(_ value: LegacyValue, as format: LegacyFormat) throws -> [UInt8] {
        let object = object(value)
        if format == .json { return Array(try JSONSerialization.data(withJSONObject: object)) }
        let target: PropertyListSerialization.PropertyListFormat = format == .xml ? .xml : .binary
        return Array(try PropertyListSerialization.data(fromPropertyList: object, format: target, options: 0))
    }

    static func read(_ bytes: [UInt8]) throws -> NSDictionary? {
        try PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? NSDictionary
    }

    /// A value as Foundation objects.
    static func object(_ value: LegacyValue) -> Any {
        switch value {
        case .bool(let flag): return NSNumber(value: flag)
        case .integer(let number): return NSNumber(value: number)
        case .bigInteger(let digits): return UInt64(digits).map { NSNumber(value: $0) } ?? NSNull()
        case .real(let number): return NSNumber(value: number)
        case .string(let text): return text
        case .date(let date):
            return Date(
                timeIntervalSinceReferenceDate: Double(date.seconds - 978_307_200) + Double(date.attoseconds) * 1e-18)
        case .data(let bytes): return Data(bytes)
        case .array(let items): return items.map(object)
        case .dictionary(let pairs):
            var dictionary: [String: Any] = [:]
            for pair in pairs { dictionary[pair.key] = object(pair.value) }
            return dictionary
        case .uid, .null, .unheld: return NSNull()
        }
    }

    /// Values as apps store them, of all types that both formats have.
    static let samples: [LegacyValue] = [
        .dict([:]),
        .dict(["weightUnit": .string("lb")]),
        .dict(["a": .bool(true), "b": .bool(false), "c": .bool(true)]),
        .dict([
            "zero": .integer(0), "byte": .integer(200), "short": .integer(60_000), "long": .integer(4_000_000_000),
            "minus": .integer(-1), "least": .integer(.min), "most": .integer(.max),
        ]),
        .dict(["half": .real(0.5), "tenth": .real(0.1), "huge": .real(1.5e300), "small": .real(-2.5e-10)]),
        .dict(["infinite": .real(.infinity), "below": .real(-.infinity)]),
        .dict(["date": .date(Instant(seconds: 1_772_000_000)), "old": .date(Instant(seconds: -1_000_000_000))]),
        .dict(["empty": .data([]), "bytes": .data(Array(0...255))]),
        .dict(["text": .string("caffè <&> \"quoted\" ' tab\tnewline\n日本語 🏋️"), "empty": .string("")]),
        .dict(["list": .array([.string("squat"), .string("bench-press"), .integer(3), .array([]), .dict([:])])]),
        .dict(["outer": .dict(["inner": .dict(["list": .array([.dict(["deep": .bool(true)])])])])]),
        .dict(["日本": .string("キー"), "": .string("empty key"), "a&b<c>": .integer(1)]),
        .dict(["shared": .array(Array(repeating: .string("same"), count: 50))]),
        .dict([
            "text of fifteen": .string(String(repeating: "x", count: 15)),
            "long": .string(String(repeating: "é", count: 300)),
        ]),
        .dictionary((0..<300).map { LegacyPair(key: "key \($0)", value: .integer($0)) }),
    ]
}
