internal import GodwitModel
internal import GodwitPropertyList

/// Looks up a setting's value map: the value to store for a legacy value.
///
/// The lookup compares the text first, then the number (`2.0` is 2), then the boolean: `true`, 1, 1.0 and "YES" are
/// equal, because property lists, JSON and encoders differ in how they keep a `Bool`.
struct ValueMap {
    enum Target {
        case found(ManifestValue)
        /// The map does not have the value, or has several values for what may be one boolean.
        case unlisted(String)
        /// A value that is not scalar cannot be in a map.
        case none(String)
    }

    private let mappings: [ValueMapping]

    init(_ mappings: [ValueMapping]) { self.mappings = mappings }

    func target(of value: LegacyValue) -> Target {
        guard let text = value.mappingText else {
            return .none("\(value.typeNameWithArticle) can't be looked up in the value map")
        }
        let exact = mappings.first {
            $0.from.utf8.elementsEqual(text.utf8) || $0.spelling.utf8.elementsEqual(text.utf8)
        }
        if let exact { return .found(exact.to) }
        let alike = equalNumbers(value, text) + equalBooleans(value)
        guard let first = alike.first else { return .unlisted("its value is not in the value map") }
        guard alike.allSatisfy({ $0.to == first.to }) else {
            return .unlisted("its value is a boolean that the value map has several values for")
        }
        return .found(first.to)
    }

    private func equalNumbers(_ value: LegacyValue, _ text: String) -> [ValueMapping] {
        switch value {
        case .integer, .bigInteger, .real:
            guard let number = DecimalText(text) else { return [] }
            return mappings.filter { DecimalText($0.from) == number }
        default: return []
        }
    }

    private func equalBooleans(_ value: LegacyValue) -> [ValueMapping] {
        guard let truth = value.truth else { return [] }
        return mappings.filter { LegacyValue.string($0.from).truth == truth }
    }
}

extension LegacyValue {
    /// The boolean of a value: `true`, 1, 1.0, and text that says so; nil for any other value.
    var truth: Bool? {
        switch self {
        case .bool(let flag): return flag
        case .integer(0), .real(0): return false
        case .integer(1), .real(1): return true
        case .string(let text):
            switch text.lowercased() {
            case "true", "yes", "1", "1.0": return true
            case "false", "no", "0", "0.0": return false
            default: return nil
            }
        default: return nil
        }
    }

    /// The text that is looked up in a value map; nil for a value that is not scalar.
    var mappingText: String? {
        switch self {
        case .string(let text): text
        case .bool(let flag): flag ? "true" : "false"
        case .integer(let number): String(number)
        case .bigInteger(let digits): digits
        case .real(let number): String(number)
        default: nil
        }
    }
}
