internal import GodwitModel

/// A favorite's key as its column stores it.
///
/// The rules for settings apply, with one exception: a key must be exact, so a number that a real can only approximate
/// is rejected.
enum FavoriteKey {
    /// The stored value, and whether its type or spelling differs from the item's.
    case taken(Value, isCoerced: Bool)
    /// The column cannot hold the key, with the reason.
    case refused(String)

    init(_ favorite: LegacyFavorite, in type: DeclaredType) {
        switch SettingCoercion.coerce(.string(favorite.key), into: type) {
        case .exact(let value): self = .taken(value, isCoerced: favorite.coercedFrom != nil)
        case .coerced(let value, _, _):
            if type.isNumeric, !Self.isSame(favorite.key, value) {
                self = .refused("string of digits that no number equals")
            } else if favorite.isInteger, case .integer(let number) = value, String(number) == favorite.key {
                self = .taken(value, isCoerced: false)
            } else {
                // In a column of reals, zero has no sign; one key must not become two.
                self = .taken(value == .real(-0.0) ? .real(0) : value, isCoerced: true)
            }
        case .unsupported(let reason):
            let isLarge = favorite.isInteger && Int64(favorite.key) == nil
            self = .refused(isLarge ? SettingCoercion.tooLarge : reason)
        }
    }

    private static func isSame(_ text: String, _ value: Value) -> Bool {
        guard let written = DecimalText(text) else { return false }
        return written == DecimalText(value)
    }
}

extension DeclaredType {
    /// Whether the column converts text that looks like a number.
    fileprivate var isNumeric: Bool {
        switch self {
        case .integer, .real, .numeric, .date: true
        case .text, .blob, .any, .boolean: false
        }
    }
}

extension DecimalText {
    /// An integer, or a real in its shortest form; nil for other values.
    fileprivate init?(_ value: Value) {
        switch value {
        case .integer(let number): self.init(String(number))
        case .real(let number): self.init(String(number))
        case .null, .text, .blob: return nil
        }
    }
}
