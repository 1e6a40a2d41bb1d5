import Godwit
import GodwitModel
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// A committed expectation holds before the run and after it, and says what changed when something does.
struct ExpectationTests {
    @Test(
        "an expectation holds before the run and after it, and changes nothing in the container",
        arguments: Shape.allCases)
    func beforeAndAfter(_ shape: Shape) throws {
        let app = try shape.make()
        let before = try app.fingerprint()
        #expect(try app.verify(updating: true).expectation?.verdict == .written)
        #expect(try app.verify().expectation?.verdict == .met)
        #expect(try app.verify(updating: true).expectation?.verdict == .unchanged)
        #expect(try app.fingerprint().differences(from: before) == [])
        let written = try app.folder.bytes(of: TrainLog.expectation)
        try app.perform()
        let report = try app.verify()
        #expect(report.expectation?.verdict == .met, "\(report.expectation?.differences ?? [])")
        #expect(report.failedChecks == [])
        #expect(try app.verify(updating: true).expectation?.verdict == .unchanged)
        #expect(try app.folder.bytes(of: TrainLog.expectation) == written)
    }

    @Test(
        "the flag of a run is not a difference if no legacy key was imported",
        arguments: [nil, "<dict><key>launchCount</key><integer>3</integer></dict>"])
    func flagAlone(_ preferences: String?) throws {
        let app = try TrainLog(.container)
        try app.folder.remove(TrainLog.preferences)
        if let preferences {
            try app.folder.write("<plist version=\"1.0\">\(preferences)</plist>", to: TrainLog.preferences)
        }
        #expect(try app.verify(updating: true).expectation?.verdict == .written)
        try app.perform()
        #expect(try app.isFlagSet())
        let report = try app.verify()
        #expect(report.expectation?.verdict == .met, "\(report.expectation?.differences ?? [])")
        #expect(try app.verify(updating: true).expectation?.verdict == .unchanged)
    }

