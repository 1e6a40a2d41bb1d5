package import Foundation

/// A value of a preferences file, written and read with Foundation in the role of the app.
package indirect enum Preference: Equatable, Sendable {
    case bool(Bool)
    case integer(Int)
    case real(Double)
    case string(String)
    case date(Date)
    case data(Data)
    case array([Preference])
    case dictionary([String: Preference])

    /// How a file is written.
    package enum Format: CaseIterable, Sendable {
        case binary, xml, json
    }

    /// The bytes of a file; JSON can't represent every value.
    package static func write(_ values: [String: Preference], as format: Format) throws -> [UInt8] {
        let object = values.mapValues { $0.object(format) }
        switch format {
        case .binary:
            return Array(try PropertyListSerialization.data(fromPropertyList: object, format: .binary, options: 0))
        case .xml: return Array(try PropertyListSerialization.data(fromPropertyList: object, format: .xml, options: 0))
        case .json: return Array(try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys]))
        }
    }

    /// The keys and values of a property list.
    package static func read(_ bytes: [UInt8]) throws -> [String: Preference] {
        let object = try PropertyListSerialization.propertyList(from: Data(bytes), options: [], format: nil)
        guard case .dictionary(let values)? = Preference(object) else { return [:] }
        return values
    }

    /// A list as `NSKeyedArchiver` writes it.
    package static func keyedArchive(_ items: [String]) throws -> Preference {
        let list = NSArray(array: items.map { NSString(string: $0) })
        return .data(try NSKeyedArchiver.archivedData(withRootObject: list, requiringSecureCoding: false))
    }

    /// A list as JSON text.
    package static func jsonText(_ items: [String]) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: items), as: UTF8.self)
    }

    private func object(_ format: Format) -> Any {
        switch self {
        case .bool(let flag): flag
        case .integer(let number): number
        case .real(let number): number
        case .string(let text): text
        case .date(let date): format == .json ? date.ISO8601Format() as Any : date
        case .data(let bytes): format == .json ? String(decoding: bytes, as: UTF8.self) as Any : bytes
        case .array(let items): items.map { $0.object(format) }
        case .dictionary(let pairs): pairs.mapValues { $0.object(format) }
        }
    }

    private init?(_ object: Any) {
        switch object {
        case let text as String: self = .string(text)
        case let date as Date: self = .date(date)
        case let bytes as Data: self = .data(bytes)
        case let items as [Any]: self = .array(items.compactMap(Preference.init))
        case let pairs as [String: Any]: self = .dictionary(pairs.compactMapValues(Preference.init))
        case let number as NSNumber:
            // On Linux the type that a boolean was encoded with identifies it.
            let kind = String(cString: number.objCType)
            self =
                kind == "c" || kind == "B"
                ? .bool(number.boolValue)
                : kind == "d" || kind == "f" ? .real(number.doubleValue) : .integer(number.intValue)
        default: return nil
        }
    }
}
