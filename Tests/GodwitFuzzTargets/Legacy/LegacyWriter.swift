import GodwitModel

/// Writes values as XML property lists and as JSON, in the simplest way: an independent writer to check the readers.
///
/// Shares no code with the sources, on purpose.
enum LegacyWriter {
    /// Whether XML can represent a value so that it reads back the same.
    static func isWritableAsXML(_ value: LegacyValue) -> Bool {
        value.allSatisfy(keys: isXMLText) { value in
            switch value {
            case .string(let text): isXMLText(text)
            case .date(let date): date.attoseconds == 0
            case .uid(let number): number <= UInt64(Int64.max)
            case .dictionary(let pairs): !isReadAsReference(pairs)
            case .null, .unheld: false
            default: true
            }
        }
    }

    /// Whether a dictionary would be read as a reference of a keyed archive.
    private static func isReadAsReference(_ pairs: [LegacyPair]) -> Bool {
        guard pairs.count == 1, pairs[0].hasKey("CF$UID"), case .integer(let number) = pairs[0].value else {
            return false
        }
        return number >= 0
    }

    private static func isXMLText(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { $0.value >= 0x20 || [9, 10, 13].contains($0.value) }
    }

    /// An XML property list.
    static func xml(_ value: LegacyValue) -> [UInt8] {
        var text = "<plist>"
        append(value, to: &text)
        return Array((text + "</plist>").utf8)
    }

    private static func append(_ value: LegacyValue, to text: inout String) {
        switch value {
        case .bool(let flag): text += flag ? "<true/>" : "<false/>"
        case .integer(let number): text += "<integer>\(number)</integer>"
        case .bigInteger(let digits): text += "<integer>\(digits)</integer>"
        case .real(let number): text += "<real>\(number)</real>"
        case .string(let string): text += "<string>\(escaped(string))</string>"
        case .date(let date): text += "<date>\(date.iso8601.prefix(19))Z</date>"
        case .data(let bytes): text += "<data>\(base64(bytes))</data>"
        case .array(let items):
            text += "<array>"
            for item in items { append(item, to: &text) }
            text += "</array>"
        case .dictionary(let pairs):
            text += "<dict>"
            for pair in pairs {
                text += "<key>\(escaped(pair.key))</key>"
                append(pair.value, to: &text)
            }
            text += "</dict>"
        case .uid(let number): text += "<dict><key>CF$UID</key><integer>\(number)</integer></dict>"
        case .null, .unheld: break
        }
    }

    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "&", "<", ">", "\r": text += "&#\(scalar.value);"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    static func base64(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for index in 0..<4 {
                let digit = digits[Int(bits >> UInt32(18 - 6 * index)) & 63]
                text.append(index <= group.count ? digit : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// JSON; nil if the value can't be represented in it.
    static func json(_ value: LegacyValue) -> [UInt8]? {
        var text = ""
        return append(json: value, to: &text) ? Array(text.utf8) : nil
    }

    private static func append(json value: LegacyValue, to text: inout String) -> Bool {
        switch value {
        case .bool(let flag): text += flag ? "true" : "false"
        case .integer(let number): text += "\(number)"
        case .bigInteger(let digits): text += digits
        case .real(let number) where number.isFinite: text += "\(number)"
        case .string(let string): text += quoted(string)
        case .null: text += "null"
        case .array(let items):
            text += "["
            for (index, item) in items.enumerated() {
                text += index > 0 ? "," : ""
                guard append(json: item, to: &text) else { return false }
            }
            text += "]"
        case .dictionary(let pairs):
            text += "{"
            for (index, pair) in pairs.enumerated() {
                text += (index > 0 ? "," : "") + quoted(pair.key) + ":"
                guard append(json: pair.value, to: &text) else { return false }
            }
            text += "}"
        case .real, .date, .data, .uid, .unheld: return false
        }
        return true
    }

    /// Escapes every unit that is not plain ASCII, so that surrogate pairs are read as well.
    private static func quoted(_ text: String) -> String {
        let units = text.utf16.map { unit in
            if unit >= 0x20, unit < 0x7F, unit != 0x22, unit != 0x5C { return String(UnicodeScalar(UInt8(unit))) }
            let digits = String(unit, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
        return "\"" + units.joined() + "\""
    }
}
