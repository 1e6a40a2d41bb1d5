package import GodwitModel

/// The values that a column's declared type expects.
package enum DeclaredType: Sendable, Equatable, CaseIterable {
    case text, integer, real, blob, numeric
    /// No type: any value unchanged.
    case any
    /// A name with `BOOL` and without its own affinity: integers 0 and 1.
    case boolean
    /// A name with `DATE` or `TIME` and without its own affinity: ISO 8601 text.
    case date

    /// Reads a declared type as SQLite does, by parts of its name in a fixed order, then with two rules of Godwit.
    ///
    /// Source: <https://sqlite.org/datatype3.html#determination_of_column_affinity>. For SQLite, `BOOL` and `DATE` mean
    /// NUMERIC; developers who write them mean something narrower.
    package init(_ declared: String) {
        let name = declared.uppercased()
        func has(_ part: String) -> Bool { name.contains(part) }
        if has("INT") {
            self = .integer
        } else if has("CHAR") || has("CLOB") || has("TEXT") {
            self = .text
        } else if name.allSatisfy({ $0 == " " }) {
            self = .any
        } else if has("BLOB") {
            self = .blob
        } else if has("REAL") || has("FLOA") || has("DOUB") {
            self = .real
        } else if has("BOOL") {
            self = .boolean
        } else if has("DATE") || has("TIME") {
            self = .date
        } else {
            self = .numeric
        }
    }

    /// The name of such a column in reasons.
    var columnName: String {
        switch self {
        case .text: "a text column"
        case .integer: "an integer column"
        case .real: "a real column"
        case .blob: "a blob column"
        case .numeric: "a numeric column"
        case .any: "a column without a type"
        case .boolean: "a boolean column"
        case .date: "a date column"
        }
    }
}

extension SchemaShape {
    /// The type that a column expects; any value if there is no such column.
    ///
    /// In a STRICT table, ANY keeps values unchanged: <https://sqlite.org/stricttables.html>.
    package func declaredType(of column: String, in table: String) -> DeclaredType {
        guard let table = self.table(named: table), let column = table.column(named: column) else { return .any }
        return table.isStrict && column.type.uppercased() == "ANY" ? .any : DeclaredType(column.type)
    }
}
