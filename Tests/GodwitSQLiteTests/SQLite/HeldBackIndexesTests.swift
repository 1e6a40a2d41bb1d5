import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Testing

/// The indexes of a new store are made after its records.
struct HeldBackIndexesTests {
    private static let schema = """
        CREATE TABLE "a table"(id TEXT PRIMARY KEY, "a column" TEXT COLLATE NOCASE, n INTEGER);
        CREATE INDEX plain ON "a table"("a column");
        CREATE UNIQUE INDEX single ON "a table"(n);
        CREATE INDEX "odd "" name" ON "a table"(n DESC, "a column" COLLATE BINARY);
        CREATE INDEX part ON "a table"(n) WHERE n > 3;
        CREATE INDEX made ON "a table"(n + 1);
        CREATE TABLE other(id PRIMARY KEY, at) WITHOUT ROWID;
        CREATE INDEX last ON other(at);
        """

    /// Runs a body in a transaction of a new store.
    private func inStore(
        _ sql: String, _ body: (SQLiteConnection) throws(GodwitError) -> Void
    ) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try SampleStore.make(folder["a.store"], sql)
        let writer = try StoreWriter(existing: folder["a.store"], name: "a", stage: .import, context: .sample())
        try writer.transaction(.import) { store throws(GodwitError) in try body(store) }
        try writer.close(.import)
        return folder
    }

    private func schema(_ store: SQLiteConnection) throws(GodwitError) -> Set<[Value]> {
        Set(try store.rows("SELECT type, name, tbl_name, sql FROM main.sqlite_schema"))
    }

    @Test("indexes that accept any record are removed and later created again unchanged")
    func takenOut() throws {
        var (before, between, after): (Set<[Value]>, Set<[Value]>, Set<[Value]>) = ([], [], [])
        let folder = try inStore(Self.schema) { store throws(GodwitError) in
            before = try schema(store)
            let indexes = try HeldBackIndexes(store)
            between = try schema(store)
            #expect(indexes.names == ["plain", "odd \" name", "last"])
            try store.execute("INSERT INTO \"a table\" VALUES ('1', 'B', 7), ('2', 'a', 3), ('3', NULL, NULL)")
            try store.execute("INSERT INTO other VALUES (1, 2), (2, 1)")
            try indexes.putBack(into: store)
            after = try schema(store)
        }
        #expect(before.subtracting(between).count == 3)
        #expect(between.isSubset(of: before))
        #expect(after == before)
        let snapshot = try StoreSnapshot(of: folder["a.store"], name: "a", stage: .import, context: .sample())
        #expect(try snapshot.connection.rows("PRAGMA integrity_check") == [[.string("ok")]])
        let order = "SELECT id FROM \"a table\" INDEXED BY plain WHERE \"a column\" > '' ORDER BY \"a column\""
        #expect(try snapshot.connection.rows(order) == [[.string("2")], [.string("1")]])
    }

    @Test("if a trigger remains that might name an index, all indexes stay")
    func trigger() throws {
        let trigger = "CREATE TRIGGER t AFTER INSERT ON other BEGIN UPDATE \"a table\" SET n = n; END;"
        _ = try inStore(Self.schema + trigger) { store throws(GodwitError) in
            let before = try schema(store)
            let indexes = try HeldBackIndexes(store)
            #expect(indexes.names == [])
            #expect(try schema(store) == before)
            try indexes.putBack(into: store)
            #expect(try schema(store) == before)
        }
    }

    @Test("without space for an index, both folders that may be full are named, and nothing is committed")
    func noSpace() throws {
        let error = failure {
            _ = try inStore(Self.schema) { store throws(GodwitError) in
                let indexes = try HeldBackIndexes(store)
                for number in 1...200 {
                    try store.execute(
                        "INSERT INTO \"a table\" VALUES (?, printf('%.200c', 'x'), ?)",
                        [.string("\(number)"), .integer(Int64(number))])
                }
                let pages = try store.first("PRAGMA page_count")?.readable ?? ""
                try store.execute("PRAGMA max_page_count = \(pages)")
                try indexes.putBack(into: store)
            }
        }
        #expect(error?.code == .io)
        #expect(error?.message == "no space left to build the index plain of `a`")
        #expect(error?.hint?.contains("TMPDIR") == true)
    }

    @Test("a store without indexes has none to delay")
    func none() throws {
        _ = try inStore("CREATE TABLE a(id PRIMARY KEY)") { store throws(GodwitError) in
            let indexes = try HeldBackIndexes(store)
            #expect(indexes.names == [])
            try indexes.putBack(into: store)
        }
    }
}
