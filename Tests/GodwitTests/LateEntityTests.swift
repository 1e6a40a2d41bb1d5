import Godwit
import GodwitModel
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// What comes up after a copy: entities that the manifest did not have, records that were never in the cloud, stores
/// that were looked for in the wrong place.
struct LateEntityTests {
    private static let create = """
        CREATE TABLE Note(id TEXT PRIMARY KEY, body TEXT, updatedAt TEXT);
        CREATE TABLE Tag(id TEXT PRIMARY KEY, noteId TEXT, updatedAt TEXT);
        """
    private static let note = "  Note: { key: id, modified: updatedAt }"
    private static let tag = note + "\n  Tag: { key: id, modified: updatedAt, belongsTo: { noteId: Note } }"

    private func app(_ entities: String = note) throws -> NoteApp {
        let app = try NoteApp(entities: entities, migrations: [Self.create])
        try app.write(
            NoteApp.local,
            Self.create + """
                INSERT INTO Note VALUES ('n', 'text', '2026-01-01'), ('m', 'text', '2026-01-01');
                INSERT INTO Tag VALUES ('t', 'n', '2026-01-01'), ('u', 'm', '2026-01-01');
                """)
        return app
    }

    @Test("children of a parent that users deleted in the cloud are refused before anything is written, or set aside")
    func deletedParent() throws {
        var app = try app()
        try app.perform()
        try app.write(NoteApp.cloud, "DELETE FROM Note WHERE id = 'm'")
        app.entities = Self.tag
        app.legacy = "  favorites: [{ key: tags, into: Tag.id }]"
        try app.folder.write(
            Array(
                PropertyListSerialization.data(
                    fromPropertyList: ["tags": ["v"], "moved": true], format: .xml, options: 0)),
            to: NoteApp.preferences)
        for dryRun in [true, false] {
            let error = try #require(failure { try app.perform(dryRun: dryRun) })
            #expect(error.message.contains("(`noteId` of the record 'u')"))
            #expect(error.hint?.contains("missing: setAside") == true)
        }
        #expect(try app.column(NoteApp.cloud, "SELECT count(*) FROM Tag") == ["0"])
        app.entities = Self.tag.replacingOccurrences(
            of: "noteId: Note", with: "noteId: { entity: Note, missing: setAside }")
        let report = try app.perform()
        #expect(report.notes.map(\.code).contains("orphansSettled"))
        #expect(try app.column(NoteApp.cloud, "SELECT id FROM Tag ORDER BY id") == ["t", "v"])
        #expect(try app.column(NoteApp.cloud, "SELECT key FROM godwit_removed") == ["u"])
        let verified = try app.perform(.verify)
        #expect(verified.outcome != .failed, "\(verified.verify?.checks.filter { $0.verdict == .failed } ?? [])")
        #expect(try app.perform().outcome == .alreadyDone)
    }

    @Test("after a reopen, parents that come back with the children of an added entity are warned of before they do")
    func parentsComeBack() throws {
        var app = try app()
        try app.perform()
        try app.write(NoteApp.cloud, "DELETE FROM Note WHERE id = 'm'")
        app.entities = Self.tag
        _ = try app.migration().reopen(all: false, dryRun: false)
        let strict = try app.perform { $0.isStrict = true }
        #expect(strict.stoppedBy == .strict && strict.warnings.map(\.code) == ["copiedAgain"])
        #expect(try app.column(NoteApp.cloud, "SELECT id FROM Note") == ["n"])
        let run = try app.perform()
        #expect(run.warnings.map(\.message) == strict.warnings.map(\.message))
        #expect(run.warnings.first?.message.hasSuffix(": 1 `Note`") == true)
        #expect(try app.column(NoteApp.cloud, "SELECT id FROM Note ORDER BY id") == ["m", "n"])
    }

    @Test("an entity that came into the manifest after the copy is copied by the next run, and nothing else is")
    func added() throws {
        var app = try app()
        let first = try app.perform()
        #expect(first.leftBehind?.contains { $0.hint?.contains("run again") == true } == true)
        // What a user has deleted in the cloud since then stays deleted.
        try app.write(NoteApp.cloud, "DELETE FROM Note WHERE id = 'm'; DELETE FROM Tag")
        app.entities = Self.tag
        let plan = try app.perform(dryRun: true) { $0.allowsOrphans = true }
        let report = try app.perform { $0.allowsOrphans = true }
        #expect(plan.copy?.entities == report.copy?.entities)
        #expect(report.copy?.added == ["Tag"])
        #expect(report.copy?.entities.map { [$0.name, "\($0.inserted)"] } == [["Tag", "2"]])
        #expect(report.outcome == .done && report.failedChecks == [])
        #expect(try app.column(NoteApp.cloud, "SELECT id FROM Tag ORDER BY id") == ["t", "u"])
        #expect(try app.column(NoteApp.cloud, "SELECT id FROM Note") == ["n"])
        let cloud = try app.folder.bytes(of: NoteApp.cloud)
        let again = try app.perform { $0.allowsOrphans = true }
        #expect(again.copy?.outcome == .alreadyDone)
        #expect(try app.folder.bytes(of: NoteApp.cloud) == cloud)
    }

