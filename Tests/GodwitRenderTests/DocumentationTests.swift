import GodwitModel
import GodwitRender
import FoundationLite
import Testing

/// The written contracts are kept true: every field, word and code that the code knows is on its page.
struct DocumentationTests {
    private func page(_ name: String) throws -> String {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let bytes = try #require(FileManager.default.contents(atPath: "/\(root)/docs/\(name)"))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Every key of every object in the JSON, save those of maps, which are named after entities and buckets.
    private func fields(of value: some Encodable) throws -> Set<String> {
        let data = Data(try JSONReport.encode(value))
        let tree = try JSONDecoder().decode(Tree.self, from: data)
        return tree.keys
    }

    /// JSON as far as its keys go.
    private enum Tree: Decodable {
        case object([String: Tree])
        case list([Tree])
        case leaf

        private static let maps: Set = [
            "buckets", "inserted", "items", "removed", "orphans", "counts", "pendingChanges", "unreadable", "future",
            "restored", "metadata", "newer", "deleted",
        ]

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let object = try? container.decode([String: Tree].self) {
                self = .object(object)
            } else if let list = try? container.decode([Tree].self) {
                self = .list(list)
            } else {
                self = .leaf
            }
        }

        var keys: Set<String> {
            switch self {
            case .leaf: []
            case .list(let items): items.reduce(into: []) { $0.formUnion($1.keys) }
            case .object(let fields):
                fields.reduce(into: []) { found, field in
                    found.insert(field.key)
                    if !Self.maps.contains(field.key) { found.formUnion(field.value.keys) }
                }
            }
        }
    }

    /// The rows of the section of that name, up to the next one of its level.
    private func section(_ title: String, of page: String) throws -> String {
        let parts = page.components(separatedBy: "\n## ")
        return try #require(parts.first { $0.hasPrefix(title + "\n") })
    }

    @Test("every field of a run report is documented")
    func runReport() throws {
        let page = try section("RunReport", of: page("report-format.md"))
        var report = Sample.fullRun()
        report.copy = Sample.mergingCopy
        report.undo = Sample.undo
        (report.backup, report.rollback, report.reopen) = (Sample.backup, Sample.rollback, Sample.reopen)
        report.plan = Sample.basis
        report.expectation = Sample.differing
        report.copy?.dates.future = ["Workout": 1]
        report.copy?.environment = .development
        report.copy?.since = Sample.now
        let fields = try fields(of: report)
        #expect(fields.count > 60)
        for field in fields { #expect(page.contains("`\(field)`"), "\(field)") }
    }

    @Test("every field of the other reports is documented")
    func otherReports() throws {
        let whole = try page("report-format.md")
        var export = Sample.export()
        export.freshness = Sample.freshness(.warn, reasons: [Freshness.Reason(.syncing, "A sync was in progress.")])
        export.freshness.lastSyncAt = Sample.now
        export.freshness.lastLocalSaveAt = Sample.now
        export.freshness.sync.lastError = "CKErrorDomain 9"
        let exported = try section("ExportReport", of: whole)
        for field in try fields(of: export) { #expect(exported.contains("`\(field)`"), "\(field)") }
        var status = Sample.status
        status.userStatus.nextStep = "Wait."
        status.lastError = Sample.quotaExceeded
        status.environment = .production
        status.sync.activity = .idle
        status.choice = ActiveStore(
            role: .local, reason: .cloudFails,
            error: ActiveStore.Failure(GodwitError(.container, .data, "It is damaged.", hint: "Restore it.")),
            launched: .local,
            notice: .restartToSync)
        status.running = Sample.running
        status.reopenedCopyAt = Sample.now
        let statuses = try ["StatusReport", "ExportReport", "RunReport", "HistoryReport"]
            .map { try section($0, of: whole) }.joined()
        for field in try fields(of: status) { #expect(statuses.contains("`\(field)`"), "\(field)") }
        let imported = try section("ImportReport", of: whole) + section("RunReport", of: whole)
        for field in try fields(of: Sample.imported) { #expect(imported.contains("`\(field)`"), "\(field)") }
        let fleet = try section("FleetReport", of: whole) + section("RunReport", of: whole)
        for field in try fields(of: Sample.fleet) { #expect(fleet.contains("`\(field)`"), "\(field)") }
        let history = try section("HistoryReport", of: whole)
        let runs = HistoryReport(app: "TrainLog", container: "container", runs: Sample.runs)
        for field in try fields(of: runs) { #expect(history.contains("`\(field)`"), "\(field)") }
    }

    @Test("every field of what freshness reports is documented")
    func freshness() throws {
        let whole = try page("report-format.md")
        let section = try section("FreshnessReport", of: whole) + section("ExportReport", of: whole)
        for field in try fields(of: FreshnessReportTests.report) { #expect(section.contains("`\(field)`"), "\(field)") }
        let forgotten = try self.section("ForgetReport", of: whole)
        for field in try fields(of: ForgetReportTests.report) { #expect(forgotten.contains("`\(field)`"), "\(field)") }
        for code in FreshnessFindingCode.allCases { #expect(section.contains("`\(code.rawValue)`"), "\(code)") }
    }

    @Test("every field of what inspect and init report is documented")
    func inspections() throws {
        let whole = try page("report-format.md")
        let inspected = try section("InspectReport", of: whole) + section("RunReport", of: whole)
        let found = try fields(of: Sample.inspected)
        #expect(found.count > 60)
        for field in found { #expect(inspected.contains("`\(field)`"), "\(field)") }
        let drafted = try section("InitReport", of: whole) + section("RunReport", of: whole)
        for field in try fields(of: Sample.drafted) { #expect(drafted.contains("`\(field)`"), "\(field)") }
    }

    @Test("every word of a list of words is documented")
    func words() throws {
        let page = try page("report-format.md")
        let words =
            RunReport.Legacy.KeyOutcome.allCases.map(\.rawValue) + Freshness.Code.allCases.map(\.rawValue)
            + ActiveStore.Reason.allCases.map(\.rawValue) + ActiveStore.Notice.allCases.map(\.rawValue)
            + Freshness.Sync.Activity.allCases.map(\.rawValue) + Manifest.Environment.allCases.map(\.rawValue)
            + Freshness.Status.allCases.map(\.rawValue) + Freshness.Sync.Status.allCases.map(\.rawValue)
            + Freshness.Account.allCases.map(\.rawValue) + Freshness.Network.allCases.map(\.rawValue)
            + InspectedKind.allCases.map(\.rawValue) + InspectedLayout.allCases.map(\.rawValue)
            + InspectedStoreLayout.allCases.map(\.rawValue) + ValueKind.allCases.map(\.rawValue)
            + KeyEvidence.allCases.map(\.rawValue) + KeyRole.allCases.map(\.rawValue)
            + PlanInputKind.allCases.map(\.rawValue) + ExpectationVerdict.allCases.map(\.rawValue)
            + ExpectedLineKind.allCases.map(\.rawValue) + FleetVerdict.allCases.map(\.rawValue)
            + GodwitError.Stage.allCases.map(\.rawValue) + ExportReport.Layout.allCases.map(\.rawValue)
            + StageTextTests.schemaLines.map(\.0.rawValue)
            + DetailTextTests.reasons.map(\.0.rawValue)
        for word in words { #expect(page.contains("`\(word)`"), "\(word)") }
    }

    @Test("every exit code is documented with its word", arguments: GodwitError.Code.allCases)
    func exitCodes(code: GodwitError.Code) throws {
        #expect(try page("exit-codes.md").contains("\n| \(code.rawValue) | `\(code)` |"))
    }
}
