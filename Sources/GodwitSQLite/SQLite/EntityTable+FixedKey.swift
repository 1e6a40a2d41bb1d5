package import GodwitModel

extension EntityTable {
    /// The key of a singleton's only record, as the key column stores it; nil for all other entities.
    ///
    /// SQLite converts text that looks like a number if the column has a numeric affinity. Compared with the manifest's
    /// text, the stored key would always seem wrong. Rules of affinity: <https://sqlite.org/datatype3.html>.
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
        // `1.0` and `1e3` become integers in all columns except those of reals, which have no -0.0 either.
        if !isReal, let whole = Int64(exactly: number), whole > .min { return .integer(whole) }
        return .real(number == 0 ? 0 : number)
    }

    /// The number that a text contains for SQLite: decimal, with optional spaces around it.
    ///
    /// `inf`, `nan` and other bases stay text.
    private static func number(_ text: String) -> Double? {
        let parts = text.utf8.split { $0 == 0x20 || (0x09...0x0D).contains($0) }
        guard parts.count == 1 else { return nil }
        let digits = Array(parts[0])
        guard digits.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return nil }
        return Double(String(decoding: digits, as: UTF8.self))
    }
}
