/// How SQLite converts a value that is stored in a column: <https://sqlite.org/datatype3.html#type_affinity>.
package enum ColumnAffinity: Sendable, Equatable {
    case text, numeric, integer, real
    /// Values stay as they are. SQLite's page calls this affinity BLOB.
    case blob

    /// Applies the rules of section 3.1, in their order.
    package init(declaredType: String, isStrict: Bool) {
        let type = declaredType.uppercased()
        // In a STRICT table, ANY has no affinity: https://sqlite.org/stricttables.html
        if isStrict, type == "ANY" {
            self = .blob
        } else if type.contains("INT") {
            self = .integer
        } else if ["CHAR", "CLOB", "TEXT"].contains(where: type.contains) {
            self = .text
        } else if type.isEmpty || type.contains("BLOB") {
            self = .blob
        } else if ["REAL", "FLOA", "DOUB"].contains(where: type.contains) {
            self = .real
        } else {
            self = .numeric
        }
    }

    package var keepsIntegers: Bool { self != .text && self != .real }

    /// Whether a real number keeps every bit.
    ///
    /// Columns with a numeric or integer affinity turn whole reals into integers. Columns with the affinity REAL store
    /// whole reals as integers too, which loses the sign of zero.
    package func keeps(real: Double) -> Bool {
        switch self {
        case .blob: return true
        case .text: return false
        case .real: return real != 0 || real.sign == .plus
        case .numeric, .integer:
            guard real > -9_223_372_036_854_775_808.0, real < 9_223_372_036_854_775_807.0 else { return true }
            return real != real.rounded(.towardZero)
        }
    }

    /// Whether text stays text; columns for numbers convert text that looks like a number.
    package func keeps(text: UnsafeRawBufferPointer) -> Bool {
        self == .text || self == .blob || !text.looksLikeNumber
    }
}

extension ColumnShape {
    /// The affinity of this column in a STRICT table or in another table.
    package func affinity(inStrict isStrict: Bool) -> ColumnAffinity {
        ColumnAffinity(declaredType: type, isStrict: isStrict)
    }
}

extension UnsafeRawBufferPointer {
    /// Whether SQLite reads the whole text as a number: spaces, sign, digits with an optional point, exponent, spaces.
    ///
    /// Source: `sqlite3AtoF` in SQLite's util.c. Hexadecimal digits and words for infinity are not numbers.
    fileprivate var looksLikeNumber: Bool {
        var rest = self[...]
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
        func skipSign() { if let byte = rest.first, byte == 0x2B || byte == 0x2D { rest = rest.dropFirst() } }
        func skipDigits() -> Int {
            let before = rest.count
            rest = rest.drop(while: isDigit)
            return before - rest.count
        }
        rest = rest.drop(while: isBlank)
        skipSign()
        var digits = skipDigits()
        if rest.first == 0x2E {
            rest = rest.dropFirst()
            digits += skipDigits()
        }
        guard digits > 0 else { return false }
        if let byte = rest.first, byte == 0x65 || byte == 0x45 {
            rest = rest.dropFirst()
            skipSign()
            guard skipDigits() > 0 else { return false }
        }
        return rest.drop(while: isBlank).isEmpty
    }
}