    @Test("an expectation says what the plan says")
    func says() throws {
        let app = try TrainLog(.twoDevices)
        let plan = try app.perform(dryRun: true)
        let report = try app.verify(updating: true)
        #expect(report.run.command == "verify")
        #expect(report.copy?.entities.map(\.cloudAfter) == plan.copy?.entities.map(\.cloudAfter))
        let text = try app.folder.text(of: TrainLog.expectation)
        for entity in plan.copy?.entities ?? [] { #expect(text.contains("\"\(entity.name)\": \(entity.cloudAfter)")) }
        for (bucket, number) in plan.legacy?.buckets ?? [:] { #expect(text.contains("\"\(bucket)\": \(number)")) }
        #expect(text.contains("\"winner\": \"deadlift\", \"reason\": \"earliest\", \"losers\": [\"deadlift\"]"))
    }

    @Test("neither values nor times nor paths are in it, unless a record is selected")
    func noValues() throws {
        let app = try TrainLog(.container)
        try app.write(TrainLog.local, "UPDATE Workout SET title = 'a secret', notes = 'another secret' WHERE rowid = 1")
        try app.verify(updating: true)
        let text = try app.folder.text(of: TrainLog.expectation)
        #expect(!text.contains("secret"))
        #expect(!text.contains("2026"))
        #expect(!text.contains(app.container))
        #expect(!text.contains("Library"))
    }

    // MARK: Differences

    /// What may be different, and the part of the expectation that shows it.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let part: String
        let change: @Sendable (TrainLog) throws -> Void

        init(_ description: String, _ part: String, _ change: @escaping @Sendable (TrainLog) throws -> Void) {
            (testDescription, self.part, self.change) = (description, part, change)
        }
    }

    static let changes = [
        Change("a record more", "counts.local") {
            try $0.write(
                TrainLog.local,
                "INSERT INTO Workout(id, title, startedAt, createdAt, updatedAt) VALUES ('n', 'N', '', '', '2026-01-01')"
            )
        },
        Change("a record less in the cloud", "counts.cloud") {
            try $0.write(TrainLog.cloud, "DELETE FROM ExerciseSet")
        },
        Change("another winner", "winners") {
            try $0.write(
                TrainLog.cloud, "UPDATE UserSettings SET updatedAt = '2026-11-20T00:00:00Z' WHERE id = 'singleton'")
        },
        Change("a duplicate more", "setAside.cloud") {
            try $0.write(
                TrainLog.cloud,
                "INSERT INTO FavoriteExercise(exerciseId, createdAt) VALUES ('deadlift', '2026-11-01T00:00:00Z')")
        },
        Change("another conflict", "replaced.cloud") {
            try $0.write(TrainLog.local, "UPDATE Workout SET updatedAt = '2026-11-20T10:00:00Z', title = title || '!'")
        },
        Change("a legacy key more", "legacy.keys") { app in
            var values = try app.readPreferences()
            values["appTheme2"] = .string("dark")
            try app.writePreferences(values)
        },
        Change("another bucket", "legacy.buckets") { app in
            var values = try app.readPreferences()
            values["favoriteExercises"] = nil
            try app.writePreferences(values)
        },
    ]

    @Test("what would become different is shown in its part, without a failing check", arguments: changes)
    func differs(_ change: Change) throws {
        let app = try TrainLog(.twoDevices)
        try app.verify(updating: true)
        try change.change(app)
        let report = try app.verify()
        #expect(report.failedChecks == [])
        #expect(report.expectation?.verdict == .differs)
        let parts = Set(report.expectation?.differences.filter { $0.kind != .same }.map(\.part) ?? [])
        #expect(parts.contains(change.part), "\(parts)")
    }

    @Test("orphans that are allowed are counted")
    func orphans() throws {
        let app = try TrainLog(.container)
        try app.verify(updating: true)
        try app.write(TrainLog.local, ErrorTests.orphan)
        #expect(failure { try app.verify() }?.code == .data)
        let report = try app.verify { $0.allowsOrphans = true }
        let parts = Set(report.expectation?.differences.filter { $0.kind != .same }.map(\.part) ?? [])
        #expect(parts.isSuperset(of: ["orphans.cloud", "orphans.local", "counts.cloud"]))
    }

    @Test("a conflict rule that was changed in the manifest is seen")
    func mapping() throws {
        let app = try TrainLog(.twoDevices)
        try app.verify(updating: true)
        var other = TrainLogManifest()
        other.conflicts["FavoriteExercise"] = .keepNewest
        let manifest = try Manifest.load(path: app.folder.write(other.text, to: "other.yaml"))
        var options = MigrationOptions()
        options.now = .sampleNow
        let report = try Migration(manifest: manifest, container: .path(app.container), options: options)
            .verify(expecting: app.folder[TrainLog.expectation], updating: false)
        let lines = report.expectation?.differences ?? []
        #expect(lines.contains { $0.kind == .found && $0.part == "winners" && $0.text.contains("\"newest\"") })
    }

    @Test("a check that fails fails with any expectation")
    func failingCheck() throws {
        let app = try TrainLog(.container)
        try app.perform()
        try app.write(TrainLog.cloud, "DELETE FROM Workout WHERE rowid = 1; DELETE FROM ExerciseSet")
        let report = try app.verify(updating: true)
        #expect(report.failedChecks == ["everyRecordInCloud.ExerciseSet"])
        #expect(report.verify?.changedInCloud == [RunReport.Verify.Changes(entity: "Workout", deleted: 1, edited: 0)])
        #expect(report.outcome == .failed)
    }

    // MARK: Selected records

    private func select(_ app: TrainLog, _ items: String) throws {
        try app.verify(updating: true)
        let text = try app.folder.text(of: TrainLog.expectation)
        let edited = text.replacingOccurrences(of: "\"select\": []", with: "\"select\": [\(items)]")
        try #require(edited != text)
        try app.folder.write(edited, to: TrainLog.expectation)
    }

    @Test("selected records are written with the columns that were named, and compared")
    func selected() throws {
        let app = try TrainLog(.twoDevices)
        try select(
            app,
            """
            {"key": "singleton", "columns": ["weightUnitRaw", "theme"], "entity": "UserSettings"},
            {"entity": "FavoriteExercise", "key": "bench-press"}, {"entity": "Workout", "key": "no-such-key"}
            """)
        #expect(try app.verify().expectation?.verdict == .differs)
        try app.verify(updating: true)
        let text = try app.folder.text(of: TrainLog.expectation)
        #expect(
            text.contains(
                #"{"entity": "UserSettings", "key": "singleton", "columns": {"theme": "dark", "weightUnitRaw": "lb"}}"#)
        )
        #expect(text.contains(#""entity": "FavoriteExercise", "key": "bench-press", "columns": {"createdAt": "#))
        #expect(text.contains(#"{"entity": "Workout", "key": "no-such-key", "isMissing": true}"#))
        #expect(try app.verify().expectation?.verdict == .met)
        try app.perform()
        #expect(try app.verify().expectation?.verdict == .met)
        try app.write(TrainLog.cloud, "UPDATE UserSettings SET theme = 'light'")
        let lines = try app.verify().expectation?.differences.filter { $0.kind != .same } ?? []
        #expect(lines.map(\.part) == ["records", "records"])
        #expect(lines.map { $0.text.contains("light") } == [false, true])
    }

    @Test("a selection that the manifest or the table does not know is refused")
    func unknownSelection() throws {
        let app = try TrainLog(.container)
        try select(app, #"{"entity": "Workouts", "key": "x"}"#)
        #expect(failure { try app.verify() }?.message.contains("entity 'Workouts'") == true)
        try app.folder.remove(TrainLog.expectation)
        try select(app, #"{"entity": "Workout", "key": "x", "columns": ["titel"]}"#)
        let error = failure { try app.verify() }
        #expect(error?.code == .data)
        #expect(error?.message.contains("column 'titel' of Workout") == true)
        #expect(error?.hint?.contains("title") == true)
    }

    // MARK: The file

    @Test("an expectation that is missing, or no expectation, is refused and never replaced")
    func file() throws {
        let app = try TrainLog(.container)
        #expect(failure { try app.verify() }?.code == .noInput)
        for text in [
            "", "{", "[]", "{}", "my notes", "{\"format\":\"godwit-export\"}", "<<<<<<< HEAD\n{}",
            "{\"format\": \"godwit-expectation\", \"format\": 1}",
        ] {
            try app.folder.write(text, to: TrainLog.expectation)
            #expect(failure { try app.verify() }?.code == .data, "\(text)")
            #expect(failure { try app.verify(updating: true) }?.code == .data, "\(text)")
            #expect(try app.folder.text(of: TrainLog.expectation) == text)
        }
        try app.folder.remove(TrainLog.expectation)
        try app.folder.makeFIFO(TrainLog.expectation)
        #expect(failure { try app.verify() }?.code == .noInput)
        #expect(failure { try app.verify(updating: true) }?.code == .noInput)
    }

    @Test("an expectation that is reached by a link is read, and the link is not replaced")
    func link() throws {
        let app = try TrainLog(.container)
        try app.verify(updating: true)
        try app.folder.makeLink("link.json", to: TrainLog.expectation)
        #expect(try app.verify(updating: false, "link.json").expectation?.verdict == .met)
        #expect(failure { try app.verify(updating: true, "link.json") }?.code == .cannotCreate)
    }

    @Test("an expectation never gets the name of one of the app's own files")
    func reserved() throws {
        let app = try TrainLog(.container)
        let error = failure { try app.verify(updating: true, TrainLog.cloud) }
        #expect(error?.code == .cannotCreate)
        #expect(!app.folder.exists(TrainLog.cloud))
        #expect(failure { try app.verify(updating: true, ".godwit-tmp-expected") }?.code == .cannotCreate)
    }

    @Test("a dry run that fails writes no expectation")
    func failingRun() throws {
        let app = try TrainLog(.container)
        try app.write(TrainLog.local, ErrorTests.orphan)
        #expect(failure { try app.verify(updating: true) }?.code == .data)
        #expect(!app.folder.exists(TrainLog.expectation))
    }
}
