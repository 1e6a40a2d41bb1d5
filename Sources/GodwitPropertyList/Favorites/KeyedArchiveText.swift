internal import GodwitJSON
internal import GodwitModel

/// Writes a keyed archive of plain values as JSON text: strings, numbers, dates, data, UUIDs, URLs, lists and
/// dictionaries of those; it creates no instances.
///
/// References are followed to a limited depth and counted, so that no archive can cause an endless loop or endless
/// growth. Dates are ISO 8601 text, data is base64 text. Source: Foundation, `NSKeyedArchiver`.
package enum KeyedArchiveText {
    private static let maxDepth = 32
    private static let maxObjects = 100_000

    /// The JSON text; nil if the bytes are not such an archive.
    package static func json(_ bytes: [UInt8]) -> [UInt8]? {
        let limits = LegacyLimits(bytes: 16 << 20, nodes: 200_000, depth: 64, content: 32 << 20)
        guard let pairs = try? LegacyDocument(bytes, limits: limits).root else { return nil }
        let root = LegacyValue.dictionary(pairs)
        guard KeyedArchive.isArchive(root), case .array(let objects)? = root["$objects"],
            case .dictionary(let top)? = root["$top"], case .uid(let first)? = top.first?.value
        else { return nil }
        var writer = Writer(objects: objects)
        guard writer.write(first, depth: 0) else { return nil }
        return writer.json.bytes
    }

    private struct Writer: ~Copyable {
        let objects: [LegacyValue]
        var json = JSONBuffer(capacity: 256)
        var count = 0

        /// Writes the object at an index; false if it cannot be written.
        mutating func write(_ index: UInt64, depth: Int) -> Bool {
            count += 1
            guard depth <= maxDepth, count <= maxObjects, json.bytes.count <= 32 << 20, index < UInt64(objects.count)
            else {
                return false
            }
            if index == 0 {
                json.append("null")
                return true
            }
            return write(objects[Int(index)], depth: depth)
        }

        private mutating func write(_ value: LegacyValue, depth: Int) -> Bool {
            switch value {
            case .bool(let truth): json.append(truth ? "true" : "false")
            case .integer(let number): json.append(digits: number)
            case .real(let number):
                guard number.isFinite else { return false }
                json.append(real: number)
            case .string(let text): json.append(string: text)
            case .data(let bytes): json.append(string: Base64.text(bytes))
            case .date(let instant): json.append(string: instant.iso8601)
            case .uid(let index): return write(index, depth: depth + 1)
            case .dictionary: return writeObject(value, depth: depth)
            case .null, .array, .bigInteger, .unheld: return false
            }
            return true
        }

        private mutating func writeObject(_ object: LegacyValue, depth: Int) -> Bool {
            // The same object may be read once for each reference.
            guard KeyedArchive.isSmall(object), case .uid(let index)? = object["$class"],
                index < UInt64(objects.count), KeyedArchive.isSmall(objects[Int(index)]),
                case .string(let name)? = objects[Int(index)]["$classname"]
            else { return false }
            switch name {
            case "NSString", "NSMutableString":
                return object["NS.string"].map { write($0, depth: depth) } ?? false
            case "NSData", "NSMutableData": return object["NS.data"].map { write($0, depth: depth) } ?? false
            case "NSURL": return object["NS.relative"].map { write($0, depth: depth) } ?? false
            case "NSUUID":
                guard case .data(let bytes)? = object["NS.uuidbytes"], bytes.count == 16 else { return false }
                json.append(string: Base64.identifier(bytes))
                return true
            case "NSDate":
                guard case .real(let seconds)? = object["NS.time"],
                    let instant = Instant(coreDataSeconds: seconds), instant.hasFourDigitYear
                else { return false }
                json.append(string: instant.iso8601)
                return true
            case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet":
                guard case .array(let items)? = object["NS.objects"] else { return false }
                return writeList(items, depth: depth)
            case "NSDictionary", "NSMutableDictionary": return writeDictionary(object, depth: depth)
            default: return false
            }
        }

        private mutating func writeList(_ items: [LegacyValue], depth: Int) -> Bool {
            json.append("[")
            for (index, item) in items.enumerated() {
                if index > 0 { json.append(",") }
                guard case .uid(let reference) = item, write(reference, depth: depth + 1) else { return false }
            }
            json.append("]")
            return true
        }

        private mutating func writeDictionary(_ object: LegacyValue, depth: Int) -> Bool {
            guard case .array(let keys)? = object["NS.keys"],
                case .array(let values)? = object["NS.objects"], keys.count == values.count
            else { return false }
            json.append("{")
            for (index, pair) in zip(keys, values).enumerated() {
                if index > 0 { json.append(",") }
                guard case .uid(let key) = pair.0, key > 0, key < UInt64(objects.count),
                    case .string(let name) = objects[Int(key)], case .uid(let value) = pair.1
                else { return false }
                json.append(string: name)
                json.append(":")
                guard write(value, depth: depth + 1) else { return false }
            }
            json.append("}")
            return true
        }
    }

    /// Bytes as text.
    private enum Base64 {
        private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

        /// RFC 4648, section 4.
        static func text(_ bytes: [UInt8]) -> String {
            var text: [UInt8] = []
            for start in stride(from: 0, to: bytes.count, by: 3) {
                let group = bytes[start..<min(start + 3, bytes.count)]
                var bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                bits <<= 8 * UInt32(3 - group.count)
                for index in 0..<4 {
                    let isPadding = index > group.count
                    text.append(isPadding ? UInt8(ascii: "=") : digits[Int(bits >> (18 - 6 * UInt32(index)) & 63)])
                }
            }
            return String(decoding: text, as: UTF8.self)
        }

        /// 16 bytes in the form of a UUID.
        static func identifier(_ bytes: [UInt8]) -> String {
            let hex = bytes.map { byte in
                let text = String(byte, radix: 16, uppercase: true)
                return text.count == 1 ? "0" + text : text
            }
            return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { hex[$0].joined() }.joined(separator: "-")
        }
    }
}
