import GodwitModel
import Testing

struct ColumnShapeTests {
    static let types: [(written: String, shown: String)] = [
        ("integer", "INTEGER"), ("Integer", "INTEGER"), ("INTEGER", "INTEGER"), ("int", "INT"), ("text", "TEXT"),
        ("blob", "BLOB"), ("Real", "REAL"), ("any", "ANY"),
        // No other type is one of SQLite's six.
        ("", ""), ("bigint", "bigint"), ("Int8", "Int8"), ("text(20)", "text(20)"), ("varchar(9)", "varchar(9)"),
        ("unsigned integer", "unsigned integer"), ("date", "date"), ("double", "double"), (" text", " text"),
        ("\"text\"", "\"text\""),
        // Only ASCII is folded: in Unicode the upper case of the dotless ı is I, and ﬀ is two letters.
        ("ınt", "ınt"), ("ınteger", "ınteger"),
    ]

    @Test(
        "a declared type is in upper case for SQLite's six standard types, and as written for others", arguments: types)
    func shown(written: String, shown: String) {
        #expect(ColumnShape(name: "a", type: written).type == shown)
        #expect(
            ColumnShape(name: "a", type: written).affinity(inStrict: true)
                == ColumnAffinity(declaredType: written, isStrict: true))
    }

    @Test("columns whose standard types differ only in case are equal")
    func same() {
        #expect(ColumnShape(name: "a", type: "text") == ColumnShape(name: "a", type: "TEXT"))
        #expect(ColumnShape(name: "a", type: "date") != ColumnShape(name: "a", type: "DATE"))
    }
}
