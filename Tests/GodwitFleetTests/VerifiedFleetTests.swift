import GodwitFiles
import GodwitModel
import Foundation
import Godwit
import GodwitFleet
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Every container below a folder is verified, and the result of one never stops another.
@Suite(.hangGuard)
struct VerifiedFleetTests {
    private let scene: FleetScene

    init() throws { scene = try FleetScene() }

    private var folder: TemporaryFolder { scene.folder }

    private func add(_ app: TrainLog, as name: String) throws { try scene.add(app, as: name) }

    private func finished() throws -> TrainLog { try FleetScene.finished() }

    private func verify(
        _ expectations: String? = nil, updating: Bool = false, below: String = "fleet"
    ) throws -> FleetReport {
        let kind = ContainerWork.Kind.verify(expectations: expectations.map { folder[$0] }, updating: updating)
        return try scene.perform(kind, .init(below: below))
    }

    @Test("good containers pass, bad ones fail, and unreadable ones are reported, in the order of their paths")
    func mixed() throws {
        let good = try finished()
        for index in 0..<12 { try add(good, as: "users/\(index)/device") }
        try add(TrainLog(.container), as: "users/pending")
        let damaged = try finished()
        try damaged.folder.write("no store", to: TrainLog.cloud)
        try add(damaged, as: "a/damaged")
        try add(good, as: "b/waiting")
        try folder.remove("fleet/b/waiting/Library/Application Support/TrainLog.store")
        try folder.makeFIFO("fleet/b/waiting/Library/Application Support/TrainLog.store")
        let before = try folder.fingerprint()
        let report = try verify()
        #expect(try folder.fingerprint().differences(from: before) == [])
        let names = report.containers.map(\.container)
        #expect(names == names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        #expect(report.counts == ["passed": 12, "failed": 1, "unreadable": 2])
        #expect(report.containers.first { $0.container == "users/pending" }?.failed.isEmpty == false)
        #expect(report.containers.first { $0.container == "a/damaged" }?.error?.code == 65)
        #expect(report.containers.first { $0.container == "b/waiting" }?.error?.code == 66)
        let again = try verify()
        #expect(try again.withoutTime == report.withoutTime)
    }

    @Test("a locked container is reported, and the others are verified")
    func locked() throws {
        let good = try finished()
        try add(good, as: "one")
        try add(good, as: "two")
        let lock = try ContainerLock(folder["fleet/one"], mode: .exclusive, context: .sample())
        let report = try verify()
        _ = consume lock
        #expect(report.containers.map(\.verdict) == [.unreadable, .passed])
        #expect(report.containers[0].error?.code == 75)
    }

    @Test("bundles are containers, the folder itself may be one, and no container is inside another")
    func places() throws {
        let good = try finished()
        try add(good, as: "bundle.xcappdata/AppData")
        try add(good, as: "plain")
        try add(good, as: "plain/Library/backup")
        try folder.makeLink("fleet/again", to: "plain")
        try folder.makeLink("fleet/loop", to: ".")
        #expect(try verify().containers.map(\.container) == ["bundle.xcappdata", "plain"])
        let one = try verify(below: "fleet/plain")
        #expect(one.containers.map(\.container) == ["."])
        #expect(one.containers.map(\.verdict) == [.passed])
    }

