import Godwit
import GodwitFiles
import GodwitModel
import GodwitRender
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// A Core Data store as the local one: read, never written, and all of it accounted for.
struct CoreDataTests {
    private static let workouts =
        "SELECT id, name, isDone, startedAt, distance, cost, image, kind FROM Workout ORDER BY id"

    @Test("records, relations and pairs arrive with the values of the store", arguments: [nil, "WAL"])
    func wholeWay(_ journal: String?) throws {
        let app = try CoreDataApp(journal: journal)
        let before = try app.source()
        let report = try app.perform()
        #expect(report.outcome == .done)
        #expect(report.failedChecks == [])
        #expect(
            try app.cloud(Self.workouts) == [
                "'00112233-4455-6677-8899-AABBCCDDEEFF' | 'Legs' | 1 | '2023-11-27T14:22:50.189Z' | NULL | '12.5' | NULL | 'plain'",
                "'10112233-4455-6677-8899-AABBCCDDEEFF' | 'Push' | 0 | '2023-11-27T14:22:51.000Z' | real 3.25 | '7' | blob ffd8 | 'plain'",
                "'20112233-4455-6677-8899-AABBCCDDEEFF' | 'untitled' | NULL | NULL | NULL | NULL | NULL | 'plain'",
                "'30112233-4455-6677-8899-AABBCCDDEEFF' | 'Hills' | 1 | '2023-11-27T14:22:52.000Z' | NULL | NULL | NULL | 'plain'",
            ])
        #expect(
            try app.cloud("SELECT substr(id, -1), substr(workoutId, 1, 2), reps, position, updatedAt FROM ExerciseSet")
                == [
                    "'1' | '00' | 10 | 2048 | real 722787770.0", "'2' | '00' | 8 | 1024 | real 722787771.0",
                    "'3' | '30' | 5 | 1024 | real 722787772.0", "'4' | NULL | 5 | NULL | real 722787773.0",
                ])
        #expect(
            try app.cloud("SELECT id, title, substr(favoriteOf, 1, 2) FROM Tag") == [
                "1 | 'heavy' | '10'", "2 | 'outside' | '10'", "3 | 'rain' | NULL",
            ])
        #expect(
            try app.cloud("SELECT substr(id, 1, 2), substr(id, 37), tagId, position FROM WorkoutTag ORDER BY id") == [
                "'00' | '/1' | 1 | 2048", "'00' | '/2' | 2 | 1024", "'30' | '/2' | 2 | 1024",
            ])
        #expect(report.copied("Workout")?.local == 4)
        #expect(report.schema?.store == .cloud)
        #expect(try app.source() == before)
    }

    @Test("run twice is run once, and no command changes a byte of the store", arguments: [nil, "WAL"])
    func untouched(_ journal: String?) throws {
        let app = try CoreDataApp(CoreDataSample.workouts + CoreDataSample.mirroring, journal: journal)
        let before = try app.source()
        for command in [Command.verify, .dedupe] {
            _ = try app.perform(command)
            #expect(try app.source() == before, "\(command)")
        }
        _ = try app.migration().status()
        _ = try app.migration().history()
        _ = try app.migration().exportAndKeep(to: app.folder["first.json"], options: .init())
        #expect(try app.perform(dryRun: true).outcome == .done)
        #expect(!app.folder.exists(CoreDataApp.cloud))
        #expect(try app.source() == before)
        try app.perform(.migrate)
        #expect(try app.source() == before)
        try app.perform()
        let once = try app.contents()
        let all = try FolderFingerprint(app.folder["container"])
        #expect(try app.perform().outcome == .alreadyDone)
        #expect(try FolderFingerprint(app.folder["container"]).differences(from: all) == [])
        #expect(try app.contents().differences(from: once) == [])
        #expect(try app.perform(.verify).failedChecks == [])
        #expect(try app.source() == before)
    }

    @Test("a plan is what the run then does", arguments: [nil, "WAL"])
    func plan(_ journal: String?) throws {
        let app = try CoreDataApp(CoreDataSample.workouts + CoreDataSample.mirroring, journal: journal)
        let plan = try Ending { try app.perform(dryRun: true) }
        let run = try Ending { try app.perform() }
        #expect(plan == run)
        #expect(try Ending { try app.perform(dryRun: true) } == Ending { try app.perform() })
    }

    @Test("a saved plan is run, and holds the run to the store it was made of")
    func savedPlan() throws {
        let app = try CoreDataApp()
        func save() throws {
            let plan = try app.migration { $0.keepsBasis = true }.perform(.run, dryRun: true)
            try app.folder.write(SavedPlan.sealing(JSONReport.encode(plan)), to: "plan.json")
        }
        func follow() throws -> RunReport {
            try app.migration().perform(.run, dryRun: false, following: SavedPlan(path: app.folder["plan.json"]))
        }
        try save()
        try app.write("UPDATE ZWORKOUT SET ZNAME = 'Arms' WHERE Z_PK = 1")
        #expect(failure { try follow() }?.code == .data)
        #expect(!app.folder.exists(CoreDataApp.cloud))
        try save()
        let run = try follow()
        #expect(run.outcome == .done)
        #expect(!run.warningCodes.contains("divergedFromPlan"))
    }

    @Test("a copy made by itself needs no cloud store, and leaves legacy values to the next run")
    func copyAlone() throws {
        let app = try CoreDataApp()
        #expect(try app.perform(.copy).copy?.createdStore == true)
        #expect(try app.cloud("SELECT count(*) FROM Workout") == ["4"])
        #expect(try app.cloud("SELECT count(*) FROM UserSettings") == ["0"])
    }

    @Test("settings that the local store has count as there: legacy values do not replace them")
    func settings() throws {
        var app = try CoreDataApp(
            CoreDataSample.workouts + """
                INSERT INTO Z_PRIMARYKEY VALUES (11, 'Settings', 0, 1);
                CREATE TABLE ZSETTINGS (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZUPDATEDAT TIMESTAMP,
                  ZUNIT VARCHAR);
                INSERT INTO ZSETTINGS VALUES (1, 11, 1, 600000000, 'kg');
                """)
        app.entities = app.entities.replacing(
            "UserSettings: { key: id, singleton: singleton, modified: updatedAt }",
            with: """
                UserSettings:
                    key: id
                    singleton: singleton
                    modified: updatedAt
                    source:
                      entity: Settings
                      fields: { id: Z_PK, unit: unit, updatedAt: { from: updatedAt, as: iso8601 } }
                """)
        let report = try app.perform()
        #expect(report.line("unit")?.bucket == .alreadyPresent)
        #expect(try app.cloud("SELECT id, unit FROM UserSettings") == ["'singleton' | 'kg'"])
    }

    @Test("records of one key are deduped on the way; the store keeps them")
    func duplicates() throws {
        let app = try CoreDataApp(
            CoreDataSample.workouts + """
                INSERT INTO ZWORKOUT (Z_PK, Z_ENT, Z_OPT, ZNAME, ZUPDATEDAT, ZID)
                  VALUES (5, 3, 1, 'Legs again', 722789999, x'00112233445566778899AABBCCDDEEFF');
                """)
        let report = try app.perform()
        #expect(report.copied("Workout")?.duplicates == 1)
        #expect(try app.cloud("SELECT name FROM Workout WHERE id LIKE '001%'") == ["'Legs again'"])
        #expect(try app.perform(.verify).failedChecks == [])
    }

    @Test(
        "duplicates of the store are kept with all columns in the cloud store, also if that store has its own duplicates"
    )
    func losersOfBoth() throws {
        let app = try CoreDataApp()
        try app.write(
            "INSERT INTO ZWORKOUT (Z_PK, Z_ENT, Z_OPT, ZNAME, ZUPDATEDAT, ZID) "
                + "VALUES (9, 3, 1, 'Legs, older', 1, x'00112233445566778899AABBCCDDEEFF')")
        // In stores that sync through iCloud a key is not unique.
        let schema = CoreDataApp.standardSchema.replacing("id TEXT PRIMARY KEY, name", with: "id TEXT NOT NULL, name")
            .replacing(" REFERENCES Workout(id)", with: "")
        try app.folder.write(schema, to: "migrations/V0001__create.sql")
        try SampleStore.make(
            app.folder[CoreDataApp.cloud],
            schema + """
                INSERT INTO Workout(id, name, updatedAt) VALUES ('cloud', 'newer', '2026-02-01T00:00:00Z'),
                  ('cloud', 'older', '2026-01-01T00:00:00Z');
                """)
        #expect(try app.perform().outcome == .done)
        #expect(
            try app.cloud("SELECT json_extract(record, '$.name'), carriedFrom FROM godwit_removed ORDER BY 1") == [
                "'Legs, older' | 'local'", "'older' | NULL",
            ])
    }

    @Test("data that fills no entity, and relations to missing records, are reported")
    func coverage() throws {
        var app = try CoreDataApp(
            CoreDataSample.workouts + """
                UPDATE ZEXERCISESET SET ZWORKOUT = 99 WHERE Z_PK = 3; INSERT INTO ZNOTHING VALUES (1, 9, 1, 5);
                INSERT INTO ZTAG VALUES (9, 77, 1, NULL, NULL, 'stray');
                """)
        app.entities =
            String(app.entities.split(separator: "  WorkoutTag:")[0])
            + "  UserSettings: { key: id, singleton: singleton, modified: updatedAt }\n  WorkoutTag: { key: id }"
        let report = try app.perform()
        #expect(report.warningCodes.contains("relationLost"))
        #expect(report.warningCodes.contains("leftBehind"))
        #expect(Set((report.leftBehind ?? []).map(\.kind)).isSuperset(of: [.entity, .relation]))
        #expect(report.warningCodes.contains("recordsOfNoEntity"))
        #expect(try app.cloud("SELECT count(*) FROM ExerciseSet WHERE workoutId IS NULL") == ["2"])
        #expect(try app.cloud("SELECT count(*) FROM WorkoutTag") == ["0"])
    }

    @Test(
        "rows that a schema file inserts into a new cloud store are not records, with or without legacy values",
        arguments: [true, false])
    func seeds(_ hasLegacy: Bool) throws {
        let app = try CoreDataApp(
            schema: CoreDataApp.standardSchema + "INSERT INTO Tag VALUES (77, 'seed', NULL);",
            preferences: hasLegacy ? ["unit": "lb"] : ["other": 1])
        let report = try app.perform()
        #expect(!report.warningCodes.contains("seedBeforeLegacy"))
        #expect(try app.cloud("SELECT id FROM Tag") == ["1", "2", "3"])
    }

    @Test("many to many among records of one entity: each side by its own name, its own inverse too")
    func selfJoin() throws {
        var app = try CoreDataApp(
            CoreDataSample.bookkeeping + """
                INSERT INTO Z_PRIMARYKEY VALUES (1, 'Bookmark', 0, 4);
                CREATE TABLE ZBOOKMARK (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTITLE VARCHAR);
                CREATE TABLE Z_1FAVORITES (Z_1FAVORITEFOLDERS INTEGER, Z_1FAVORITES INTEGER, Z_FOK_1FAVORITES INTEGER,
                  PRIMARY KEY (Z_1FAVORITEFOLDERS, Z_1FAVORITES));
                CREATE TABLE Z_1FRIENDS (Z_1FRIENDS INTEGER, REFLEXIVE INTEGER, PRIMARY KEY (Z_1FRIENDS, REFLEXIVE));
                INSERT INTO ZBOOKMARK VALUES (1, 1, 1, 'folder'), (2, 1, 1, 'b'), (3, 1, 1, 'a'), (4, 1, 1, 'c');
                INSERT INTO Z_1FAVORITES VALUES (1, 2, 2048), (1, 3, 1024), (1, 4, 3072);
                INSERT INTO Z_1FRIENDS VALUES (2, 3), (3, 2);
                """,
            schema: """
                CREATE TABLE Bookmark(id INTEGER PRIMARY KEY, title TEXT);
                CREATE TABLE Favorite(id TEXT PRIMARY KEY, folder TEXT, title TEXT, place INTEGER);
                CREATE TABLE Friend(id TEXT PRIMARY KEY, a INTEGER, b INTEGER);
                """, preferences: ["other": 1])
        app.legacy = ""
        app.entities = """
              Bookmark: { key: id, source: { entity: Bookmark, fields: { id: Z_PK, title: title } } }
              Favorite: { key: id, source: { join: Bookmark.favorites, fields: { id: { from: [source.title, target.title] },
                folder: source.title, title: target.title, place: order } } }
              Friend: { key: id, source: { join: Bookmark.friends, fields: { id: { from: [source.Z_PK, target.Z_PK] },
                a: source.Z_PK, b: target.Z_PK } } }
            """
        let report = try app.perform()
        #expect(report.warnings.map(\.code) == [])
        #expect(
            try app.cloud("SELECT folder, title, place FROM Favorite ORDER BY place") == [
                "'folder' | 'a' | 1024", "'folder' | 'b' | 2048", "'folder' | 'c' | 3072",
            ])
        #expect(try app.cloud("SELECT a, b FROM Friend ORDER BY a") == ["3 | 2", "2 | 3"].sorted())
    }

    @Test("a to-many relation without one back may be named with its entity")
    func hiddenInverse() throws {
        var app = try CoreDataApp()
        app.entities = app.entities.replacing("from: favoriteTags.id", with: "from: Workout.favoriteTags.id")
        try app.perform()
        #expect(try app.cloud("SELECT id, substr(favoriteOf, 1, 2) FROM Tag")[0] == "1 | '10'")
        app.entities = app.entities.replacing(
            "from: Workout.favoriteTags.id", with: "from: ExerciseSet.favoriteTags.id")
        #expect(failure { try app.migration().status() }?.code == .manifest)
    }

    @Test("a pair with a missing side is left out, and other tables are named")
    func leftOut() throws {
        let app = try CoreDataApp()
        let before = try app.perform(dryRun: true).copied("WorkoutTag")?.local
        try app.write(
            """
            INSERT INTO Z_3TAGS VALUES (99, 1, 1024), (1, 98, 1024);
            CREATE TABLE AppNotes(text); INSERT INTO AppNotes VALUES ('a'), ('b');
            CREATE TABLE AppEmpty(text); CREATE VIRTUAL TABLE AppSearch USING fts5(text);
            """)
        let report = try app.perform()
        #expect(report.copied("WorkoutTag")?.local == before)
        #expect(try app.cloud("SELECT count(*) FROM WorkoutTag") == ["\(before ?? 0)"])
        let lost = report.warnings.filter { $0.code == "relationLost" && $0.message.contains("WorkoutTag") }
        #expect(lost.contains { $0.hint?.contains("2 pairs left out") == true }, "\(lost)")
        #expect(
            (report.leftBehind ?? []).filter { $0.kind == .table }.map(\.message) == [
                "table `AppNotes` (2 records) of `\(CoreDataApp.local.dropFirst("container/".count))` is not an entity of Core Data; it stays in the local store"
            ])
        #expect(try app.perform(.verify).failedChecks == [])
    }

    @Test("attributes, relations and places that no field reads are said where they have values")
    func unreadAttributes() throws {
        var app = try CoreDataApp()
        let before = try said(app.perform(dryRun: true))
        #expect(["Workout", "ExerciseSet"].allSatisfy { !before.contains("entity `\($0)` ") }, "\(before)")
        app.entities = app.entities.split(separator: "\n", omittingEmptySubsequences: false)
            .filter { !$0.contains("distance: ") && !$0.contains("position: Z_FOK_WORKOUT") }.joined(separator: "\n")
        try app.write("ALTER TABLE ZEXERCISESET ADD COLUMN ZLATER VARCHAR")
        #expect(try !said(app.perform(dryRun: true)).contains("later"))
        try app.write("UPDATE ZEXERCISESET SET ZLATER = 'x' WHERE Z_PK < 3")
        let text = try said(app.perform())
        #expect(text.contains("no field reads `distance` of Core Data's entity `Workout` ("), "\(text)")
        #expect(text.contains("`later` of Core Data's entity `ExerciseSet` (2 records)"), "\(text)")
        #expect(text.contains("Z_FOK_WORKOUT` of Core Data's entity `ExerciseSet` ("), "\(text)")
        #expect(try said(app.perform(.verify)).contains("`later` of Core Data's entity `ExerciseSet` (2 records)"))
    }

    private func said(_ report: RunReport) -> String {
        (report.leftBehind ?? []).filter { $0.kind == .column }.map(\.message).joined(separator: "\n")
    }

    @Test("sub-entities are in unless they are left out, and can be read without the others")
    func subentities() throws {
        var app = try CoreDataApp()
        app.entities = app.entities.replacing(
            "entity: Workout\n", with: "entity: Workout\n      subentities: false\n")
        try app.write("UPDATE ZEXERCISESET SET ZWORKOUT = 1 WHERE Z_PK = 3")
        let report = try app.perform()
        #expect(report.copied("Workout")?.local == 3)
        #expect(report.leftBehind?.contains { $0.kind == .entity && $0.name == "Run" } == true)
    }

    @Test("a commit of the app while it is copied keeps the flag from being set")
    func liveApp() throws {
        let app = try CoreDataApp()
        let error = failure {
            try app.perform(faultPoint: { point throws(GodwitError) in
                guard point == .afterCopyCommit else { return }
                do { try app.write("UPDATE ZWORKOUT SET ZNAME = 'late', ZUPDATEDAT = 722799999 WHERE Z_PK = 1") } catch
                {
                    throw GodwitError(.copy, .bug, "\(error)")
                }
            })
        }
        #expect(error?.code == .busy)
        #expect(try app.migration().status().flag.isSet == false)
        #expect(try app.perform().failedChecks == [])
        #expect(try app.cloud("SELECT name FROM Workout WHERE id LIKE '001%'") == ["'late'"])
    }

    @Test("a store without a -wal file gives a note, and an error if --require-wal is given")
    func withoutLog() throws {
        let app = try CoreDataApp(journal: "WAL")
        let store = try SampleStore(app.folder["app/store"])
        try store.execute("PRAGMA wal_checkpoint(FULL)")
        try app.folder.copy("app/store", to: CoreDataApp.local)
        for suffix in ["-wal", "-shm"] { try app.folder.remove(CoreDataApp.local + suffix) }
        try store.close()
        let before = try FolderFingerprint(app.folder["container"])
        let refused = failure { try app.perform { $0.requiresLog = true } }
        #expect(refused?.code == .data)
        #expect(refused?.message.contains("-wal") == true)
        #expect(try FolderFingerprint(app.folder["container"]).differences(from: before) == [])
        #expect(try app.perform().notes.map(\.code).contains("walMissing"))
    }

    @Test("what the mirroring says feeds status and freshness")
    func mirroring() throws {
        let app = try CoreDataApp(
            CoreDataSample.workouts + CoreDataSample.mirroring + """
                INSERT INTO ANSCKEVENT (Z_PK, ZCLOUDKITEVENTTYPE, ZSUCCEEDED, ZSTARTEDAT, ZENDEDAT, ZERRORCODE, ZERRORDOMAIN)
                  VALUES (1, 0, 1, 722787770, 722787771, 0, NULL), (2, 1, 1, 722787780, 722787781, 0, NULL),
                  (3, 2, 0, 722787790, 722787791, 9, 'CKErrorDomain'), (4, 44, 1, 722787790, 722787791, 0, NULL);
                INSERT INTO ANSCKRECORDMETADATA (Z_PK, ZENTITYID, ZENTITYPK, ZNEEDSUPLOAD, ZNEEDSCLOUDDELETE)
                  VALUES (1, 3, 1, 1, 0), (2, 3, 2, 0, 0), (3, 2, 9, 0, 1), (4, 2, 8, 1, 1), (5, 77, 1, 1, NULL);
                """)
        let status = try app.migration { ($0.account, $0.network) = (.available, .online) }.status()
        #expect(status.phases.map(\.state) == ["succeeded", "succeeded", "failed"])
        #expect(status.sync.lastError?.contains("CKErrorDomain 9") == true)
        #expect(status.pendingChanges?["Workout"] == 5)
        #expect(status.pendingChanges?["ExerciseSet"] == 6)
        #expect(status.pendingChanges?["entity 77"] == 1)
        #expect(
            status.warnings.contains { $0.code == "mirrorPending" && $0.message.contains("2 uploads and 2 deletes") })
        let export = try app.migration().exportAndKeep(to: app.folder["x.json"], options: .init())
        #expect(export.freshness.reasons.contains { $0.code == .syncError })
        #expect(export.freshness.reasons.contains { $0.code == .pendingChanges })
    }

    @Test("a store that Core Data did not make, and names that it lacks, are errors with a position")
    func refusals() throws {
        let plain = try CoreDataApp("CREATE TABLE Workout(id TEXT)")
        #expect(failure { try plain.perform() }?.code == .manifest)
        for (old, new, word) in [
            ("from: name,", "from: nmae,", "`nmae`"), ("entity: Workout\n", "entity: Workuot\n", "`Workuot`"),
            ("from: workout.id,", "from: workout.id, entity: Tag,", "refers to `Workout`, not to `Tag`"),
            ("from: workout.id,", "from: workout.id, entity: Tga,", "`Tga`"), ("workout.id", "workut.id", "`workut`"),
            ("workout.id", "workout.idd", "`idd`"),
            ("join: Workout.tags", "join: Workout.tgas", "`tgas`"),
            ("position: order", "position: inverseOrder", "no order"),
            ("distance: ZDISTANCE", "distance: distance", "`ZDISTANCE1`"),
            ("target.Z_PK]", "other.Z_PK]", "`other.Z_PK`"),
        ] {
            var app = try CoreDataApp()
            #expect(app.entities.contains(old), "\(old)")
            app.entities = app.entities.replacing(old, with: new)
            let error = failure { try app.perform() }
            #expect(error?.code == .manifest, "\(new): \(String(describing: error))")
            #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
            #expect(error?.position?.line != nil)
            #expect(!app.folder.exists(CoreDataApp.cloud))
        }
    }

    @Test("data next to the store is read, missing files are reported and no file is read by a hostile name")
    func externalData() throws {
        let name = "0A1B2C3D-0000-4000-8000-00000000000F"
        let app = try CoreDataApp()
        try app.folder.makeFolder(CoreDataApp.external)
        try app.folder.write([1, 2, 3, 4], to: "\(CoreDataApp.external)/\(name)")
        try app.folder.write([9], to: "secret")
        func reference(_ text: String) -> String { hexText([2] + Array(text.utf8) + [0]) }
        try app.write(
            """
            UPDATE ZWORKOUT SET ZIMAGE = x'\(reference(name))' WHERE Z_PK = 1;
            UPDATE ZWORKOUT SET ZIMAGE = x'\(reference("../../../../../secret"))' WHERE Z_PK = 3;
            UPDATE ZWORKOUT SET ZIMAGE = x'\(reference("00000000-0000-4000-8000-000000000000"))' WHERE Z_PK = 4;
            """)
        let before = try app.source()
        #expect(try Ending { try app.perform(dryRun: true) } == Ending { try app.perform() })
        #expect(try app.source() == before)
        let images = try app.cloud("SELECT image FROM Workout ORDER BY id")
        #expect(images[0] == "blob 01020304")
        #expect(images[1] == "blob ffd8")
        #expect(images[2] == "blob \(reference("../../../../../secret"))")
        let verify = try app.perform(.verify)
        #expect(verify.failedChecks == [])
        #expect(verify.warnings.contains { $0.code == "externalDataMissing" && $0.message.hasPrefix("2 files") })
    }

    @Test("a reference to a file that the manifest does not ask for is reported")
    func unaskedExternalData() throws {
        var app = try CoreDataApp()
        app.entities = app.entities.replacing("{ from: image, as: externalData }", with: "image")
        let bytes = [UInt8](arrayLiteral: 2) + Array("0A1B2C3D-0000-4000-8000-00000000000F".utf8) + [0]
        try app.write("UPDATE ZWORKOUT SET ZIMAGE = x'\(hexText(bytes))' WHERE Z_PK = 1")
        let report = try app.perform()
        #expect(report.warningCodes.contains("externalDataNotRead"))
        #expect(try app.cloud("SELECT image FROM Workout ORDER BY id")[0] == "blob \(hexText(bytes))")
    }
}