    @Test("its orphans are refused as in any copy, and nothing is written")
    func orphans() throws {
        var app = try app()
        try app.perform()
        try app.write(NoteApp.cloud, "DELETE FROM Note WHERE id = 'm'")
        app.entities = Self.tag
        let cloud = try app.folder.bytes(of: NoteApp.cloud)
        #expect(failure { try app.perform() }?.code == .data)
        #expect(try app.folder.bytes(of: NoteApp.cloud) == cloud)
    }

    @Test("an entity that has no records yet is nothing to copy")
    func empty() throws {
        var app = try app()
        try app.write(NoteApp.local, "DELETE FROM Tag")
        try app.perform()
        app.entities = Self.tag
        #expect(try app.perform().copy?.outcome == .alreadyDone)
    }

    @Test("a run that was stopped before its flag accounts for what differs since")
    func healedDifference() throws {
        let app = try app()
        _ = failure { try app.migration().perform(.run, dryRun: false, faultPoint: Fault(at: .beforeFlag).meet) }
        // The same date: the rule lets the cloud's stay, and the edit is nowhere else.
        try app.write(NoteApp.local, "UPDATE Note SET body = 'edited' WHERE id = 'n'")
        let report = try app.perform()
        #expect(report.copied("Note")?.cloudKept == 1)
        #expect(report.copied("Note")?.equal == 1)
        #expect(try app.perform().copy?.outcome == .alreadyDone)
    }

    @Test("a store that was made only for legacy values gets a warning, in the plan and in the run")
    func madeStore() throws {
        var app = try NoteApp(
            entities: Self.note, migrations: [Self.create], preferences: ["starred": ["a"]])
        app.legacy = "  favorites: [{ key: starred, into: Note.id }]"
        for dryRun in [true, false] {
            let warning = try app.perform(dryRun: dryRun).warnings.first { $0.code == "localStoreMissing" }
            #expect(warning?.message.contains("Notes.store") == true)
            #expect(warning?.hint?.contains("`groups` of the `ContainerLocation`") == true)
        }
        #expect(try !app.perform().warnings.contains { $0.code == "localStoreMissing" })
    }

    @Test("a next step names the group containers and what else the real thing needs", .commandLineWords)
    func nextStep() throws {
        let app = try app(Self.tag)
        try app.folder.makeFolder("group one")
        try app.write(NoteApp.local, "INSERT INTO Tag VALUES ('o', 'missing', '2026-01-01')")
        let group = app.folder["group one"]
        let report = try app.perform(dryRun: true) { ($0.groupContainers, $0.allowsOrphans) = ([group], true) }
        let step = try #require(report.nextSteps.first { $0.contains("To make these changes") })
        #expect(step.contains("--group-container '\(group)'"))
        #expect(step.contains(" --allow-orphans"))
        let done = try app.perform { ($0.groupContainers, $0.allowsOrphans) = ([group], true) }
        #expect(done.nextSteps.contains { $0.contains("export") && $0.contains("--group-container") })
    }

    @Test(
        "after an undo in the local store, dedupe is proposed only if it works on that store", .commandLineWords)
    func undoneAfterCopy() throws {
        let create = Self.create.replacingOccurrences(of: " PRIMARY KEY", with: "")
        let app = try NoteApp(entities: Self.note, migrations: [create])
        try app.write(
            NoteApp.local, create + "INSERT INTO Note VALUES ('n', '1', '2026-01-01'), ('n', '2', '2026-01-02')")
        try app.perform(.dedupe)
        try app.perform()
        let report = try app.migration().undoDedupe(of: "latest", dryRun: false)
        #expect(report.undo?.stores.contains { $0.store == .local && $0.outcome == .done } == true)
        #expect(report.nextSteps.allSatisfy { !$0.contains("dedupe -m") })
    }

    @Test("a store that is in a second place as well is reported, in the dry run, too", arguments: [true, false])
    func twoPlaces(isDryRun: Bool) throws {
        let app = try app()
        let group = app.folder["group"]
        try app.folder.makeFolder("group/Library/Application Support")
        try app.write("group/Library/Application Support/Notes.store", Self.create)
        let report = try app.perform(dryRun: isDryRun) { ($0.groupContainers, $0.allowsOrphans) = ([group], true) }
        let warnings = report.warnings.filter { $0.code == "storeInTwoPlaces" }
        #expect(warnings.count == 1)
        #expect(warnings.first?.message.contains("Notes.store` exists in ") == true)
        // The same place twice is one.
        for groups in [[], [app.folder["container"]]] {
            let report = try app.perform(dryRun: isDryRun) { ($0.groupContainers, $0.allowsOrphans) = (groups, true) }
            #expect(report.warnings.allSatisfy { $0.code != "storeInTwoPlaces" })
        }
    }
}
