import GodwitModel
import GodwitSQLite
import GodwitTestSupport
import Testing

/// The conflict clauses of tables and triggers, together with Godwit's own statements.
struct ConflictClausesTests {
    private static let activity = "CREATE TABLE Activity(day TEXT NOT NULL UNIQUE, n INTEGER);"

    /// A table of three rows, in which a new or changed row may conflict with `c`.
    private static func table(_ columns: String, options: String = "") -> String {
        "CREATE TABLE Note(\(columns))\(options);"
            + "INSERT INTO Note(id, place, day) VALUES (1, 'a', 'mon'), (2, 'b', 'tue'), (3, 'c', 'tue');"
    }

    private static func triggers(_ statement: String) -> String {
        ["INSERT", "UPDATE"].map {
            "CREATE TRIGGER on\($0) AFTER \($0) ON Note BEGIN \(statement); END;"
        }.joined()
    }

    /// A store in memory with the table `Note`, and the ending of Godwit's statements on it.
    private struct Bench {
        private let connection: SQLiteConnection
        private let conflicts: ConflictClauses

        init(_ sql: String) throws {
            let store = try MemoryStore(stage: .copy)
            _ = try store.run(schemaFile: sql)
            connection = store.connection
            let table = try #require(try connection.readShape().table(named: "Note"))
            conflicts = try ConflictClauses(of: table, in: connection)
        }

        func insert(_ values: [Value]) -> GodwitError? {
            do throws(GodwitError) {
                let insertion = conflicts.insertion(
                    of: ["id", "place", "day"].map(quoted), into: "main.\(quoted("Note"))")
                try connection.execute(insertion, values)
                try conflicts.requireInserted(by: connection)
                return nil
            } catch {
                return error
            }
        }

        func change(_ column: String, to value: Value, of id: Int64) -> GodwitError? {
            do throws(GodwitError) {
                try conflicts.update([column], to: [value], where: "\"id\" IS ?", [.integer(id)], in: connection)
                return nil
            } catch {
                return error
            }
        }

        func rows(_ sql: String = "SELECT id, place, day FROM Note ORDER BY id") throws -> [[String]] {
            try connection.rows(sql).map { $0.map(\.readable) }
        }
    }

    @Test(
        "the conflict clause of a trigger's own statement is kept",
        arguments: [
            ("INSERT OR REPLACE INTO Activity VALUES (new.day, new.id)", ["mon", "9"], ["tue", "2"]),
            ("REPLACE INTO Activity VALUES (new.day, new.id)", ["mon", "9"], ["tue", "2"]),
            ("INSERT OR IGNORE INTO Activity VALUES (new.day, new.id)", ["mon", "0"], ["tue", "0"]),
            ("UPDATE OR IGNORE Activity SET day = 'mon'", ["mon", "0"], ["tue", "0"]),
            (
                "INSERT INTO Activity VALUES (new.day, new.id) ON CONFLICT(day) DO UPDATE SET n = n + 1", ["mon", "1"],
                ["tue", "1"]
            ),
        ] as [(String, [String], [String])],
        [
            "id INTEGER PRIMARY KEY, place TEXT, day TEXT",
            "id INTEGER PRIMARY KEY, place TEXT UNIQUE ON CONFLICT REPLACE, day TEXT",
        ])
    func ofTriggers(_ trigger: (statement: String, monday: [String], tuesday: [String]), _ columns: String) throws {
        let sql =
            Self.table(columns) + Self.activity + "INSERT INTO Activity VALUES ('mon', 0), ('tue', 0);"
            + Self.triggers(trigger.statement)
        let bench = try Bench(sql)
        #expect(bench.insert([.integer(9), .string("i"), .string("mon")]) == nil)
        #expect(bench.change("PLACE", to: .string("z"), of: 2) == nil)
        #expect(try bench.rows("SELECT * FROM Activity ORDER BY day") == [trigger.monday, trigger.tuesday])
        let expected = [["1", "a", "mon"], ["2", "z", "tue"], ["3", "c", "tue"], ["9", "i", "mon"]]
        #expect(try bench.rows() == expected)
    }

