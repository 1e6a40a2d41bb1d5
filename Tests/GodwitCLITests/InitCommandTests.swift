import GodwitModel
import Foundation
import GodwitTestSupport
import Testing

/// `godwit init` as a user calls it: its manifest works at once, and no file is ever replaced.
struct InitCommandTests {
    private func counts(_ report: JSONValue) -> [String: Int64] {
        Dictionary(
            uniqueKeysWithValues: (report["copy", "entities"]?.items ?? []).compactMap { entity in
                entity["name"]?.string.flatMap { name in entity["local"]?.integer.map { (name, $0) } }
            })
    }

    @Test("plan, run and export work at once with the files of init", arguments: [Scene.Sample.container, .twoDevices])
    func samples(_ sample: Scene.Sample) throws {
        let shop = try Workshop(sample)
        let before = try FolderFingerprint(shop.box)
        let made = try shop.godwit("init", "box", "-o", "app", "--json")
        #expect(made.code == 0, "\(made.errorText)")
        try MadeReports.keep(made.output, as: "json")
        #expect(try FolderFingerprint(shop.box).differences(from: before) == [])
        let files = try made.json()["written"]?.items.compactMap { $0.string }
        #expect(files == ["app/Migrations/V0001__adopt_store.sql", "app/godwit.yaml"])
        let plan = try shop.godwit("plan", "-m", "app/godwit.yaml", "-c", "box", "--json")
        #expect(plan.code == 0, "\(plan.errorText)")
        let local = try shop.open(Scene.local)
        let planned = counts(try plan.json())
        for entity in try made.json()["entities"]?.items ?? [] {
            let name = try #require(entity["name"]?.string)
            let count = try local.integer("SELECT count(*) FROM \(name)")
            #expect(entity["count"]?.integer == count && planned[name] == count)
        }
        try local.close()
        let run = try shop.godwit("run", "-m", "app/godwit.yaml", "-c", "box", "--json")
        #expect(run.code == 0, "\(run.errorText)")
        #expect(try run.json()["verify", "outcome"] != "failed")
        #expect(try shop.godwit("export", "-m", "app/godwit.yaml", "-c", "box", "-o", "e.json").code == 0)
        // A store that Godwit has migrated needs the manifest of that migration.
        let again = try shop.godwit("init", "box", "-o", "other")
        #expect(again.code == 65 && again.errorText.contains("Godwit already migrated"), "\(again.errorText)")
        #expect(!shop.folder.exists("home/other"))
    }

    @Test(
        "folders and files of init have the permissions of the caller's umask",
        arguments: ["022", "077", "002"])
    func umask(_ mask: String) throws {
        let shop = try Workshop(.container)
        let script = "umask \(mask); \"$0\" init box -o new/app -q"
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", script, try Executable.path()]
        process.currentDirectoryURL = URL(filePath: shop.folder["home"])
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let bits = try #require(Int(mask, radix: 8))
        for (name, mode) in [
            ("new", 0o777), ("new/app", 0o777), ("new/app/Migrations", 0o777), ("new/app/godwit.yaml", 0o666),
        ] {
            let found = try FileManager.default.attributesOfItem(atPath: shop.folder["home/" + name])
            #expect(found[.posixPermissions] as? Int == mode & ~bits, "\(name)")
        }
    }

    @Test("init replaces nothing: no manifest, schema file, dangling link or file instead of the folder")
    func taken() throws {
        let shop = try Workshop(.container)
        for name in ["a", "b/Migrations", "c"] { try shop.folder.makeFolder("home/" + name) }
        try shop.folder.write("mine", to: "home/a/godwit.yaml")
        try shop.folder.write("mine", to: "home/b/Migrations/V0001__x.sql")
        try shop.folder.makeLink("home/c/godwit.yaml", to: "nowhere")
        try shop.folder.write("mine", to: "home/d")
        let before = try FolderFingerprint(shop.folder["home"])
        for name in ["a", "b", "c", "d", "box", "box/Library/new"] {
            let finished = try shop.godwit("init", "box", "-o", name)
            #expect(finished.code == 73, "\(name): \(finished.errorText)")
        }
        #expect(try FolderFingerprint(shop.folder["home"]).differences(from: before) == [])
        #expect(try shop.godwit("init", "box", "-o", "-").code == 64)
    }

