package import GodwitModel
internal import GodwitPropertyList

/// The result of converting a legacy value for a column.
package enum SettingOutcome: Sendable, Equatable {
    /// The column holds the value unchanged.
    case exact(Value)
    /// The value with another type, with both as text for the key list.
    case coerced(Value, from: String, to: String)
    /// The value cannot be stored without a loss, with the reason.
    case unsupported(String)
}

/// Converts legacy values to the values that columns expect.
///
/// Pure, and without a loss except for fractions of a second.
///
/// | | TEXT | INTEGER | REAL | BLOB | NUMERIC | BOOL | DATE |
/// |---|---|---|---|---|---|---|---|
/// | string | exact | if an integer | if a number | bytes | number, else exact | `true`, `yes`, `1` … | exact |
/// | integer | digits | exact | if exact | no | exact | 0 and 1 | exact |
/// | real | digits | if whole | exact | no | exact | 0.0 and 1.0 | exact |
/// | boolean | `true` | exact | coerced | no | exact | exact | no |
/// | date | ISO 8601 | Unix s | Unix s | no | Unix s | no | ISO 8601 |
/// | data | no | no | no | exact | no | no | no |
///
/// Arrays, dictionaries, UIDs and null are never accepted, and integers beyond 64 bits only as text. A value called
/// exact is read from the column unchanged: conversions by SQLite's affinity are made here, where the key list shows
/// them.
package enum SettingCoercion {
    package static func coerce(_ value: LegacyValue, intoColumnOfType declared: String) -> SettingOutcome {
        coerce(value, into: DeclaredType(declared))
    }

    /// Converts a legacy value for a kind of column.
    package static func coerce(_ value: LegacyValue, into type: DeclaredType) -> SettingOutcome {
        switch value {
        case .string(let text): string(text, into: type)
        case .integer(let number): integer(number, into: type)
        case .bigInteger(let digits):
            type == .text ? changed(value, .string(digits)) : .unsupported(tooLarge)
        case .real(let number): real(number, into: type)
        case .bool(let flag): bool(flag, into: type)
        case .date(let date): self.date(date, into: type)
        case .data(let bytes): type == .blob || type == .any ? .exact(.blob(bytes)) : refused(value, type)
        case .array, .dictionary, .uid, .null: refused(value, type)
        case .unheld(let value): .unsupported(value.reason)
        }
    }

    /// Converts a value of the manifest by the same rules, except that text keeps its spelling.
    package static func coerce(given: ManifestValue, into type: DeclaredType) -> SettingOutcome {
        switch given.value {
        case .integer where type == .text, .bool where type == .text: .exact(.string(given.text))
        case .real(let number) where type == .text && number.isFinite: .exact(.string(given.text))
        default: coerce(given.value, into: type)
        }
    }

    /// The stored form of a manifest value in a kind of column; nil if the column cannot hold it.
    static func stored(_ given: ManifestValue, in type: DeclaredType) -> Value? {
        switch coerce(given: given, into: type) {
        case .exact(let value), .coerced(let value, _, _): value
        case .unsupported: nil
        }
    }

    /// The reason for rejecting an integer beyond 64 bits.
    static let tooLarge = "integer does not fit 64 bits signed"

    private static func string(_ text: String, into type: DeclaredType) -> SettingOutcome {
        let value = LegacyValue.string(text)
        switch type {
        case .text, .any: return .exact(.string(text))
        case .blob: return changed(value, .blob(Array(text.utf8)))
        case .integer:
            guard let number = wholeNumber(text) else { return .unsupported("string that is not a 64-bit integer") }
            return changed(value, .integer(number))
        case .real:
            guard let number = decimalNumber(text) else { return .unsupported("string that is not a number") }
            return changed(value, .real(number))
        case .numeric, .date:
            // SQLite converts text that looks like a number, also with spaces around it, even with a loss.
            let trimmed = String(Substring(text[...].utf8.trimmingSpaces))
            guard trimmed.utf8.dropFirst(trimmed.hasPrefix("-") || trimmed.hasPrefix("+") ? 1 : 0).isDecimalNumber
            else {
                return .exact(.string(text))
            }
            if let number = wholeNumber(trimmed) { return changed(value, .integer(number)) }
            guard let number = decimalNumber(trimmed) else {
                return .unsupported("string of digits that no number equals")
            }
            return changed(value, stored(number))
        case .boolean:
            switch text.lowercased() {
            case "true", "yes", "1": return changed(value, .integer(1))
            case "false", "no", "0": return changed(value, .integer(0))
            default: return .unsupported("string that is not a boolean")
            }
        }
    }

    private static func integer(_ number: Int64, into type: DeclaredType) -> SettingOutcome {
        let value = LegacyValue.integer(number)
        switch type {
        case .integer, .numeric, .date, .any: return .exact(.integer(number))
        case .text: return changed(value, .string(String(number)))
        case .real:
            guard let real = Double(exactly: number) else { return .unsupported("integer that no real equals") }
            return changed(value, .real(real))
        case .boolean:
            return number == 0 || number == 1 ? .exact(.integer(number)) : .unsupported("integer other than 0 and 1")
        case .blob: return refused(value, type)
        }
    }

    private static func real(_ number: Double, into type: DeclaredType) -> SettingOutcome {
        let value = LegacyValue.real(number)
        // SQLite has no NaN: it would store NULL.
        if number.isNaN { return .unsupported("NaN cannot be stored as a number") }
        switch type {
        case .real, .any: return .exact(.real(number))
        case .text: return number.isFinite ? changed(value, .string(String(number))) : .unsupported("infinity as text")
        case .integer:
            guard let whole = Int64(exactly: number) else {
                return .unsupported("real with a fraction or beyond 64 bits")
            }
            return changed(value, .integer(whole))
        case .numeric, .date:
            let kept = stored(number)
            return kept == .real(number) ? .exact(kept) : changed(value, kept)
        case .boolean:
            guard number == 0 || number == 1 else { return .unsupported("real other than 0 and 1") }
            return changed(value, .integer(number == 0 ? 0 : 1))
        case .blob: return refused(value, type)
        }
    }

    private static func bool(_ flag: Bool, into type: DeclaredType) -> SettingOutcome {
        let value = LegacyValue.bool(flag)
        switch type {
        case .integer, .boolean, .numeric, .any: return .exact(.integer(flag ? 1 : 0))
        case .text: return changed(value, .string(flag ? "true" : "false"))
        case .real: return changed(value, .real(flag ? 1 : 0))
        case .blob, .date: return refused(value, type)
        }
    }

    /// Text keeps milliseconds, rounded; integers keep the whole seconds of that; reals keep what a double can hold.
    private static func date(_ date: Instant, into type: DeclaredType) -> SettingOutcome {
        let value = LegacyValue.date(date)
        switch type {
        case .text, .date, .any: return .exact(.string(date.iso8601))
        case .integer: return changed(value, .integer(date.roundedToMillisecond.seconds))
        case .real: return changed(value, .real(date.unixSeconds))
        case .numeric: return changed(value, stored(date.unixSeconds))
        case .blob, .boolean: return refused(value, type)
        }
    }

    private static func wholeNumber(_ text: String) -> Int64? {
        text.utf8.isDecimalInteger ? Int64(text) : nil
    }

    private static func decimalNumber(_ text: String) -> Double? {
        let unsigned = text.utf8.dropFirst(text.hasPrefix("-") || text.hasPrefix("+") ? 1 : 0)
        guard unsigned.isDecimalNumber, let number = Double(text), number.isFinite else { return nil }
        // Digits that a double can only approximate are not converted.
        if text.utf8.isDecimalInteger { return Int64(text).flatMap { Double(exactly: $0) } }
        return number
    }

    /// The value that a NUMERIC column keeps for a real: SQLite converts a real that equals a 64-bit integer to that
    /// integer.
    ///
    /// The smallest and the largest integers are excluded, as in `sqlite3VdbeIntegerAffinity`.
    private static func stored(_ number: Double) -> Value {
        guard let whole = Int64(exactly: number), whole > .min else { return .real(number) }
        return .integer(whole)
    }

    private static func changed(_ value: LegacyValue, _ result: Value) -> SettingOutcome {
        .coerced(result, from: describe(value), to: describe(result))
    }

    private static func refused(_ value: LegacyValue, _ type: DeclaredType) -> SettingOutcome {
        .unsupported("\(value.typeNameWithArticle) can't be stored in \(type.columnName)")
    }

    private static func describe(_ value: LegacyValue) -> String {
        switch value {
        case .bool(let flag): "boolean \(flag)"
        case .integer(let number): "integer \(number)"
        case .bigInteger(let digits): "integer \(digits.escapedForMessage)"
        case .real(let number): "real \(number)"
        case .string(let text): "string \(text.escapedForMessage)"
        case .date(let date): "date \(date.iso8601)"
        case .data(let bytes): "data of \(bytes.count.counted("byte"))"
        case .array, .dictionary, .uid, .null, .unheld: value.typeName
        }
    }

    private static func describe(_ value: Value) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let number): "integer \(number)"
        case .real(let number): "real \(number)"
        case .text: "text \(value.readable.escapedForMessage)"
        case .blob(let bytes): "blob of \(bytes.count.counted("byte"))"
        }
    }
}

extension Substring.UTF8View {
    /// The text without space at either end, as `sqlite3Isspace` defines it.
    fileprivate var trimmingSpaces: Self {
        var rest = drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        while let last = rest.last, last == 0x20 || (0x09...0x0D).contains(last) { rest.removeLast() }
        return rest
    }
}
