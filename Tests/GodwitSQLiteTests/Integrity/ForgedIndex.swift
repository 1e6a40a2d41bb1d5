import GodwitModel
import GodwitSQLite
import GodwitTestSupport

/// A store with a table `T` and an index `J` on it whose entries were made from another table's records.
///
/// SQLite can't be asked to make a wrong index. So `J` is made on `S`, a changed copy of `T`, and the schema is edited
/// to declare it as an index of `T`.
struct ForgedIndex {
    /// Columns of both tables, in SQL.
    var columns = "a, b"
    /// What follows the columns: `STRICT`, `WITHOUT ROWID`.
    var options = ""
    /// The columns that are stored, by name.
    var stored = "rowid, a, b"
    /// Records of `T`.
    var values: String
    /// The change of `S` before the index is made.
    var change = ""
    /// The columns of the real index, and those declared in the schema.
    var made = "(a)"
    var declared: String?
    var isUnique = false
    /// SQL that runs last and can edit the schema.
    var more = ""

    func make(at path: String, encoding: String? = nil) throws {
        try SampleStore.make(
            path, encoding: encoding,
            """
            PRAGMA synchronous=OFF;
            CREATE TABLE T(\(columns)) \(options); CREATE TABLE S(\(columns)) \(options);
            INSERT INTO T(\(stored)) VALUES \(values);
            INSERT INTO S(\(stored)) SELECT \(stored) FROM T;
            \(change);
            CREATE INDEX J ON S\(made);
            PRAGMA writable_schema=ON;
            UPDATE sqlite_schema SET tbl_name = 'T',
              sql = 'CREATE \(isUnique ? "UNIQUE" : "") INDEX J ON T\(declared ?? made)' WHERE name = 'J';
            \(more)
            """)
    }
}

/// The finding of a check; nil if there is none.
func finding(_ depth: IntegrityDepth, in path: String) -> String? {
    do {
        let reader = try SQLiteReader(
            path: path, name: "forged", stage: .verify, busyMilliseconds: 0, cancellation: Cancellation())
        try reader.checkIntegrity(depth)
        return nil
    } catch {
        return error.code == .data ? error.underlying ?? error.message : "\(error)"
    }
}
