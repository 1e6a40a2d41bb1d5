import GodwitModel
import Godwit
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// A whole run over schemas that meddle with legacy values: nothing is called done that is not there.
struct LegacyProofTests {
    private static let preferences: [String: Preference] = [
        "appTheme": .string("dark"), "favoriteExercises": .array([.string("007"), .string("7"), .string("row")]),
    ]

    /// TrainLog with one schema file more than it ships; both folders must outlive the test.
    private func app(_ sql: String) throws -> (app: TrainLog, schema: TemporaryFolder) {
        let schema = try TemporaryFolder()
        for name in ["V0001__create_store.sql", "V0002__settings_and_favorites.sql"] {
            try schema.write(Repository.text("Migrations/trainlog/\(name)"), to: name)
        }
        try schema.write(sql, to: "V0003__more.sql")
        var manifest = TrainLogManifest()
        manifest.schema = schema.path
        let app = try TrainLog(manifest)
        try app.make(TrainLog.local)
        try app.writePreferences(Self.preferences)
        return (app, schema)
    }

    private static let meddling = [
        "CREATE TRIGGER g BEFORE INSERT ON UserSettings BEGIN SELECT RAISE(IGNORE); END;",
        "CREATE TRIGGER g BEFORE INSERT ON FavoriteExercise WHEN new.exerciseId = 'row' BEGIN SELECT RAISE(IGNORE); END;",
        "CREATE TRIGGER g AFTER INSERT ON UserSettings BEGIN UPDATE UserSettings SET theme = 'light'; END;",
        """
        CREATE TRIGGER g AFTER INSERT ON FavoriteExercise
        BEGIN UPDATE FavoriteExercise SET exerciseId = 'x' WHERE rowid = new.rowid; END;
        """,
        """
        DROP TABLE FavoriteExercise;
        CREATE TABLE FavoriteExercise(exerciseId TEXT, note TEXT, createdAt TEXT UNIQUE ON CONFLICT IGNORE);
        """,
        """
        DROP TABLE FavoriteExercise;
        CREATE TABLE FavoriteExercise(exerciseId TEXT, note TEXT, createdAt TEXT UNIQUE ON CONFLICT REPLACE);
        """,
    ]

    @Test("values that the schema takes away end a run with 65: no receipt, no record, no flag", arguments: meddling)
    func meddled(sql: String) throws {
        let (app, schema) = try app(sql)
        defer { withExtendedLifetime(schema) {} }
        let preferences = try app.folder.bytes(of: TrainLog.preferences)
        for _ in 1...2 {
            let error = try #require(failure { try app.perform() })
            #expect(error.code == .data)
            #expect(error.stage == .legacy)
            #expect(error.hint != nil)
            #expect(error.report?.legacy?.outcome != .done)
            #expect(try !app.isFlagSet())
            #expect(try app.folder.bytes(of: TrainLog.preferences) == preferences)
            #expect(try app.count(TrainLog.local, of: "UserSettings") == 0)
            #expect(try app.count(TrainLog.local, of: "FavoriteExercise") == 0)
            #expect(try app.count(TrainLog.local, of: "godwit_receipt") == 0)
            #expect(!app.folder.exists(TrainLog.cloud))
        }
    }

    @Test("a dry run says the same")
    func dryRun() throws {
        let (app, schema) = try app(Self.meddling[0])
        defer { withExtendedLifetime(schema) {} }
        let before = try app.fingerprint()
        let error = try #require(failure { try app.perform(dryRun: true) })
        #expect(error.code == .data)
        #expect(error.message.contains("UserSettings"))
        #expect(try app.fingerprint() == before)
    }

    @Test("a run succeeds after a schema file drops the trigger")
    func corrected() throws {
        let (app, schema) = try app(Self.meddling[1])
        #expect(failure { try app.perform() }?.code == .data)
        try schema.write("DROP TRIGGER g;", to: "V0004__corrected.sql")
        let report = try app.perform()
        #expect(report.legacy?.inserted == ["FavoriteExercise": 3, "UserSettings": 1])
        #expect(try app.isFlagSet())
        #expect(try app.count(TrainLog.cloud, of: "FavoriteExercise") == 3)
    }

    @Test(
        "favourites in a column for numbers: coerced, accounted for, and no bare UNIQUE",
        arguments: [
            ("INTEGER", ["7"], ["coerced": 1, "duplicate": 1, "rejected": 1]),
            ("INTEGER PRIMARY KEY", ["7"], ["coerced": 1, "duplicate": 1, "rejected": 1]),
            ("NUMERIC", ["7", "row"], ["coerced": 1, "migrated": 1, "duplicate": 1]),
            ("REAL", ["7.0"], ["coerced": 1, "duplicate": 1, "rejected": 1]),
        ])
    func numbers(type: String, stored: [String], items: [String: Int]) throws {
        let (app, schema) = try app(
            """
            DROP TABLE FavoriteExercise;
            CREATE TABLE FavoriteExercise(exerciseId \(type), note TEXT, createdAt TEXT);
            """)
        defer { withExtendedLifetime(schema) {} }
        let report = try app.perform()
        let line = try #require(report.line("favoriteExercises"))
        #expect(line.bucket == (items["rejected"] == nil ? .coerced : .unsupported))
        #expect(line.items == items)
        #expect(report.legacy?.inserted["FavoriteExercise"] == stored.count)
        #expect(try app.column(TrainLog.cloud, "SELECT exerciseId FROM FavoriteExercise ORDER BY 1") == stored)
        #expect(try app.isFlagSet())
    }
}
