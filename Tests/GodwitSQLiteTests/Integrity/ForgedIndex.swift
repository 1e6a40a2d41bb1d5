import GodwitModel
import GodwitSQLite
import GodwitTestSupport

/// A store with a table `T` and an index `J` on it whose entries were made from another table's records.
///
/// SQLite can't be asked to make a wrong index. So `J` is made on `S`, a copy of `T` that was changed first, and the
/// schema is edited to say that it is an index of `T`.
struct ForgedIndex {
    /// Columns of both tables, in SQL.
    var columns = "a, b"
    /// What stands behind the columns: `STRICT`, `WITHOUT ROWID`.
    var options = ""
    /// The columns that are stored, by name.
    var stored = "rowid, a, b"
    /// Records of `T`.
    var values: String
    /// What happens to `S` before the index is made.
    var change = ""
    /// The columns of the index as it is made, and as the schema says that it was.
    var made = "(a)"
    var declared: String?
    var isUnique = false
    /// Anything else, in the end; the schema can be edited.
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

/// What a check says of a store.
enum Verdict: Equatable, CustomStringConvertible {
    /// With the tables that were proven by scans.
    case sound(proven: [String])
    case damaged(String)

    /// - Parameter size: the bytes from which on a store is large: 0 for all, the greatest for none, which is SQLite's own
    ///   `integrity_check`.
    init(of path: String, largeFrom size: Int64) {
        do {
            let reader = try SQLiteReader(
                path: path, name: "forged", stage: .verify, busyMilliseconds: 0, cancellation: Cancellation())
            self = .sound(proven: try reader.checkIntegrity(largeFrom: size))
        } catch {
            self = .damaged(error.code == .data ? error.underlying ?? error.message : "\(error)")
        }
    }

    var isSound: Bool { if case .sound = self { true } else { false } }

    var description: String {
        switch self {
        case .sound(let proven): "sound, proven: \(proven)"
        case .damaged(let finding): finding
        }
    }
}