    /// Tables that accept no second `c`, and would replace a row or skip it.
    private static let clauses = [
        table("id INTEGER PRIMARY KEY, place TEXT UNIQUE ON CONFLICT REPLACE, day TEXT"),
        table("id INTEGER PRIMARY KEY, place TEXT UNIQUE ON CONFLICT IGNORE, day TEXT"),
        table("id INTEGER PRIMARY KEY, place TEXT COLLATE NOCASE UNIQUE ON CONFLICT REPLACE, day TEXT"),
        table("id INTEGER PRIMARY KEY, place TEXT, day TEXT, UNIQUE (day, place COLLATE NOCASE) ON CONFLICT REPLACE"),
        table("id INTEGER UNIQUE, place TEXT PRIMARY KEY ON CONFLICT REPLACE, day TEXT", options: " WITHOUT ROWID"),
        table("id INTEGER PRIMARY KEY, place TEXT, day TEXT, UNIQUE (place) ON CONFLICT IGNORE"),
    ]

    @Test(
        "no row replaces another, or is skipped, because of a table's conflict clause", arguments: clauses,
        [
            "", triggers("INSERT OR REPLACE INTO Activity VALUES (new.day, 1)"),
            "CREATE TRIGGER any BEFORE DELETE ON Note BEGIN SELECT 1; END;",
        ])
    func ofTables(_ table: String, _ triggers: String) throws {
        let bench = try Bench(table + Self.activity + triggers)
        for error in [
            bench.insert([.integer(9), .string("c"), .string("tue")]), bench.change("place", to: .string("c"), of: 2),
        ] {
            #expect(error?.code == .data)
            #expect(error?.underlying?.hasPrefix("UNIQUE constraint failed: Note") == true)
        }
        #expect(bench.change("place", to: .string("c"), of: 3) == nil)
        #expect(try bench.rows() == [["1", "a", "mon"], ["2", "b", "tue"], ["3", "c", "tue"]])
    }

    @Test(
        "no row gets a new number because of a conflict clause",
        arguments: ["id INTEGER PRIMARY KEY ON CONFLICT REPLACE, place TEXT, day TEXT"])
    func numbers(_ columns: String) throws {
        let sql = Self.table(columns) + Self.activity + Self.triggers("REPLACE INTO Activity VALUES (new.day, 1)")
        let bench = try Bench(sql)
        #expect(bench.insert([.integer(3), .string("x"), .string("wed")]) != nil)
        #expect(bench.change("id", to: .string("3"), of: 2)?.underlying == "UNIQUE constraint failed: Note.id")
        #expect(try bench.rows() == [["1", "a", "mon"], ["2", "b", "tue"], ["3", "c", "tue"]])
    }

    @Test(
        "a row that a check or trigger would skip is an error too",
        arguments: [
            "CREATE TRIGGER leaves BEFORE INSERT ON Note BEGIN SELECT RAISE(IGNORE); END;"
                + "CREATE TRIGGER keeps BEFORE UPDATE ON Note BEGIN SELECT RAISE(IGNORE); END;",
            "CREATE TRIGGER any AFTER INSERT ON Note BEGIN SELECT 1; END;",
        ])
    func leftOut(_ triggers: String) throws {
        let sql =
            Self.table("id INTEGER PRIMARY KEY, place TEXT NOT NULL ON CONFLICT IGNORE UNIQUE, day TEXT") + triggers
        let bench = try Bench(sql)
        #expect(bench.insert([.integer(9), .null, .string("wed")])?.code == .data)
        #expect(bench.change("place", to: .null, of: 2)?.code == .data)
        #expect(try bench.rows() == [["1", "a", "mon"], ["2", "b", "tue"], ["3", "c", "tue"]])
    }
}
