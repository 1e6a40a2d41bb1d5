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
        guard isNumeric, let number = Int64(text) else { return .string(text) }
        let isReal = !type.contains("INT") && ["REAL", "FLOA", "DOUB"].contains(where: type.contains)
        return isReal ? .real(Double(number)) : .integer(number)
    }
}
