internal import GodwitFiles
package import GodwitModel

/// Converts values of a Core Data store.
package enum CoreDataValue {
    /// A converted value; a value that cannot be converted stays as it is stored.
    package struct Converted {
        package let value: Value
        package let isConverted: Bool
        /// Whether a date lost precision below milliseconds.
        package let isRounded: Bool

        init(_ value: Value, _ isConverted: Bool, isRounded: Bool = false) {
            (self.value, self.isConverted, self.isRounded) = (value, isConverted, isRounded)
        }
    }

    /// Converts dates, identifiers, booleans and numbers; other code handles external data and archives.
    package static func converted(_ value: Value, to encoding: SourceEncoding?) -> Converted {
        guard let encoding, value != .null else { return Converted(value, true) }
        switch encoding {
        case .uuid: return uuid(value)
        case .bool: return bool(value)
        case .decimal: return decimal(value)
        case .iso8601, .unixSeconds, .unixMilliseconds, .coreData:
            switch value {
            case .integer, .real:
                // Core Data's own dates are not converted to an instant and back, which might lose a bit.
                if encoding == .coreData { return Converted(value, true) }
                guard let instant = Instant(value, as: .coreData), instant.hasFourDigitYear else {
                    return Converted(value, false)
                }
                let isExact = encoding == .unixSeconds || instant == instant.roundedToMillisecond
                return Converted(instant.value(as: encoding.instant), true, isRounded: !isExact)
            default: return Converted(value, false)
            }
        case .externalData, .keyedArchive: return Converted(value, true)
        }
    }

    private static func uuid(_ value: Value) -> Converted {
        guard case .blob(let bytes) = value, bytes.count == 16 else {
            if case .text(let text) = value { return Converted(value, text.count == 36) }
            return Converted(value, false)
        }
        let digits = Array("0123456789ABCDEF".utf8)
        var text: [UInt8] = []
        for (place, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(place) { text.append(UInt8(ascii: "-")) }
            text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return Converted(.text(text), true)
    }

    private static func bool(_ value: Value) -> Converted {
        switch value {
        case .integer(let number): Converted(.integer(number == 0 ? 0 : 1), true)
        case .real(let number): Converted(.integer(number == 0 ? 0 : 1), true)
        default: Converted(value, false)
        }
    }

    private static func decimal(_ value: Value) -> Converted {
        switch value {
        case .integer(let number): Converted(.string(String(number)), true)
        case .real(let number):
            number.isFinite ? Converted(.string(plain(number)), true) : Converted(value, false)
        case .text: Converted(value, true)
        default: Converted(value, false)
        }
    }

    /// The shortest decimal that reads back as the same number, without an exponent and without `.0`.
    static func plain(_ number: Double) -> String {
        var text = "\(number)"
        let isNegative = text.hasPrefix("-")
        if isNegative { text.removeFirst() }
        var exponent = 0
        if let place = text.firstIndex(where: { $0 == "e" || $0 == "E" }) {
            exponent = Int(text[text.index(after: place)...]) ?? 0
            text = String(text[..<place])
        }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        var whole = Array((parts.first ?? "0").utf8)
        var fraction = parts.count > 1 ? Array(parts[1].utf8) : []
        while exponent > 0 {
            whole.append(fraction.isEmpty ? 0x30 : fraction.removeFirst())
            exponent -= 1
        }
        while exponent < 0 {
            fraction.insert(whole.popLast() ?? 0x30, at: 0)
            exponent += 1
        }
        while fraction.last == 0x30 { fraction.removeLast() }
        while whole.count > 1, whole.first == 0x30 { whole.removeFirst() }
        if whole.isEmpty { whole = [0x30] }
        let body = CoreDataColumn.text(whole) + (fraction.isEmpty ? "" : "." + CoreDataColumn.text(fraction))
        return isNegative && body != "0" ? "-" + body : body
    }

    private static func escaped(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "%") }) else { return bytes }
        return bytes.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "/"): Array("%2F".utf8)
            case UInt8(ascii: "%"): Array("%25".utf8)
            default: [byte]
            }
        }
    }

    /// Several values as one text with `/` between them; NULL if one of them is NULL.
    ///
    /// A `/` in a text becomes `%2F` and a `%` becomes `%25`, so different lists give different texts.
    package static func joined(_ values: [Value]) -> Value {
        var text: [UInt8] = []
        for (place, value) in values.enumerated() {
            if place > 0 { text.append(UInt8(ascii: "/")) }
            switch value {
            case .null: return .null
            case .integer(let number): text += Array(String(number).utf8)
            case .real(let number): text += Array(plain(number).utf8)
            case .text(let bytes): text += escaped(bytes)
            case .blob(let bytes): text += Array(hexText(bytes).utf8)
            }
        }
        return .text(text)
    }
}