    @Test("a stopped init is completed by the next one, and a schema file that differs stays")
    func stopped() throws {
        let shop = try Workshop(.container)
        #expect(try shop.godwit("init", "box", "-o", "whole").code == 0)
        let manifest = try shop.folder.bytes(of: "home/whole/godwit.yaml")
        let schema = try shop.folder.bytes(of: "home/whole/Migrations/V0001__adopt_store.sql")
        try shop.folder.makeFolder("home/app/Migrations")
        try shop.folder.write(schema, to: "home/app/Migrations/V0001__adopt_store.sql")
        try shop.folder.write("godwit: 1", to: "home/app/.godwit-out-0A1B2C3D")
        let made = try shop.godwit("init", "box", "-o", "app")
        #expect(made.code == 0, "\(made.errorText)")
        #expect(try shop.folder.bytes(of: "home/app/godwit.yaml") == manifest)
        #expect(!shop.folder.exists("home/app/.godwit-out-0A1B2C3D"))

        try shop.folder.makeFolder("home/other/Migrations")
        try shop.folder.write(schema + [0x0A], to: "home/other/Migrations/V0001__adopt_store.sql")
        let refused = try shop.godwit("init", "box", "-o", "other")
        #expect(refused.code == 73 && refused.errorText.contains("V0001__adopt_store.sql"), "\(refused.errorText)")
        #expect(!shop.folder.exists("home/other/godwit.yaml"))
    }

    @Test("while the app uses one of several stores, init chooses no other unless it is named")
    func storeInUse() throws {
        let shop = try Workshop(.twoDevices)
        let app = try SampleStore(shop.folder["home/box/" + Scene.local])
        try app.execute("BEGIN EXCLUSIVE")
        let refused = try shop.godwit("init", "box", "-o", "app", "--lock-timeout", "0s")
        #expect(refused.code == 75 && refused.errorText.contains("TrainLog.store"), "\(refused.errorText)")
        #expect(!shop.folder.exists("home/app"))
        let named = try shop.godwit(
            "init", "box", "-o", "app", "--lock-timeout", "0s", "--store", "TrainLogCloud.store")
        #expect(named.code == 0, "\(named.errorText)")
        try app.execute("ROLLBACK")
        try app.close()
        #expect(try shop.godwit("init", "box", "-o", "other").code == 0)
    }

    @Test("a plan of init reports the same and writes nothing")
    func dryRun() throws {
        let shop = try Workshop(.container)
        let planned = try shop.godwit("init", "box", "-o", "app", "--dry-run", "--json")
        #expect(planned.code == 0 && !shop.folder.exists("home/app"))
        let made = try shop.godwit("init", "box", "-o", "app", "--json")
        #expect(try planned.json()["written"] == made.json()["written"])
        #expect(try planned.json()["entities"] == made.json()["entities"])
        #expect(try shop.godwit("init", "box", "-o", "app").code == 73)
    }

    @Test("for property lists without a store, init moves settings and lists, and the rest stays")
    func preferencesAlone() throws {
        let shop = try Workshop(.empty)
        try shop.write(
            [
                "unit": "kg", "restTimer": 90, "favorites": ["a", "b", "a"], "AppleLanguages": ["ja"],
                "authToken": "hush", "nested": [["a": 1]],
            ], to: Scene.plist)
        let made = try shop.godwit("init", "box", "-o", "app", "--json").json()
        #expect(made["app"] == "trainlog" && made["layout"] == "empty")
        let plan = try shop.godwit("run", "-m", "app/godwit.yaml", "-c", "box", "--json")
        #expect(plan.code == 0, "\(plan.errorText)")
        let buckets = try plan.json()["legacy", "buckets"]
        #expect(buckets?["migrated"]?.integer == 3 && buckets?["localOnly"]?.integer == 2)
        #expect(buckets?["unmapped"]?.integer == 1)
        let store = try shop.open(try #require(made["local"]?.string))
        #expect(try store.text("SELECT unit FROM Settings") == "kg")
        #expect(try store.integer("SELECT count(*) FROM Favorites") == 2)
    }

    @Test("init without input gives 66, and without a key 65")
    func nothing() throws {
        let shop = try Workshop(.empty)
        #expect(try shop.godwit("init", "box", "-o", "app").code == 66)
        try SampleStore.make(shop.box + "/Library/x.store", "CREATE TABLE pairs (a, b)")
        let finished = try shop.godwit("init", "box", "-o", "app")
        #expect(finished.code == 65 && finished.errorText.contains("pairs"), "\(finished.errorText)")
        #expect(!shop.folder.exists("home/app"))
        try shop.folder.remove("home/box/Library/x.store")
        try SampleStore.make(shop.box + "/Library/y.store", "PRAGMA user_version = 1")
        #expect(try !shop.godwit("inspect", "box").text.contains("godwit init"))
        let empty = try shop.godwit("init", "box", "-o", "app")
        #expect(empty.code == 65 && empty.errorText.contains("`Library/y.store` has no tables"), "\(empty.errorText)")
    }

    @Test("of several stores, the one with most records is the local store unless another is named")
    func several() throws {
        let shop = try Workshop(.container)
        try SampleStore.make(
            shop.box + "/Library/Other.store", "CREATE TABLE t (id TEXT PRIMARY KEY); INSERT INTO t VALUES ('x')")
        let full = try shop.godwit("init", "box", "-o", "a", "--json")
        #expect(try full.json()["local"]?.string == Scene.local)
        #expect(
            try shop.folder.text(of: "home/a/godwit.yaml").contains("# Library/Other.store: another store (1 record)"))
        #expect(full.text.contains("nothing of Library/Other.store is copied (1 record)"), "\(full.text)")
        let named = try shop.godwit("init", "box", "-o", "b", "--store", "Other.store", "--json")
        #expect(try named.json()["local"] == "Library/Other.store")
        #expect(try shop.godwit("plan", "-m", "b/godwit.yaml", "-c", "box").code == 0)
        #expect(try shop.godwit("init", "box", "-o", "c", "--store", "No.store").code == 66)
    }

