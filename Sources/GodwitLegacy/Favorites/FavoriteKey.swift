internal import GodwitModel

/// A favourite's key as its column stores it.
///
/// As settings are coerced, but for one thing: a key is an identity, so a number that a real can only come near is refused.
enum FavoriteKey {
    /// The stored value, and whether its type or spelling is another than the item's.
    case taken(Value, isCoerced: Bool)
    /// The column can't hold it, with the reason.
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
                // Zero has no sign in a column for reals, and one key must not become two.
                self = .taken(value == .real(-0.0) ? .real(0) : value, isCoerced: true)
            }
        case .unsupported(let reason):
            let isLarge = favorite.isInteger && Int64(favorite.key) == nil
            self = .refused(isLarge ? SettingCoercion.tooLarge : reason)
        }
    }

    /// Whether the text is the very number, to its last digit.
    private static func isSame(_ text: String, _ value: Value) -> Bool {
        guard let written = DecimalText(text) else { return false }
        return written == DecimalText(value)
    }
}

extension DeclaredType {
    /// Whether what looks like a number becomes one.
    fileprivate var isNumeric: Bool {
        switch self {
        case .integer, .real, .numeric, .date: true
        case .text, .blob, .any, .boolean: false
        }
    }
}

extension DecimalText {
    /// An integer or a real in the shortest form that reads back to the same; nil for all else.
    fileprivate init?(_ value: Value) {
        switch value {
        case .integer(let number): self.init(String(number))
        case .real(let number): self.init(String(number))
        case .null, .text, .blob: return nil
        }
    }
}
