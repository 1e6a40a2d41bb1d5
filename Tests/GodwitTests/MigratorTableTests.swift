import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// What an app's own migrator knows of a store goes with a new cloud store, and is part of no schema.
struct MigratorTableTests {
    private static let create = "CREATE TABLE Note(id TEXT PRIMARY KEY, title TEXT);"

    private static func app(_ migrations: [String] = [create]) throws -> NoteApp {
        let app = try NoteApp(entities: "  Note: { key: id }", migrations: migrations)
        try app.write(NoteApp.local, create + "INSERT INTO Note VALUES ('a', 'one')")
        return app
    }

    /// Tables as their migrators make them, and rows.
    static let tables = [
        (
            "grdb_migrations",
            "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY); INSERT INTO grdb_migrations VALUES ('v1'), ('v2')"
        ),
        (
            "__drizzle_migrations",
            "CREATE TABLE \"__drizzle_migrations\" (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric); INSERT INTO __drizzle_migrations(hash, created_at) VALUES ('e3b0', 1700000000000)"
        ),
        (
            "room_master_table",
            "CREATE TABLE room_master_table (id INTEGER PRIMARY KEY,identity_hash TEXT); INSERT INTO room_master_table VALUES (42, 'd41d8cd9')"
        ),
        (
            "_sqlx_migrations",
            "CREATE TABLE _sqlx_migrations (version BIGINT PRIMARY KEY, description TEXT NOT NULL, installed_on TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, success BOOLEAN NOT NULL, checksum BLOB NOT NULL, execution_time BIGINT NOT NULL); INSERT INTO _sqlx_migrations VALUES (1, 'first', '2026-01-01 00:00:00', TRUE, x'00FF', 12)"
        ),
        (
            "knex_migrations",
            "CREATE TABLE `knex_migrations` (`id` integer not null primary key autoincrement, `name` varchar(255), `batch` integer, `migration_time` datetime); INSERT INTO knex_migrations(name, batch) VALUES ('1.js', 1), ('2.js', 1); DELETE FROM knex_migrations WHERE id = 2"
        ),
        (
            "schema_migrations",
            "CREATE TABLE schema_migrations (version varchar NOT NULL); CREATE UNIQUE INDEX unique_schema_migrations ON schema_migrations (version); INSERT INTO schema_migrations VALUES ('20260101000000')"
        ),
        (
            "__EFMigrationsHistory",
            "CREATE TABLE \"__EFMigrationsHistory\" (\"MigrationId\" TEXT NOT NULL CONSTRAINT \"PK___EFMigrationsHistory\" PRIMARY KEY, \"ProductVersion\" TEXT NOT NULL); INSERT INTO __EFMigrationsHistory VALUES ('2026_Init', '9.0')"
        ),
        (
            "flyway_schema_history",
            "CREATE TABLE flyway_schema_history (installed_rank INT NOT NULL PRIMARY KEY, version VARCHAR(50), description VARCHAR(200) NOT NULL, type VARCHAR(20) NOT NULL, script VARCHAR(1000) NOT NULL, checksum INT, installed_by VARCHAR(100) NOT NULL, installed_on TEXT NOT NULL DEFAULT (strftime('%Y-%m-%d %H:%M:%f','now')), execution_time INT NOT NULL, success BOOLEAN NOT NULL); CREATE INDEX flyway_schema_history_s_idx ON flyway_schema_history (success); INSERT INTO flyway_schema_history VALUES (1, '1', 'x', 'SQL', 'V1.sql', 7, 'me', '2026-01-01', 3, 1)"
        ),
    ]

    @Test("a new cloud store has the table, its rows and its indexes, and the marks of the header", arguments: tables)
    func carried(_ table: String, _ sql: String) throws {
        let app = try Self.app()
        try app.write(NoteApp.local, sql + "; PRAGMA user_version = 7; PRAGMA application_id = 1349480036")
        let report = try app.perform()
        #expect(report.outcome == .done && report.warnings.isEmpty, "\(report.warnings)")
        for question in [
            "SELECT * FROM \(table)", "PRAGMA user_version", "PRAGMA application_id",
            "PRAGMA table_xinfo(\(table))",
            "SELECT l.\"unique\", l.origin, l.partial, x.* FROM pragma_index_list('\(table)') l, pragma_index_xinfo(l.name) x ORDER BY l.name, x.seqno",
            "SELECT type, name, sql LIKE '%AUTOINCREMENT%', sql LIKE '%WITHOUT ROWID%' FROM sqlite_schema WHERE tbl_name = '\(table)' ORDER BY name",
        ] {
            let (local, cloud) = (
                try StoreCopy(of: app.folder[NoteApp.local]).store.rows(question),
                try StoreCopy(of: app.folder[NoteApp.cloud]).store.rows(question)
            )
            #expect(local == cloud && (!cloud.isEmpty || question.contains("index_list")), "\(question)")
        }
        #expect(try app.perform(.verify).outcome == .done)
        #expect(try app.perform().outcome == .alreadyDone)
        // The app's migrator and Godwit go on side by side.
        try app.write(NoteApp.cloud, "DELETE FROM \(table)")
        #expect(try app.perform(.verify).outcome == .done)
    }

