package import GodwitModel

/// Converts values by the affinity of columns only.
///
/// The values pass through a table in memory without constraints, triggers and defaults, so SQLite itself converts
/// them: <https://sqlite.org/datatype3.html#type_affinity>.
package enum PlainTable {
    /// The rows as columns with these affinities store them, in the same order.
    package static func stored(
        _ rows: [[Value]], in columns: [ColumnAffinity], stage: GodwitError.Stage
    ) throws(GodwitError) -> [[Value]] {
        let store = try MemoryStore(stage: stage)
        let names = columns.indices.map { "c\($0)" }
        let declarations = zip(names, columns).map { "\($0) \($1.typeName)" }.joined(separator: ", ")
        try store.connection.execute("CREATE TABLE plain(\(declarations))")
        let parameters = names.map { _ in "?" }.joined(separator: ", ")
        let insertion = try store.connection.prepare("INSERT INTO plain VALUES (\(parameters))")
        for row in rows {
            try insertion.bind(row)
            try insertion.run()
        }
        return try store.connection.rows("SELECT \(names.joined(separator: ", ")) FROM plain ORDER BY rowid")
    }

    /// One value as a column with this affinity stores it.
    package static func stored(
        _ value: Value, in affinity: ColumnAffinity, stage: GodwitError.Stage
    ) throws(GodwitError) -> Value {
        if let known = known(value, in: affinity) { return known }
        return try stored([[value]], in: [affinity], stage: stage).first?.first ?? value
    }

    /// The same if no conversion by SQLite is necessary, as for nearly all keys; otherwise nil.
    private static func known(_ value: Value, in affinity: ColumnAffinity) -> Value? {
        switch (affinity, value) {
        case (.blob, _), (_, .null), (_, .blob), (.text, .text), (.integer, .integer), (.numeric, .integer):
            return value
        case (.text, .integer(let number)): return .string("\(number)")
        case (.real, .integer(let number)): return .real(Double(number))
        case (_, .real(let number)): return affinity.keeps(real: number) ? value : nil
        case (_, .text(let bytes)):
            if bytes.withUnsafeBytes({ affinity.keeps(text: $0) }) { return value }
            let text = String(decoding: bytes, as: UTF8.self)
            guard affinity != .real, let number = Int64(text), "\(number)" == text else { return nil }
            return .integer(number)
        }
    }
}
