package import GodwitModel
internal import GodwitPropertyList

/// What becomes of a legacy value on its way into a column.
package enum SettingOutcome: Sendable, Equatable {
    /// The column takes it as it is.
    case exact(Value)
    /// The same in another type; both as a person reads them, for the ledger.
    case coerced(Value, from: String, to: String)
    /// It can't be stored without losing something, with the reason.
    case unsupported(String)
}

/// Turns legacy values into the values that columns want.
///
/// Pure, and never lossy but for fractions of a second.
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
/// Arrays, dictionaries, UIDs and null are never taken, nor integers beyond 64 bits except as text. What the table calls
/// exact leaves the column as it went in: SQLite's own conversion by affinity is done here, where the ledger sees it.
package enum SettingCoercion {
    /// A legacy value for a column of this declared type.
    package static func coerce(_ value: LegacyValue, intoColumnOfType declared: String) -> SettingOutcome {
        coerce(value, into: DeclaredType(declared))
    }

    /// A legacy value for a column of a kind.
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

    /// A value of the manifest for a column of a kind: by the same rules, but for its spelling, which text keeps.
    package static func coerce(given: ManifestValue, into type: DeclaredType) -> SettingOutcome {
        switch given.value {
        case .integer where type == .text, .bool where type == .text: .exact(.string(given.text))
        case .real(let number) where type == .text && number.isFinite: .exact(.string(given.text))
        default: coerce(given.value, into: type)
        }
    }

    /// What a column of a kind stores for a value of the manifest; nil where it can't hold it.
    static func stored(_ given: ManifestValue, in type: DeclaredType) -> Value? {
        switch coerce(given: given, into: type) {
        case .exact(let value), .coerced(let value, _, _): value
        case .unsupported: nil
        }
    }

    /// Why an integer is refused that is larger than any column's.
    static let tooLarge = "integer does not fit 64 bits signed"

    private static func string(_ text: String, into type: DeclaredType) -> SettingOutcome {
        let value = LegacyValue.string(text)
        switch type {
        case .text, .any: return .exact(.string(text))
        case .blob: return changed(value, .blob(Array(text.utf8)))
        case .integer:
            guard let number = wholeNumber(text) else { return .unsupported("string that is no 64-bit integer") }
            return changed(value, .integer(number))
        case .real:
            guard let number = decimalNumber(text) else { return .unsupported("string that is no number") }
            return changed(value, .real(number))
        case .numeric, .date:
            // What looks like a number, spaces around it included, SQLite turns into one whatever it loses.
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
            default: return .unsupported("string that is no boolean")
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

    /// Text keeps milliseconds, rounded to the nearest, integers the whole seconds of that, reals what a double can hold.
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
        // A string of digits that a double can only come near stays what it is.
        if text.utf8.isDecimalInteger { return Int64(text).flatMap { Double(exactly: $0) } }
        return number
    }

    /// What a NUMERIC column keeps of a real: SQLite turns one that equals a 64-bit integer into that integer.
    ///
    /// The least and greatest integers are left out, as in `sqlite3VdbeIntegerAffinity`.
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
    /// Without what `sqlite3Isspace` takes for space at either end.
    fileprivate var trimmingSpaces: Self {
        var rest = drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        while let last = rest.last, last == 0x20 || (0x09...0x0D).contains(last) { rest.removeLast() }
        return rest
    }
}