    @Test(
        "a table is made from what SQLite says of it: no text of a store is run, and what it does not say is not made",
        arguments: [
            "version TEXT NOT NULL PRIMARY KEY DEFAULT ('v' || abs(1) || 'w')",
            "version TEXT NOT NULL PRIMARY KEY ON CONFLICT REPLACE",
            "version TEXT COLLATE NOCASE PRIMARY KEY",
            "version TEXT GENERATED ALWAYS AS (1 + 1)",
        ])
    func ruled(_ columns: String) throws {
        let app = try Self.app()
        try app.write(NoteApp.local, "CREATE TABLE refinery_schema_history (\(columns), checksum TEXT)")
        try app.write(NoteApp.local, "CREATE TABLE room_master_table (id INTEGER PRIMARY KEY, identity_hash TEXT)")
        try app.perform()
        #expect(
            try app.column(
                NoteApp.cloud, "SELECT name FROM sqlite_schema WHERE name LIKE '%_m%_table' OR name LIKE 'refinery%'")
                == ["room_master_table"])
    }

    @Test("names that need quotes, types in quotes, keys of several columns and tables without a rowid are made alike")
    func oddShape() throws {
        let app = try Self.app()
        try app.write(
            NoteApp.local,
            """
            CREATE TABLE seaql_migrations (version "VAR""CHAR", applied_at DOUBLE PRECISION DEFAULT -1.5, "a""b, c" TEXT
            DEFAULT 'it''s', at INT DEFAULT (unixepoch()), PRIMARY KEY(applied_at, version), UNIQUE("a""b, c")) WITHOUT ROWID;
            CREATE INDEX "odd ""name" ON seaql_migrations(applied_at, "a""b, c");
            INSERT INTO seaql_migrations VALUES ('m1', 1, 'x', 2)
            """)
        #expect(try app.perform().warnings.isEmpty)
        for question in [
            "SELECT name, CASE WHEN type LIKE '%PREC%' THEN type END, \"notnull\", dflt_value, pk FROM pragma_table_xinfo('seaql_migrations')",
            "SELECT * FROM pragma_index_list('seaql_migrations')", "SELECT * FROM seaql_migrations",
        ] {
            let (local, cloud) = (
                try StoreCopy(of: app.folder[NoteApp.local]).store.rows(question),
                try StoreCopy(of: app.folder[NoteApp.cloud]).store.rows(question)
            )
            #expect(local == cloud && !cloud.isEmpty, "\(question): \(cloud)")
        }
    }

    @Test("rows that a schema file puts there give way to those of the local store")
    func seeded() throws {
        let notes = "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);"
        let app = try Self.app([Self.create + notes + "INSERT INTO grdb_migrations VALUES ('v1'), ('v9')"])
        try app.write(NoteApp.local, notes + "INSERT INTO grdb_migrations VALUES ('v1'), ('v2')")
        try app.perform()
        #expect(try app.column(NoteApp.cloud, "SELECT identifier FROM grdb_migrations ORDER BY 1") == ["v1", "v2"])
    }

    @Test(
        "an entity with a migrator's name is copied as an entity, and an app's table with a similar name is not a migrator's table"
    )
    func namesakes() throws {
        var app = try Self.app([
            Self.create + "CREATE TABLE migrations(id TEXT PRIMARY KEY, species TEXT, timestamp TEXT, name TEXT)"
        ])
        try app.write(
            NoteApp.local,
            "CREATE TABLE migrations(id TEXT PRIMARY KEY, species TEXT, timestamp TEXT, name TEXT); INSERT INTO migrations VALUES ('m', 'godwit', '2026', 'south')"
        )
        #expect(try app.perform(dryRun: true).warningCodes == ["leftBehind"])
        app.entities += "\n  migrations: { key: id }"
        try app.perform()
        #expect(try app.column(NoteApp.cloud, "SELECT species FROM migrations") == ["godwit"])
    }

    @Test("a table that would run something is not made; a cloud store that was there keeps its own notes")
    func leftBehind() throws {
        let app = try Self.app()
        try app.write(
            NoteApp.local,
            "CREATE TABLE grdb_migrations (identifier TEXT CHECK (length(identifier) > 0)); INSERT INTO grdb_migrations VALUES ('v1')"
        )
        #expect(try app.perform(dryRun: true).warningCodes == ["leftBehind"])
        try app.write(
            NoteApp.cloud, Self.create + "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
        #expect(try app.perform().warnings.isEmpty)
        #expect(try app.column(NoteApp.cloud, "SELECT identifier FROM grdb_migrations") == [])
    }

    // MARK: Schema files that go further

    private static let notes =
        "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY); INSERT INTO grdb_migrations VALUES ('v1');"
    private static let second = "ALTER TABLE Note ADD COLUMN rating INTEGER;"

    @Test(
        "a schema file that goes further than the migrator's notes is warned of, by every command that applies it",
        arguments: [Command.run, .migrate, .copy], [false, true])
    func behind(_ command: Command, isCloudThere: Bool) throws {
        let app = try Self.app([Self.create, Self.second])
        try app.write(NoteApp.local, Self.notes + "PRAGMA user_version = 1")
        if isCloudThere { try app.write(NoteApp.cloud, Self.create + Self.notes) }
        let plan = try app.perform(command, dryRun: true)
        let report = try app.perform(command)
        for report in [plan, report] {
            let warnings = report.warnings.filter { $0.code == "migratorBehind" }
            let isTwice = isCloudThere && command == .run
            #expect(warnings.count == (isTwice ? 2 : 1), "\(report.warnings)")
            #expect(warnings.first?.message.contains("grdb_migrations") == true)
        }
        #expect(try !app.perform(command).warningCodes.contains("migratorBehind"))
    }

    @Test(
        "the advice is a schema file that works for a store with the notes, and for a new one",
        arguments: [false, true])
    func advice(isCloudThere: Bool) throws {
        let app = try Self.app([Self.create, Self.second])
        try app.write(NoteApp.local, Self.notes + "PRAGMA user_version = 1")
        if isCloudThere { try app.write(NoteApp.cloud, Self.create) }
        let hint = try #require(app.perform(dryRun: true).warnings.first { $0.code == "migratorBehind" }?.hint)
        let table = "CREATE TABLE IF NOT EXISTS \"grdb_migrations\"(\"identifier\" TEXT NOT NULL PRIMARY KEY);"
        let row = "INSERT OR REPLACE INTO \"grdb_migrations\"(\"identifier\") VALUES (…);"
        #expect(
            hint.hasPrefix(
                "Write the migrator's row in a new schema file V0003__migrator_note.sql: \(table) \(row) PRAGMA user_version = N;"
            ))
        let file = "\(table)\n\(row)\nPRAGMA user_version = N;".replacing("…", with: "'v2'").replacing("N;", with: "2;")
        let noted = try Self.app([Self.create, Self.second, file])
        try noted.write(NoteApp.local, Self.notes + "PRAGMA user_version = 1")
        if isCloudThere { try noted.write(NoteApp.cloud, Self.create) }
        #expect(try noted.perform().warnings.isEmpty)
        for store in [NoteApp.local, NoteApp.cloud] {
            let rows = try noted.column(store, "SELECT identifier FROM grdb_migrations ORDER BY 1")
            #expect(rows == (isCloudThere && store == NoteApp.cloud ? ["v2"] : ["v1", "v2"]))
            #expect(try noted.column(store, "PRAGMA user_version") == ["2"])
        }
    }

    @Test(
        "a schema file that writes the note, a store without notes, or one that is at the latest version is not",
        arguments: ["note", "none", "latest"])
    func notBehind(_ kind: String) throws {
        let noted = "INSERT INTO grdb_migrations VALUES ('v2');"
        let app = try Self.app([Self.create, Self.second + (kind == "note" ? noted : "")])
        if kind != "none" { try app.write(NoteApp.local, Self.notes) }
        if kind == "latest" { try app.write(NoteApp.local, Self.second) }
        // Where the first file makes no such table, a new store can't be noted in.
        guard kind != "note" else {
            let own = try Self.app([Self.create + Self.notes, Self.second + noted])
            try own.write(NoteApp.local, Self.notes)
            #expect(try own.perform().warnings.isEmpty)
            #expect(try own.column(NoteApp.cloud, "SELECT identifier FROM grdb_migrations ORDER BY 1") == ["v1", "v2"])
            return
        }
        #expect(try app.perform().warnings.isEmpty)
    }
}
