package import GodwitModel

extension EntityTable {
    /// The key that a singleton's one record has, as the key column stores it; nil for all other entities.
    ///
    /// SQLite turns text that looks like a number into one where the column has a numeric affinity; compared with the
    /// manifest's text, such a key would look wrong for ever. Rules of affinity: <https://sqlite.org/datatype3.html>.
    package var fixedKey: Value? {
        guard let text = entity.singleton else { return nil }
        let type = shape.column(named: entity.key)?.type.uppercased() ?? ""
        let isNumeric =
            if type.contains("INT") { true } else if ["CHAR", "CLOB", "TEXT"].contains(where: type.contains) {
                false
            } else { !type.isEmpty && !type.contains("BLOB") && !(shape.isStrict && type == "ANY") }
        guard isNumeric else { return .string(text) }
        let isReal = !type.contains("INT") && ["REAL", "FLOA", "DOUB"].contains(where: type.contains)
        if let number = Int64(text) { return isReal ? .real(Double(number)) : .integer(number) }
        guard let number = Self.number(text) else { return .string(text) }
        // `1.0` and `1e3` are whole numbers to all columns but those of reals, which know no -0.0 either.
        if !isReal, let whole = Int64(exactly: number), whole > .min { return .integer(whole) }
        return .real(number == 0 ? 0 : number)
    }

    /// A text that SQLite takes for a number: decimal, with or without space around it.
    ///
    /// `inf`, `nan` and other bases are text to it.
    private static func number(_ text: String) -> Double? {
        let parts = text.utf8.split { $0 == 0x20 || (0x09...0x0D).contains($0) }
        guard parts.count == 1 else { return nil }
        let digits = Array(parts[0])
        guard digits.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return nil }
        return Double(String(decoding: digits, as: UTF8.self))
    }
}
