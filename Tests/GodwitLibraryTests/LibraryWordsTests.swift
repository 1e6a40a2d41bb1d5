import Foundation
import Godwit
import Testing

/// Errors, warnings and next steps as the developers of an app see them.
struct LibraryWordsTests {
    let folder: URL
    private static let sample = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../SampleData/trainlog").standardizedFileURL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "godwit-words-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: Self.sample.appending(path: "container"), to: folder.appending(path: "container"))
    }

    private func migration(_ container: String = "container", _ options: MigrationOptions = .init()) throws -> Migration
    {
        var options = options
        options.now = Instant(iso8601: "2026-11-21T08:00:00Z")
        return try Migration(
            manifest: .init(contentsOf: Self.sample.appending(path: "godwit.yaml")),
            container: .directory(folder.appending(path: container)), options: options)
    }

    /// All texts of a report, or of the error and its report.
    private func texts<Report: Encodable>(_ work: () async throws -> Report) async throws -> String {
        do {
            return try json(await work())
        } catch let error as GodwitError {
            return try error.description + " " + (error.report.map { try json($0) } ?? "")
        }
    }

    private func json(_ report: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
    }

    private func expectNothingOfCommandLine(_ texts: String) {
        #expect(!texts.contains(#/--[a-z]|godwit [a-z]/#), "\(texts)")
    }

    @Test("an error names the option or the call of the library")
    func errors() async throws {
        try FileManager.default.createDirectory(
            at: folder.appending(path: "empty"), withIntermediateDirectories: true)
        let (out, increment) = (folder.appending(path: "a.json"), folder.appending(path: "b.json"))
        let other = folder.appending(path: "c.json")
        let migration = try migration()
        _ = try await migration.export(to: out)
        var since = ExportOptions(replacesExisting: true)
        since.since = out
        let changes = since
        _ = try await migration.export(to: increment, changes)
        let found = [
            (try await texts { try await self.migration("missing").plan() }, "`ContainerLocation`"),
            (try await texts { try await self.migration("empty").plan() }, "`ContainerLocation`"),
            (try await texts { try await migration.export(to: out) }, "`ExportOptions.replacesExisting`"),
            (try await texts { try await migration.export(to: out, changes) }, "`ExportOptions.since`"),
            (try await texts { try await migration.export(to: other, .init(store: .cloud)) }, "`ExportOptions.store`"),
            (
                try await texts { try await migration.export(to: other, .init(minRecords: 10_000)) },
                "`ExportOptions.minRecords`"
            ),
            (
                try await texts { try await migration.restore(from: increment, to: other) },
                "`Migration.restore(from:to:)`"
            ),
            (try await texts { try await migration.rollback(to: folder) }, "`RunReport.backup`"),
            (try await texts { try await migration.undoDedupe(run: "none") }, "`Migration.history()`"),
        ]
        for (texts, name) in found {
            #expect(texts.contains(name), "\(texts)")
            expectNothingOfCommandLine(texts)
        }
    }

    @Test("the next steps of a report are calls of the library")
    func nextSteps() async throws {
        var options = MigrationOptions()
        options.backupFolder = folder.appending(path: "backups")
        let migration = try migration("container", options)
        // In this order: each finds what the one before it left.
        let found = [
            (try await texts { try await migration.status() }, "`Migration.plan()`"),
            (try await texts { try await migration.verify() }, "`Migration.run()`"),
            (try await texts { try await migration.plan() }, "`Migration.run()`"),
            (try await texts { try await migration.run() }, "`Migration.rollback(to:)`"),
            (try await texts { try await migration.reopen(isDryRun: true) }, "`Migration.reopen()`"),
            (try await texts { try await migration.reopen(all: true) }, "`Migration.run()`"),
            (try await texts { try await migration.verify() }, "was reopened; `Migration.run()` copies"),
        ]
        for (texts, name) in found {
            #expect(texts.contains(name), "\(texts)")
            expectNothingOfCommandLine(texts)
        }
    }
}
