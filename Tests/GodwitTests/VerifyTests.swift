import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// What `verify` finds in a container that was fine a moment ago.
struct VerifyTests {
    /// A way to harm a container, and the check that finds it.
    struct Harm: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let check: String
        var followers: Set<String> { Self.following[check] ?? [] }
        let harm: @Sendable (TrainLog) throws -> Void

        /// A damaged store can't be compared either.
        private static let following: [String: Set<String>] = [
            "integrity.cloud": ["everyRecordInCloud"], "integrity.local": ["everyRecordInCloud"],
            "schema.cloud": ["everyRecordInCloud"],
        ]

        init(_ description: String, _ check: String, _ harm: @escaping @Sendable (TrainLog) throws -> Void) {
            (testDescription, self.check, self.harm) = (description, check, harm)
        }

        init(_ description: String, _ check: String, sql: String) {
            self.init(description, check) { try $0.write(TrainLog.cloud, sql) }
        }
    }

    static let harms = [
        Harm(
            "every record of an entity is gone from the cloud store", "everyRecordInCloud.ExerciseSet",
            sql: "DELETE FROM ExerciseSet"),
        Harm("a record was written to the local store since the copy", "everyRecordInCloud.Workout") {
            try $0.write(TrainLog.local, "UPDATE Workout SET updatedAt = '2026-11-21T06:00:30Z' WHERE rowid = 3")
        },
        Harm(
            "a value was changed and its date is the same", "sameValues.Workout",
            sql: "UPDATE Workout SET title = 'x' WHERE rowid = 3"),
        Harm(
            "a value was changed and its date was not", "everyRecordInCloud.Workout",
            sql: "UPDATE Workout SET title = 'x', updatedAt = '2001-01-01' WHERE rowid = 3"),
        Harm(
            "a record is there twice", "oneRowPerKey.cloud",
            sql: "INSERT INTO Workout SELECT * FROM Workout WHERE rowid = 1"),
        Harm("there are two settings rows", "oneRowPerKey.cloud", sql: "INSERT INTO UserSettings(id) VALUES ('other')"),
        Harm("a set points at no workout", "references.cloud", sql: ErrorTests.orphan),
        Harm(
            "a foreign key is broken", "foreignKeys.cloud",
            sql: """
                CREATE TABLE Notes(id TEXT PRIMARY KEY, workout INTEGER REFERENCES Diary(id));
                CREATE TABLE Diary(id INTEGER PRIMARY KEY); INSERT INTO Notes VALUES ('note-7', 7);
                """),
        Harm("a migration is pending", "schema.cloud", sql: "DELETE FROM godwit_migration WHERE version = 2"),
        Harm("a migration is divergent", "schema.cloud", sql: "UPDATE godwit_migration SET checksum = 'sha256-v1:0'"),
        Harm(
            "the flag has no receipt", "flagMatchesReceipt",
            sql: "DELETE FROM godwit_receipt WHERE stage = 'copy'"),
        Harm("the receipt has no flag", "flagMatchesReceipt") { app in
            var values = try app.readPreferences()
            values["cloudMigrationDone"] = nil
            try app.writePreferences(values)
        },
        Harm("the legacy import was forgotten", "legacyAccountedFor") { app in
            for store in [TrainLog.local, TrainLog.cloud] {
                try app.write(store, "DELETE FROM godwit_receipt WHERE stage = 'legacy'")
            }
        },
        Harm("the store is of a newer app", "schema.cloud") {
            try $0.write(
                TrainLog.cloud,
                "INSERT INTO godwit_migration VALUES (3, 'later', 'sha256-v1:0', '2026-11-21', 1, '9.0.0')")
        },
        Harm("what a migration made was taken away", "schema.cloud") {
            try $0.write(TrainLog.cloud, "ALTER TABLE FavoriteExercise DROP COLUMN note")
        },
        Harm("a foreign key of the local store is broken", "foreignKeys.local") {
            try $0.write(
                TrainLog.local,
                """
                CREATE TABLE Notes(id TEXT PRIMARY KEY, workout INTEGER REFERENCES Diary(id));
                CREATE TABLE Diary(id INTEGER PRIMARY KEY); INSERT INTO Notes VALUES ('note-7', 7);
                """)
        },
        Harm("a page of the cloud store is damaged", "integrity.cloud") { try damage($0, TrainLog.cloud) },
        Harm("a page of the local store is damaged", "integrity.local") { try damage($0, TrainLog.local) },
    ]

    /// Overwrites the cells of an index's root page, which no bookkeeping reads.
    private static func damage(_ app: TrainLog, _ store: String) throws {
        let root = try app.count(store, "SELECT rootpage FROM sqlite_schema WHERE name = 'ExerciseSet_workoutId'")
        var bytes = try app.folder.bytes(of: store)
        for index in 3600..<4096 { bytes[(root - 1) * 4096 + index] = 0xA5 }
        try app.folder.write(bytes, to: store)
    }

    @Test("verify finds what is wrong, goes on with the other checks, and changes nothing", arguments: harms)
    func finds(_ harm: Harm) throws {
        let app = try TrainLog(.container)
        try app.perform()
        #expect(try app.perform(.verify).failedChecks == [])
        try harm.harm(app)
        let before = try app.fingerprint()
        let report = try app.perform(.verify)
        #expect(report.outcome == .failed)
        // Only that one, or others only because they follow from it.
        #expect(report.failedChecks.first == harm.check, "\(report.failedChecks)")
        #expect(Set(report.failedChecks).subtracting(harm.followers) == [harm.check], "\(report.failedChecks)")
        if harm.check == "foreignKeys.local" {
            #expect(report.check(harm.check)?.detail.hasSuffix(" is broken: Notes.workout to Diary") == true)
        }
        #expect(report.check("legacyAccountedFor") != nil)
        #expect(report.check("flagMatchesReceipt") != nil)
        // Keys are the user's data: records are named apart from what is always shown.
        let keys = report.verify?.checks.flatMap { $0.records ?? [] }.map(\.key) ?? []
        let shown = report.verify?.checks.map(\.detail).joined(separator: "\n") ?? ""
        #expect(!keys.contains { shown.contains($0) })
        if harm.check.hasPrefix("integrity") {
            #expect(report.check(harm.check)?.detail.hasSuffix("sqlite3's .recover into a new file.") == true)
        }
        #expect(try app.fingerprint().differences(from: before) == [])
    }

    @Test("a store that is not a SQLite file is an error, not a check")
    func noStore() throws {
        let app = try TrainLog(.container)
        try app.perform()
        try app.folder.write("this was a store once", to: TrainLog.cloud)
        #expect(failure { try app.perform(.verify) }?.code == .data)
    }

    @Test("verify passes and names how many values the import left behind")
    func valuesLeftBehind() throws {
        let app = try TrainLog()
        try app.writePreferences(["weightUnit": .string("stone"), "soundOn": .bool(true)])
        try app.perform()
        let check = try #require(try app.perform(.verify).check("legacyAccountedFor"))
        #expect(check.verdict == .passed)
        #expect(check.detail.hasPrefix("imported once; all "))
        #expect(check.detail.contains(", counting the completion flag; the import of 20"))
        #expect(check.detail.hasSuffix(" UTC left 1 value behind (conflict, unsupported)"))
    }

    @Test("the next steps after a failed verify name the command or the edit for each failed check", .commandLineWords)
    func nextSteps() throws {
        let app = try TrainLog(.container)
        try app.perform()
        for store in [TrainLog.local, TrainLog.cloud] {
            try app.write(store, "DELETE FROM godwit_receipt WHERE stage = 'legacy'")
        }
        try app.write(TrainLog.cloud, "INSERT INTO Workout SELECT * FROM Workout WHERE rowid = 1")
        try app.write(TrainLog.cloud, "UPDATE Workout SET title = 'x' WHERE rowid = 3")
        let steps = try app.perform(.verify).nextSteps
        #expect(steps.first?.hasPrefix("To see the records of each failed check: godwit verify --verbose ") == true)
        #expect(steps.contains { $0.hasPrefix("To apply what is pending: godwit run ") })
        #expect(steps.contains { $0.hasPrefix("To set the duplicates aside: godwit dedupe ") })
        // What else differs may be the duplicates' doing.
        #expect(steps.last?.hasPrefix("Then see what is left: godwit verify ") == true)
        #expect(!steps.contains { $0.contains("Edit these records") || $0.contains("reopen") })
        try app.perform(.dedupe)
        let left = try app.perform(.verify).nextSteps
        #expect(left.contains { $0.hasPrefix("Edit these records in the app") })
        #expect(!left.contains { $0.contains("dedupe") || $0.contains("reopen") })
    }

    @Test("a newer record in the cloud store is not a difference")
    func newerCloud() throws {
        let app = try TrainLog(.container)
        try app.perform()
        try app.write(TrainLog.cloud, "UPDATE Workout SET title = 'x', updatedAt = '2026-11-21T05:00:00+09:00'")
        let report = try app.perform(.verify)
        #expect(report.failedChecks == [])
        #expect(report.check("everyRecordInCloud.Workout")?.count == 40)
    }

    @Test("other values under the same date are a difference, with how many: the dates do not show which are right")
    func sameDates() throws {
        let app = try TrainLog(.container)
        try app.perform()
        #expect(try app.perform(.verify).check("sameValues.Workout") == nil)
        try app.write(TrainLog.cloud, "UPDATE Workout SET title = 'x' WHERE rowid <= 7")
        let before = try app.fingerprint()
        let report = try app.perform(.verify)
        #expect(report.failedChecks == ["sameValues.Workout"])
        #expect(report.check("sameValues.Workout")?.count == 7)
        let keys = try app.column(TrainLog.cloud, "SELECT id FROM Workout WHERE rowid <= 7 ORDER BY id")
        #expect(report.check("sameValues.Workout")?.records == keys.map { RunReport.Verify.Record($0, .sameDate) })
        #expect(report.check("sameValues.ExerciseSet") == nil)
        #expect(try app.fingerprint().differences(from: before) == [])
    }

    @Test(
        "records with other values and no date are reported, and fail if some have the same date",
        arguments: [1, 2])
    func noDates(dated: Int) throws {
        let app = try TrainLog(.container)
        try app.perform()
        let count = try #require(try app.perform(.verify).check("everyRecordInCloud.FavoriteExercise")?.count)
        #expect(count > 1)
        for store in [TrainLog.local, TrainLog.cloud] {
            try app.write(store, "UPDATE FavoriteExercise SET createdAt = NULL WHERE rowid >= \(dated)")
        }
        #expect(try app.perform(.verify).check("sameValues.FavoriteExercise") == nil)
        try app.write(TrainLog.cloud, "UPDATE FavoriteExercise SET note = 'x'")
        let check = try #require(try app.perform(.verify).check("sameValues.FavoriteExercise"))
        #expect((check.verdict, check.count) == (dated == 2 ? .failed : .skipped, count))
        #expect(check.detail.contains("nothing shows which is right"))
        #expect(check.detail.contains("the same date as the local record") == (dated == 2))
    }

    @Test("before the copy the check of the copy is skipped")
    func before() throws {
        let app = try TrainLog(.container)
        try app.perform(.migrate)
        let report = try app.perform(.verify)
        #expect(report.failedChecks == [])
        #expect(report.check("everyRecordInCloud")?.verdict == .skipped)
        #expect(report.check("integrity.local")?.verdict == .passed)
        #expect(report.check("integrity.cloud") == nil)
    }

    @Test("messages of checks hold no values of the user's data")
    func noValues() throws {
        let app = try TrainLog(.container)
        try app.perform()
        try app.write(TrainLog.cloud, "UPDATE Workout SET title = 'a secret', updatedAt = '2001-01-01'")
        let report = try app.perform(.verify)
        #expect(report.verify?.checks.contains { $0.detail.contains("secret") } == false)
    }
}