    @Test("of several stores with equally many records, the last written one is the local store")
    func equallyFull() throws {
        let shop = try Workshop(.empty)
        for (name, seconds) in [("V1", 3), ("V2", 9), ("V3", 5)] as [(String, Int64)] {
            let path = "home/box/Library/\(name).store"
            try SampleStore.make(
                shop.folder[path], "CREATE TABLE t (id TEXT PRIMARY KEY); INSERT INTO t VALUES ('\(name)')")
            try shop.folder.setModified(seconds: 1_795_000_000 + seconds, of: path)
        }
        #expect(try shop.godwit("init", "box", "-o", "a", "--json").json()["local"] == "Library/V2.store")
    }

    @Test("a table with every SQLite feature is adopted: views, triggers, full text, checks, STRICT")
    func everything() throws {
        let shop = try Workshop(.empty)
        try SampleStore.make(
            shop.box + "/Library/x.store",
            """
            CREATE TABLE Note (id TEXT PRIMARY KEY CHECK (length(id) > 0), n INTEGER DEFAULT (1 + 1),
              twice INTEGER AS (n * 2) STORED) WITHOUT ROWID;
            CREATE TABLE Strict (id TEXT PRIMARY KEY, "odd name" ANY) STRICT; -- a comment
            CREATE VIRTUAL TABLE Search USING fts5(body);
            CREATE VIEW v AS SELECT id FROM Note;
            CREATE INDEX i ON Note (n) WHERE n > 1;
            CREATE TRIGGER tr AFTER INSERT ON Note BEGIN INSERT INTO Search VALUES (new.id); END;
            INSERT INTO Note (id) VALUES ('a'), ('b');
            """)
        #expect(try shop.godwit("init", "box", "-o", "app").code == 0)
        let plan = try shop.godwit("plan", "-m", "app/godwit.yaml", "-c", "box", "--json")
        #expect(plan.code == 0, "\(plan.errorText)")
        #expect(try counts(plan.json())["Note"] == 2)
    }

    /// The values of one entity and column in an export, as text.
    private func values(_ export: JSONValue, _ entity: String, _ column: String) throws -> [String] {
        let found = export["entities"]?.items.first { $0["name"]?.string == entity }
        return try (found?["records"]?.items ?? []).map { record in
            try (record[column]?.text ?? "").trimmingCharacters(in: .newlines)
        }
    }