    @Test("links to containers elsewhere are not followed, and a warning says so")
    func links() throws {
        let app = try TrainLog(.empty)
        func found(_ below: String) throws -> FleetContainers {
            try FleetContainers.find(.folder(folder[below]), of: app.migration())
        }
        let good = try finished()
        try add(good, as: "plain")
        try folder.makeFolder("other/empty")
        for (name, target) in [("again", "plain"), ("loop", "."), ("gone", "nowhere"), ("bare", "../other/empty")] {
            try folder.makeLink("fleet/" + name, to: target)
        }
        #expect(try found("fleet").warnings == [])
        try FileManager.default.copyItem(atPath: good.container, toPath: folder["other/one"])
        try folder.makeFolder("fleet/deep")
        try folder.makeLink("fleet/deep/one", to: "../../other/one")
        let one = try found("fleet")
        #expect(one.names == ["plain"])
        #expect(
            one.warnings == [
                "1 link in `\(folder["fleet"])` leads to a container elsewhere, and was not followed: `deep/one`; "
                    + "a list or a pattern can name it"
            ])
        try folder.makeLink("fleet/bundle.xcappdata", to: "../other/one")
        let two = try found("fleet").warnings
        #expect(two.count == 1 && two[0].contains("2 links in"), "\(two)")
        #expect(
            two[0].contains("lead to containers elsewhere, and were not followed; the first is `bundle.xcappdata`;"))
        try folder.makeFolder("linked")
        try folder.makeLink("linked/one", to: "../other/one")
        let error = failure { _ = try found("linked") }
        #expect(error?.code == .noInput)
        #expect(error?.hint?.hasPrefix("Name the target of the link: 1 link in") == true)
    }

    @Test("a bundle without AppData, a -wal file without its store and a name that is not text are reported")
    func broken() throws {
        try add(finished(), as: "good")
        try folder.makeFolder("fleet/lost.xcappdata")
        try folder.makeFolder("fleet/log/Library/Application Support")
        try folder.write("x", to: "fleet/log/Library/Application Support/TrainLog.store-wal")
        #expect(mkdir([CChar](folder["fleet/bad"].utf8CString.dropLast()) + [-1, 0], 0o700) == 0)
        let report = try verify()
        #expect(report.containers.map(\.container) == ["bad\\xFF", "good", "log", "lost.xcappdata"])
        #expect(report.containers.map(\.verdict) == [.unreadable, .passed, .unreadable, .unreadable])
        #expect(report.containers.compactMap(\.error?.code) == [66, 66, 66])
        try folder.makeFolder("fleet/lost.xcappdata/AppData")
        #expect(try verify().containers.count == 3)
    }

    @Test(
        "an expectation without its container is reported, and a folder without the app's files is not a container")
    func lostContainers() throws {
        let good = try finished()
        try add(good, as: "a/one")
        try add(good, as: "b")
        #expect(try verify("expected", updating: true).counts["passed"] == 2)
        try folder.makeFolder("expected/deep")
        try folder.write("{\"app\": 1}", to: "expected/notes.json")
        try folder.write("no JSON", to: "expected/deep/more.json")
        #expect(try verify("expected").containers.map(\.verdict) == [.passed, .passed])
        try folder.remove("fleet/a/one")
        let lost = try verify("expected")
        #expect(lost.containers.map(\.container) == ["a/one", "b"])
        #expect(lost.containers.map(\.error?.code) == [66, nil])
        #expect(lost.containers[0].error?.message.contains("expected/a/one.json") == true)
        try folder.makeFolder("fleet/a/one")
        let emptied = try verify("expected")
        #expect(emptied.containers.map(\.verdict) == [.unreadable, .passed])
        #expect(emptied.containers[0].error?.code == 66)
    }

    @Test("a folder without a container, and a missing folder, are missing input")
    func nothing() throws {
        #expect(failure { try verify() }?.code == .noInput)
        #expect(failure { try verify(below: "nowhere") }?.code == .noInput)
    }

    @Test("expectations are in their own folder, at the containers' paths")
    func expectations() throws {
        let good = try finished()
        try add(good, as: "a/one")
        try add(TrainLog(.twoDevices), as: "b")
        let missing = try verify("expected")
        #expect(missing.containers.map(\.error?.code) == [66, 66])
        let before = try FolderFingerprint(folder["fleet"])
        #expect(try verify("expected", updating: true).containers.map(\.expectation?.verdict) == [.written, .written])
        #expect(folder.exists("expected/a/one.json"))
        #expect(folder.exists("expected/b.json"))
        #expect(try verify("expected").counts["passed"] == 2)
        #expect(try FolderFingerprint(folder["fleet"]).differences(from: before) == [])
        let store = try SampleStore(folder["fleet/b/Library/Application Support/TrainLog.store"])
        try store.execute(
            "INSERT INTO FavoriteExercise(exerciseId, createdAt) VALUES ('rowing', '2026-11-01T00:00:00Z')")
        try store.close()
        let report = try verify("expected")
        #expect(report.containers.map(\.verdict) == [.passed, .failed])
        #expect(report.containers[1].expectation?.differences.isEmpty == false)
        #expect(report.containers[1].failed.isEmpty)
    }

    @Test("a report never gets the name of a file of an app")
    func reserved() throws {
        try add(TrainLog(.container), as: "one")
        let output = folder["fleet/one/Library/Application Support/TrainLogCloud.store"]
        let work = ContainerWork(try scene.migration(), .verify(expectations: nil, updating: false))
        let containers = try work.containers(in: FleetSource(folder["fleet"]), cancellation: Cancellation())
        #expect(failure { try containers.requireUnreserved([nil, output], for: work) }?.code == .cannotCreate)
        try containers.requireUnreserved([folder["fleet/report.json"]], for: work)
    }
}
