import Godwit
import GodwitModel
import FoundationLite
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Exports as the pipeline makes them: of the active store, with what is known of their freshness.
struct ExportTests {
    @discardableResult
    private func export(
        _ app: TrainLog, _ options: ExportOptions = .init(), _ change: (inout MigrationOptions) -> Void = { _ in }
    ) throws -> ExportReport {
        try app.migration(change).exportAndKeep(to: app.folder["export.json"], options: options)
    }

    private func codes(_ report: ExportReport) -> Set<Freshness.Code> { Set(report.freshness.reasons.map(\.code)) }

    @Test("before the copy the local store is exported, after it the cloud store")
    func activeStore() throws {
        let app = try TrainLog(.twoDevices)
        let before = try export(app)
        #expect((before.store, before.counts["Workout"]) == (.local, 40))
        #expect(codes(before).isSuperset(of: [.copyNotDone, .pendingChanges]))
        try app.perform()
        let after = try export(app, ExportOptions(replacesExisting: true))
        #expect((after.store, after.counts["Workout"]) == (.cloud, 45))
        #expect(codes(after).isDisjoint(with: [.copyNotDone, .copyInterrupted, .pendingChanges]))
        #expect(after.freshness.pendingChanges == 0)
    }

    @Test("the document holds what SQLite counts, and its own integrity block says so")
    func document() throws {
        let app = try TrainLog(.twoDevices)
        try app.perform()
        let report = try export(app)
        let document = try JSONDecoder().decode(Document.self, from: Data(contentsOf: app.folder.url("export.json")))
        #expect(document.format == "godwit-export")
        #expect(document.entities.map(\.name) == ["Workout", "ExerciseSet", "FavoriteExercise", "UserSettings"])
        for entity in document.entities {
            let count = try app.count(TrainLog.cloud, of: entity.name)
            #expect(entity.count == count && entity.records.count == count, "\(entity.name)")
            #expect(document.integrity.counts[entity.name] == count)
            #expect(report.counts[entity.name] == Int64(count))
        }
        #expect(document.integrity.sha256 == report.sha256)
        let size = try app.folder.fingerprint().files["export.json"]?.size
        #expect(size == report.bytes)
    }

    private struct Document: Decodable {
        struct Entity: Decodable {
            var name: String
            var count: Int
            var records: [Record]
        }
        struct Record: Decodable {}
        struct Integrity: Decodable {
            var counts: [String: Int]
            var sha256: String
        }
        var format: String
        var entities: [Entity]
        var integrity: Integrity
    }

    @Test("an export changes nothing in the container", arguments: Shape.allCases)
    func readOnly(_ shape: Shape) throws {
        let app = try shape.make()
        for _ in 0..<2 {
            let before = try app.fingerprint()
            _ = failure { try export(app, ExportOptions(replacesExisting: true)) }
            #expect(try app.fingerprint().differences(from: before) == [])
            try app.perform()
        }
        #expect(app.folder.exists("export.json"))
    }

    @Test("a copy that was interrupted, and changes that wait, are reasons to doubt an export")
    func interrupted() throws {
        let app = try TrainLog(.twoDevices)
        _ = failure { try app.perform(faultPoint: Fault(at: .beforeFlag).meet) }
        try app.write(
            TrainLog.local, "INSERT INTO Workout VALUES ('late', 'x', NULL, 's', NULL, 'c', '2026-11-20T23:00:00Z')")
        let report = try export(app)
        #expect(codes(report).isSuperset(of: [.copyInterrupted, .pendingChanges]))
        #expect(report.freshness.pendingChanges == 1)
        #expect(report.freshness.mayBeStale)
    }

    @Test("a flag without a receipt is a reason to doubt an export")
    func flagWithoutReceipt() throws {
        let app = try TrainLog(.twoDevices)
        try app.writePreferences(["cloudMigrationDone": .bool(true)])
        let report = try export(app)
        #expect(report.store == .cloud)
        #expect(codes(report).contains(.copyNotDone))
    }