    @Test("init handles Core Data entities, sub-entities, references, pairs and orders, with the values of SQLite")
    func coreData() throws {
        let shop = try Workshop(.empty)
        let path = "Library/Application Support/Work.store"
        try SampleStore.make(shop.box + "/" + path, CoreDataSample.workouts + CoreDataSample.mirroring)
        let before = try FolderFingerprint(shop.box)
        let made = try shop.godwit("init", "box", "-o", "app", "--json")
        #expect(made.code == 0, "\(made.errorText)")
        #expect(try made.json()["layout"] == "coreData")
        let plan = try shop.godwit("plan", "-m", "app/godwit.yaml", "-c", "box", "--json")
        #expect(plan.code == 0, "\(plan.errorText)")
        #expect(
            try counts(plan.json()) == [
                "ExerciseSet": 4, "Workout": 3, "Run": 1, "Tag": 3, "Nothing": 0, "WorkoutTags1": 3,
            ])
        let run = try shop.godwit("run", "-m", "app/godwit.yaml", "-c", "box", "-q")
        #expect(run.code == 0, "\(run.errorText)")
        let after = try FolderFingerprint(shop.box)
        #expect(after.files[path] == before.files[path])
        let export = try shop.godwit("export", "-m", "app/godwit.yaml", "-c", "box", "-o", "-", "-q").json()
        let store = try shop.open(path)
        func sqlite(_ sql: String) throws -> [String] {
            try store.rows(sql).map { $0[0].readable == "NULL" ? "null" : "\"\($0[0].readable)\"" }
        }
        let names = try sqlite("SELECT ZNAME FROM ZWORKOUT WHERE Z_ENT = 3 ORDER BY ZID")
        #expect(try values(export, "Workout", "name") == names)
        #expect(try values(export, "Tag", "title").sorted() == sqlite("SELECT ZTITLE FROM ZTAG ORDER BY 1"))
        #expect(try values(export, "Workout", "startedat").first == "722787770.189348")
        #expect(try values(export, "ExerciseSet", "workoutOrder").sorted() == ["1024", "1024", "2048", "null"])
    }

    /// Damage that stores of apps have: records of no entity, pairs that refer to them or to an entity without a table,
    /// records without numbers.
    static let damages = [
        "INSERT INTO ZWORKOUT (Z_PK, Z_ENT) VALUES (50, 99); UPDATE ZEXERCISESET SET ZWORKOUT = 50 WHERE Z_PK = 1;",
        "INSERT INTO ZTAG (Z_PK, Z_ENT) VALUES (50, 3); INSERT INTO Z_3TAGS VALUES (2, 50, 1024);",
        "DROP TABLE ZTAG;",
        "UPDATE ZWORKOUT SET Z_ENT = NULL WHERE Z_PK = 1;",
        "ALTER TABLE ZWORKOUT RENAME Z_PK TO Z_KP;", "ALTER TABLE ZTAG RENAME Z_PK TO Z_KP;",
        "ALTER TABLE ZEXERCISESET RENAME Z_PK TO Z_KP;",
    ]

    @Test(
        "Core Data records without an entity stop nothing, and neither do references to them",
        arguments: damages)
    func damagedCoreData(_ damage: String) throws {
        let shop = try Workshop(.empty)
        try shop.folder.makeFolder("home/box/Library/Application Support")
        let path = "Library/Application Support/Old.sqlite"
        try SampleStore.make(shop.box + "/" + path, CoreDataSample.workouts + damage)
        #expect(try shop.godwit("init", "box", "-o", "app").code == 0)
        for command in ["plan", "run"] {
            let finished = try shop.godwit(command, "-m", "app/godwit.yaml", "-c", "box", "--json")
            #expect(finished.code == 0, "\(command): \(finished.errorText)")
        }
        let export = try shop.godwit("export", "-m", "app/godwit.yaml", "-c", "box")
        let sets = try export.json()["entities"]?.items.first { $0["name"] == "ExerciseSet" }
        #expect(sets?["count"] == 4, "\(export.errorText)")
    }

    @Test(
        "stores of other apps are planned, run and exported at once",
        .enabled(if: RealStores.areHere, RealStores.missing)
    )
    func realStores() throws {
        for name in ["Bookmarks_V1", "Bookmarks_V2", "Bookmarks_V3", "SyncMetadata_V3"] {
            let shop = try Workshop(.empty)
            try shop.folder.makeFolder("home/box")
            for suffix in ["", "-wal", "-shm"] {
                let bytes = try Data(contentsOf: URL(filePath: "\(RealStores.folder)/\(name).sqlite\(suffix)"))
                try shop.folder.write(Array(bytes), to: "home/box/\(name).sqlite\(suffix)")
            }
            let before = try FolderFingerprint(shop.box)
            #expect(try shop.godwit("init", "box/\(name).sqlite", "-o", "app").code == 0)
            let plan = try shop.godwit("plan", "-m", "app/godwit.yaml", "-c", "box", "--json")
            #expect(plan.code == 0, "\(plan.errorText)")
            let isBookmarks = name.hasPrefix("Bookmarks")
            #expect(
                try counts(plan.json())
                    == (isBookmarks ? ["BookmarkEntity": 10] : ["SyncableSettingsMetadata": 2, "SyncFeatureEntity": 2]))
            #expect(try FolderFingerprint(shop.box).differences(from: before) == [])
            #expect(try shop.godwit("run", "-m", "app/godwit.yaml", "-c", "box", "-q").code == 0)
            for file in before.names {
                #expect(try FolderFingerprint(shop.box).files[file] == before.files[file], "\(file)")
            }
            guard isBookmarks else { continue }
            let cloud = try SampleStore(shop.box + "/\(name)Cloud.sqlite")
            let titles = try cloud.rows(
                "SELECT title FROM BookmarkEntity WHERE favoriteFolderId IS NOT NULL ORDER BY favoriteFolderOrder")
            #expect(titles.map { $0[0].readable } == ["5", "4", "33", "32", "2"])
        }
    }
}
