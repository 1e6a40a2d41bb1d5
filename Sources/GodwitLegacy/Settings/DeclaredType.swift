/// What a column's declared type says about the values it wants.
package enum DeclaredType: Sendable, Equatable, CaseIterable {
    case text, integer, real, blob, numeric
    /// No type at all: any value as it is.
    case any
    /// A name with `BOOL` and no affinity of its own: integers 0 and 1.
    case boolean
    /// A name with `DATE` or `TIME` and no affinity of its own: ISO 8601 text.
    case date

    /// Reads a declared type as SQLite does, by parts of its name in a fixed order, with two readings of Godwit's own last.
    ///
    /// Source: <https://sqlite.org/datatype3.html#determination_of_column_affinity>. `BOOL` and `DATE` mean NUMERIC to
    /// SQLite; people who write them mean something narrower.
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

    /// The type's name in reasons.
    var name: String {
        switch self {
        case .text: "text"
        case .integer: "integer"
        case .real: "real"
        case .blob: "blob"
        case .numeric: "numeric"
        case .any: "untyped"
        case .boolean: "boolean"
        case .date: "date"
        }
    }
}
