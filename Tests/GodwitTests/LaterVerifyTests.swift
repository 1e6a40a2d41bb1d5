import Godwit
import GodwitModel
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// `verify`, `status` and exports some time after the copy, when users have gone on in the cloud store.
struct LaterVerifyTests {
    /// What was done to the stores after the copy, and what is said of it.
    struct Step: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var local = ""
        var cloud = ""
        var changes: [RunReport.Verify.Changes] = []
        /// Checks that fail.
        var failed: [String] = []
        /// Checks that judge nothing, with how many records they count.
        var skipped: [String: Int64] = [:]
        var pending: [String: Int64] = [:]

        init(_ description: String, _ change: (inout Step) -> Void) {
            testDescription = description
            change(&self)
        }
    }

    private static func changed(_ entity: String, deleted: Int64 = 0, edited: Int64 = 0) -> RunReport.Verify.Changes {
        RunReport.Verify.Changes(entity: entity, deleted: deleted, edited: edited)
    }

    static let deletions = [
        Step("one record is deleted in the cloud store") {
            $0.cloud = "DELETE FROM Note WHERE id = 'n3'"
            $0.changes = [changed("Note", deleted: 1)]
        },
        Step("a parent and its children are deleted in the cloud store") {
            $0.cloud = "DELETE FROM Line WHERE noteId = 'n1'; DELETE FROM Note WHERE id = 'n1'"
            $0.changes = [changed("Note", deleted: 1), changed("Line", deleted: 2)]
        },
        Step("a parent is deleted in the cloud store and its children are not") {
            $0.cloud = "DELETE FROM Note WHERE id = 'n1'"
            $0.changes = [changed("Note", deleted: 1)]
            $0.failed = ["references.cloud"]
        },
        Step("every record of an entity is deleted in the cloud store") {
            $0.cloud = "DELETE FROM Line"
            $0.failed = ["everyRecordInCloud.Line"]
            $0.pending = ["Line": 3]
        },
        Step("every copied record is deleted in the cloud store, and there are others") {
            $0.cloud = "DELETE FROM Line; INSERT INTO Line VALUES ('other', 'n1', '2026-11-20T08:00:00Z')"
            $0.failed = ["everyRecordInCloud.Line"]
            $0.pending = ["Line": 3]
        },
        Step("the record of a singleton is deleted in the cloud store") {
            $0.cloud = "DELETE FROM Settings"
            $0.failed = ["everyRecordInCloud.Settings"]
            $0.pending = ["Settings": 1]
        },
        Step("a record whose date can't be read is deleted in the cloud store") {
            $0.cloud = "DELETE FROM Note WHERE id = 'n4'"
            $0.skipped = ["notJudged.Note": 1]
        },
        Step("a record that is dated ahead is deleted in the cloud store") {
            $0.cloud = "DELETE FROM Note WHERE id = 'n5'"
            $0.skipped = ["notJudged.Note": 1]
        },
        Step("a record of an entity without dates is deleted in the cloud store") {
            $0.cloud = "DELETE FROM Tag WHERE id = 't1'"
            $0.skipped = ["notJudged.Tag": 1]
        },
        Step("a record of an entity without dates is added to the local store") {
            $0.local = "INSERT INTO Tag VALUES ('late', 'x')"
            $0.failed = ["everyRecordInCloud.Tag"]
            $0.pending = ["Tag": 1]
        },
        Step("without dates, one record is added to the local store and two are deleted in the cloud store") {
            $0.local = "INSERT INTO Tag VALUES ('late', 'x')"
            $0.cloud = "DELETE FROM Tag WHERE id < 't3'"
            $0.failed = ["everyRecordInCloud.Tag"]
            $0.skipped = ["notJudged.Tag": 2]
            $0.pending = ["Tag": 1]
        },
        Step("one record is deleted in the cloud store, and one is written to the local store later") {
            $0.local = "INSERT INTO Note VALUES ('late', 'x', '\(later)')"
            $0.cloud = "DELETE FROM Note WHERE id = 'n3'"
            $0.changes = [changed("Note", deleted: 1)]
            $0.failed = ["everyRecordInCloud.Note"]
            $0.pending = ["Note": 1]
        },
        Step("a record with a date before the copy is added to the local store") {
            $0.local = "INSERT INTO Note VALUES ('late', 'x', '2026-11-18')"
            $0.failed = ["everyRecordInCloud.Note"]
            $0.pending = ["Note": 1]
        },
        Step("a record is deleted in the cloud store, and one with a date before the copy is added to the local store")
        {
            $0.local = "INSERT INTO Note VALUES ('late', 'x', '2026-11-18')"
            $0.cloud = "DELETE FROM Note WHERE id = 'n3'"
            $0.changes = [changed("Note", deleted: 1)]
            $0.failed = ["everyRecordInCloud.Note"]
            $0.pending = ["Note": 1]
        },
        Step("a record is deleted in the cloud store and written to the local store later") {
            $0.local = "UPDATE Note SET title = 'x', updatedAt = '\(later)' WHERE id = 'n3'"
            $0.cloud = "DELETE FROM Note WHERE id = 'n3'"
            $0.failed = ["everyRecordInCloud.Note"]
            $0.pending = ["Note": 1]
        },
    ]

    static let edits = [
        Step("a record is edited in the cloud store") {
            $0.cloud = "UPDATE Note SET title = 'x', updatedAt = '\(later)' WHERE id = 'n1'"
            $0.changes = [changed("Note", edited: 1)]
        },
        Step("records are deleted and edited in the cloud store, with a date before the copy as well") {
            $0.cloud = """
                UPDATE Note SET title = 'x', updatedAt = '2026-11-20T11:30:00Z' WHERE id = 'n1';
                DELETE FROM Note WHERE id = 'n3'
                """
            $0.changes = [changed("Note", deleted: 1, edited: 1)]
        },
        Step("a record whose earliest date wins is edited in the cloud store") {
            $0.cloud = "UPDATE Pin SET place = 7, addedAt = '\(later)' WHERE id = 'p1'"
            $0.changes = [changed("Pin", edited: 1)]
        },
        Step("the record of a singleton is edited in the cloud store") {
            $0.cloud = "UPDATE Settings SET unit = 'oz', at = '\(later)'"
            $0.changes = [changed("Settings", edited: 1)]
        },
        Step("a record of which the local one is kept is edited in the cloud store") {
            $0.cloud = "UPDATE Mine SET text = 'x', at = '\(later)' WHERE id = 'm1'"
            $0.changes = [changed("Mine", edited: 1)]
        },
        Step("a record is changed in the cloud store under an equal date") {
            $0.cloud = "UPDATE Note SET title = 'x' WHERE id = 'n1'"
            $0.failed = ["sameValues.Note"]
        },
        Step("a record of which the local one is kept is changed in the cloud store under an equal date") {
            $0.cloud = "UPDATE Mine SET text = 'x' WHERE id = 'm1'"
            $0.failed = ["everyRecordInCloud.Mine"]
            $0.pending = ["Mine": 1]
        },
        Step("a record has an earlier date in the cloud store") {
            $0.cloud = "UPDATE Note SET title = 'x', updatedAt = '2001-01-01' WHERE id = 'n1'"
            $0.failed = ["everyRecordInCloud.Note"]
            $0.pending = ["Note": 1]
        },
        Step("a record of an entity without dates is changed in the cloud store") {
            $0.cloud = "UPDATE Tag SET title = 'x' WHERE id = 't1'"
            $0.skipped = ["sameValues.Tag": 1]
        },
        Step("a record is edited in the local store later") {
            $0.local = "UPDATE Note SET title = 'x', updatedAt = '\(later)' WHERE id = 'n1'"
            $0.failed = ["everyRecordInCloud.Note"]
            $0.pending = ["Note": 1]
        },
        Step("a record is edited in both stores, in the cloud store last") {
            $0.local = "UPDATE Note SET title = 'x', updatedAt = '\(later)' WHERE id = 'n1'"
            $0.cloud = "UPDATE Note SET title = 'y', updatedAt = '2026-11-20T12:01:00Z' WHERE id = 'n1'"
            $0.changes = [changed("Note", edited: 1)]
        },
    ]

    private static let copied = Instant(iso8601: "2026-11-20T12:00:00.500Z")
    private static let later = "2026-11-20T12:00:30Z"

    private static let schema = """
        CREATE TABLE Note(id TEXT PRIMARY KEY, title TEXT, updatedAt TEXT);
        CREATE TABLE Line(id TEXT PRIMARY KEY, noteId TEXT, at TEXT);
        CREATE TABLE Tag(id TEXT PRIMARY KEY, title TEXT);
        CREATE TABLE Pin(id TEXT PRIMARY KEY, place INTEGER, addedAt TEXT);
        CREATE TABLE Mine(id TEXT PRIMARY KEY, text TEXT, at TEXT);
        CREATE TABLE Settings(id TEXT PRIMARY KEY, unit TEXT, at TEXT);
        """
    private static let records = """
        INSERT INTO Note VALUES ('n1', 'a', '2026-11-19T12:00:00Z'), ('n2', 'b', '2026-11-20T11:59:59.250Z'),
          ('n3', 'c', '2025-02-03T04:05:06+09:00'), ('n4', 'd', 'some day'), ('n5', 'e', '2030-01-01');
        INSERT INTO Line VALUES ('l1', 'n1', '2026-11-19'), ('l2', 'n1', '2026-11-19'), ('l3', 'n2', '2026-11-19');
        INSERT INTO Tag VALUES ('t1', 'a'), ('t2', 'b'), ('t3', 'c'), ('t4', 'd');
        INSERT INTO Pin VALUES ('p1', 1, '2026-11-19'), ('p2', 2, '2026-11-19');
        INSERT INTO Mine VALUES ('m1', 'a', '2026-11-19'), ('m2', 'b', '2026-11-19');
        INSERT INTO Settings VALUES ('one', 'g', '2026-11-19');
        """

    private static func container(journal: String? = nil) throws -> NoteApp {
        let app = try NoteApp(
            entities: """
                  Note: { key: id, modified: updatedAt }
                  Line: { key: id, modified: at, belongsTo: { noteId: Note } }
                  Tag: { key: id }
                  Pin: { key: id, modified: addedAt, conflict: keepEarliest }
                  Mine: { key: id, modified: at, conflict: keepLocal }
                  Settings: { key: id, modified: at, singleton: one }
                """,
            migrations: [schema])
        try SampleStore.make(app.folder[NoteApp.local], journal: journal, schema + records)
        try app.perform { $0.now = copied }
        return app
    }

    private static func laterOn(_ options: inout MigrationOptions) {
        options.now = Instant(iso8601: "2026-11-21T00:00:00Z")
    }

    @Test(
        "verify, status and export distinguish users' changes in the cloud store from pending changes",
        arguments: deletions + edits
    )
    func finds(_ step: Step) throws {
        let app = try Self.container()
        #expect(try app.perform(.verify, Self.laterOn).verify?.changedInCloud == nil)
        if !step.local.isEmpty { try app.write(NoteApp.local, step.local) }
        if !step.cloud.isEmpty { try app.write(NoteApp.cloud, step.cloud) }
        let before = try FolderFingerprint(app.folder["container"])

        let report = try app.perform(.verify, Self.laterOn)
        #expect(report.failedChecks == step.failed)
        #expect(report.verify?.changedInCloud ?? [] == step.changes)
        let skipped = report.verify?.checks.filter { $0.verdict == .skipped && $0.count != nil } ?? []
        #expect(Dictionary(uniqueKeysWithValues: skipped.map { ($0.name, $0.count ?? 0) }) == step.skipped)

        #expect(try app.migration(Self.laterOn).status().pendingChanges == step.pending)
        let made = try app.migration(Self.laterOn).export(to: app.folder["export.json"], options: .init())
        #expect(made.freshness.pendingChanges == step.pending.values.reduce(0, +))
        #expect(made.freshness.reasons.contains { $0.code == .pendingChanges } == !step.pending.isEmpty)
        #expect(try FolderFingerprint(app.folder["container"]).differences(from: before) == [])

        // A further run brings nothing back.
        let cloud = try StoreContents(StoreCopy(of: app.folder[NoteApp.cloud]).store)
        #expect(try app.perform(.run, Self.laterOn).copy?.outcome == .alreadyDone)
        #expect(try StoreContents(StoreCopy(of: app.folder[NoteApp.cloud]).store) == cloud)
    }

    @Test("a deleted record is named", arguments: ["DELETE", "WAL", "TRUNCATE", "PERSIST"])
    func names(journal: String) throws {
        let app = try Self.container(journal: journal)
        try app.write(NoteApp.cloud, "DELETE FROM Note WHERE id IN ('n1', 'n3'); DELETE FROM Line WHERE noteId = 'n1'")
        let check = try #require(try app.perform(.verify, Self.laterOn).check("everyRecordInCloud.Note"))
        #expect(check.verdict == .passed && check.count == 5)
        #expect(check.detail == "3 of 5 local records are in the cloud store; 2 were deleted there since the copy")
        #expect(check.records == [RunReport.Verify.Record("n1", .deleted), RunReport.Verify.Record("n3", .deleted)])
    }

    @Test("without a receipt that can be read every local record has to be in the cloud store")
    func noReceipt() throws {
        let app = try Self.container()
        try app.write(NoteApp.cloud, "DELETE FROM Note WHERE id = 'n3'; UPDATE godwit_receipt SET detail = 'x'")
        #expect(try app.perform(.verify, Self.laterOn).failedChecks == ["everyRecordInCloud.Note"])
        #expect(try app.migration(Self.laterOn).status().pendingChanges == ["Note": 1])
    }

    @Test("an entity that the receipt does not know waits for the next run")
    func newEntity() throws {
        var app = try NoteApp(
            entities: "  Note: { key: id, modified: updatedAt }", migrations: [Self.note + Self.extra])
        try app.write(
            NoteApp.local, Self.note + Self.extra + "INSERT INTO Note VALUES ('n1', 'a', '2026-11-19');")
        try app.perform { $0.now = Self.copied }
        try app.write(NoteApp.local, "INSERT INTO Extra VALUES ('x1', '2020-01-01'), ('x2', NULL)")
        try app.write(NoteApp.cloud, "INSERT INTO Extra VALUES ('x2', NULL)")
        app.entities += "\n  Extra: { key: id, modified: at }"
        #expect(try app.migration(Self.laterOn).status().pendingChanges == ["Extra": 1])
        #expect(try app.perform(.verify, Self.laterOn).failedChecks == ["everyRecordInCloud.Extra"])
    }

    @Test("records that lost under an equal date at the copy are not a difference later")
    func mergedTies() throws {
        let app = try NoteApp(entities: "  Note: { key: id, modified: updatedAt }", migrations: [Self.note])
        try app.write(
            NoteApp.local,
            Self.note
                + "INSERT INTO Note VALUES ('n1', 'a', '2026-11-19'), ('n2', 'b', NULL), ('n4', 'd', '2026-11-19');")
        try app.write(
            NoteApp.cloud,
            Self.note
                + "INSERT INTO Note VALUES ('n1', 'x', '2026-11-19'), ('n2', 'b', NULL), ('n3', 'y', '2026-11-20');")
        try app.perform { $0.now = Self.copied }
        let report = try app.perform(.verify, Self.laterOn)
        #expect(report.failedChecks == [])
        #expect(report.check("sameValues.Note")?.verdict == .skipped)
        #expect(report.verify?.changedInCloud == nil)
        // One more than the copy left is a difference.
        try app.write(NoteApp.cloud, "UPDATE Note SET title = 'z' WHERE id = 'n4'")
        #expect(try app.perform(.verify, Self.laterOn).failedChecks == ["sameValues.Note"])
    }

    private static let extra = "CREATE TABLE Extra(id TEXT PRIMARY KEY, at TEXT);"
    private static let note = "CREATE TABLE Note(id TEXT PRIMARY KEY, title TEXT, updatedAt TEXT);"

    @Test("records of a Core Data store that users deleted or edited in the cloud store are not a difference")
    func coreData() throws {
        let app = try CoreDataApp()
        try app.perform()
        try app.write(
            CoreDataApp.cloud,
            """
            DELETE FROM ExerciseSet WHERE id = (SELECT min(id) FROM ExerciseSet);
            UPDATE Workout SET name = 'x', updatedAt = '2026-11-21T06:00:01Z' WHERE id = (SELECT min(id) FROM Workout);
            """)
        let report = try app.perform(.verify)
        #expect(report.failedChecks == [])
        #expect(
            report.verify?.changedInCloud == [
                Self.changed("Workout", edited: 1), Self.changed("ExerciseSet", deleted: 1),
            ])
        #expect(try app.migration().status().pendingChanges == [:])
    }
}