    /// Lines of the events file, account, network, and what an export of it must say.
    static let syncs: [(String, Freshness.Account, Freshness.Network, Freshness.Code)] = [
        (#"{"type":"import","startedAt":"2026-11-21T05:59:00Z"}"#, .available, .online, .syncing),
        (
            #"{"type":"import","startedAt":"2026-11-21T05:00:00Z","endedAt":"2026-11-21T05:01:00Z","succeeded":false,"error":{"domain":"CKErrorDomain","code":9}}"#,
            .available, .online, .syncError
        ),
        ("", .available, .offline, .offline),
        ("", .noAccount, .online, .noAccount),
    ]

    @Test("what is known of the sync is in the verdict", arguments: syncs)
    func sync(
        _ events: String, _ account: Freshness.Account, _ network: Freshness.Network, _ code: Freshness.Code
    ) throws {
        let app = try TrainLog(.container)
        try app.perform()
        try app.folder.write(events, to: TrainLog.syncEvents)
        let report = try export(app) {
            $0.account = account
            $0.network = network
        }
        #expect(codes(report).contains(code))
        #expect(report.freshness.sync.availability == account)
    }

    @Test(
        "records of last night pass; records of last month do not",
        arguments: [
            (Int64(0), Freshness.Status.pass), (43_200, .warn), (30 * 86_400, .error),
        ])
    func age(_ seconds: Int64, _ status: Freshness.Status) throws {
        let app = try TrainLog()
        let saved = Instant(seconds: Instant.sampleNow.seconds - 60).iso8601
        try app.make(TrainLog.local, "INSERT INTO Workout VALUES ('w', 't', NULL, 's', NULL, 'c', '\(saved)')")
        try app.perform()
        try app.folder.write(
            ["setup", "import", "export"].map {
                #"{"type":"\#($0)","startedAt":"2026-11-21T05:00:00Z","endedAt":"2026-11-21T05:01:00Z","succeeded":true}"#
            }.joined(separator: "\n"), to: TrainLog.syncEvents)
        let report = try export(app) {
            $0.now = Instant.sampleNow.advanced(bySeconds: seconds)
            $0.account = .available
            $0.network = .online
        }
        #expect(report.freshness.status == status)
        #expect(report.freshness.ageSeconds == 60 + seconds)
    }

    @Test("an export of an empty store says that it has no records; without a store the input is missing")
    func noData() throws {
        let app = try TrainLog()
        #expect(failure { try export(app) }?.code == .noInput)
        try app.make(TrainLog.local)
        let report = try export(app)
        #expect(report.freshness.status == .noData)
        #expect(report.counts.values.allSatisfy { $0 == 0 })
    }

    @Test("nothing is overwritten but an older export, and that only when asked to")
    func existing() throws {
        let app = try TrainLog(.twoDevices)
        try app.folder.write("a letter", to: "export.json")
        #expect(failure { try export(app) }?.code == .cannotCreate)
        #expect(failure { try export(app, ExportOptions(replacesExisting: true)) }?.code == .cannotCreate)
        #expect(try app.folder.text(of: "export.json") == "a letter")
        try app.folder.remove("export.json")
        try export(app)
        #expect(failure { try export(app) }?.code == .cannotCreate)
        try export(app, ExportOptions(replacesExisting: true))
        let other = try app.folder.text(of: "export.json").replacing("TrainLog\",", with: "TrainLog 2\",")
        #expect(other.contains("\"app\": \"TrainLog 2\""))
        try app.folder.remove("export.json")
        try app.folder.write(other, to: "export.json")
        let error = failure { try export(app, ExportOptions(replacesExisting: true)) }
        #expect(error?.code == .cannotCreate && error?.message.contains("another app, TrainLog 2") == true)
        #expect(try app.folder.text(of: "export.json") == other)
    }

    @Test(
        "what another program puts under the name while the export is made is not replaced", arguments: [false, true])
    func changedMeanwhile(isThereBefore: Bool) throws {
        let app = try TrainLog(.twoDevices)
        if isThereBefore { try export(app) }
        let folder = app.folder
        let error = failure {
            try app.migration().exportAndKeep(
                to: folder["export.json"], options: ExportOptions(replacesExisting: true),
                faultPoint: { point throws(GodwitError) in
                    guard point == .beforeExportRename else { return }
                    _ = try? folder.write("a letter", to: "export.json")
                })
        }
        #expect(error?.code == .cannotCreate, "\(error?.description ?? "was replaced")")
        #expect(try folder.text(of: "export.json") == "a letter")
        #expect(!folder.names().contains { $0.hasPrefix(".godwit-") })
    }

    @Test("the dry run of an export and one that fails before it is put in place leave no file")
    func noFile() throws {
        let app = try TrainLog(.twoDevices)
        let names = app.folder.names()
        #expect(try export(app, ExportOptions(isDryRun: true)).counts["Workout"] == 40)
        let fault = Fault(at: .beforeExportRename)
        let error = failure {
            try app.migration().exportAndKeep(to: app.folder["export.json"], options: .init(), faultPoint: fault.meet)
        }
        #expect(fault.wasMet && error?.code == .io)
        #expect(app.folder.names() == names)
    }

    @Test("two exports of one content are the same bytes, times and identifiers aside; the library's is one of them")
    func sameBytes() async throws {
        let app = try TrainLog(.twoDevices)
        // Times are given: with the clock's own, an export before and one after a full hour say another age in words.
        let first = try await app.migration().exportAndKeep(to: app.folder.url("a.json"))
        let later = Instant.sampleNow.advanced(bySeconds: 1)
        let second = try await app.migration { $0.now = later }.exportAndKeep(to: app.folder.url("b.json"))
        #expect(first.contentVersion == second.contentVersion)
        let texts = try ["a.json", "b.json"].map { try app.folder.text(of: $0).split(separator: "\n") }
        let different = zip(texts[0], texts[1]).filter { $0 != $1 }.map { String($0.0) }
        #expect(different.allSatisfy { $0.contains("exportId") || $0.contains("ageSeconds") })
        #expect(different.contains { $0.contains("exportId") })
    }

    @Test("with the time given, two exports of one content are the same bytes, identifier and all")
    func sameBytesAtGivenTime() async throws {
        let app = try TrainLog(.twoDevices)
        let migration = try app.migration()
        _ = try await migration.exportAndKeep(to: app.folder.url("a.json"))
        _ = try await migration.exportAndKeep(to: app.folder.url("b.json"))
        let text = try app.folder.text(of: "a.json")
        #expect(try app.folder.text(of: "b.json") == text)
        #expect(try text.contains(Regex(#""exportId": "[0-9A-F]{8}-[0-9A-F]{4}-8[0-9A-F]{3}-[89AB][0-9A-F]{3}-"#)))
    }
}
