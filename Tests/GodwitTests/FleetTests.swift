import Foundation
import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitReport
import GodwitStore
import GodwitTestSupport
import Testing

/// Every container below a folder is verified, and none keeps another from it.
@Suite(.timeLimit(.minutes(20)))
struct FleetTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.makeFolder("fleet")
    }

    /// Puts a copy of a container below the folder.
    private func add(_ app: TrainLog, as name: String) throws {
        let target = URL(filePath: folder["fleet/" + name])
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: URL(filePath: app.container), to: target)
    }

    private func finished() throws -> TrainLog {
        let app = try TrainLog(.container)
        try app.perform()
        return app
    }

    private func pipeline() throws -> Pipeline { try TrainLog(.empty).pipeline() }

    private func verify(_ expectations: String? = nil, updating: Bool = false) throws -> FleetReport {
        try pipeline().verifyAll(
            below: folder["fleet"], expecting: expectations.map { folder[$0] }, updating: updating)
    }

    @Test("good containers pass, bad ones fail, unreadable ones are told, all in the order of their paths")
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

    @Test("a container that another run holds is told, and the others are verified")
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

    @Test("bundles are containers, the folder itself may be one, and nothing is looked for inside of one")
    func places() throws {
        let good = try finished()
        try add(good, as: "bundle.xcappdata/AppData")
        try add(good, as: "plain")
        try add(good, as: "plain/Library/backup")
        try folder.makeLink("fleet/again", to: "plain")
        try folder.makeLink("fleet/loop", to: ".")
        #expect(try verify().containers.map(\.container) == ["bundle.xcappdata", "plain"])
        let one = try pipeline().verifyAll(below: folder["fleet/plain"])
        #expect(one.containers.map(\.container) == ["."])
        #expect(one.containers.map(\.verdict) == [.passed])
    }

    @Test("a bundle without its AppData, a log without its store and a name that is no text are told, not left out")
    func broken() throws {
        try add(finished(), as: "good")
        try folder.makeFolder("fleet/lost.xcappdata")
        try folder.makeFolder("fleet/log/Library/Application Support")
        try folder.write("x", to: "fleet/log/Library/Application Support/TrainLog.store-wal")
        #expect(mkdir([CChar](folder["fleet/bad"].utf8CString.dropLast()) + [-1, 0], 0o700) == 0)
        let report = try verify()
        #expect(report.containers.map(\.container) == ["bad\u{FFFD}", "good", "log", "lost.xcappdata"])
        #expect(report.containers.map(\.verdict) == [.unreadable, .passed, .unreadable, .unreadable])
        #expect(report.containers.compactMap(\.error?.code) == [66, 66, 66])
        try folder.makeFolder("fleet/lost.xcappdata/AppData")
        #expect(try verify().containers.count == 3)
    }

    @Test(
        "an expectation without its container is told; a folder that it names is a container, though nothing is there")
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
        #expect(emptied.containers.map(\.verdict) == [.failed, .passed])
        #expect(emptied.containers[0].expectation?.differences.isEmpty == false)
    }

    @Test("a folder without a container, and one that is not there, is no input")
    func nothing() throws {
        #expect(failure { try verify() }?.code == .noInput)
        #expect(failure { try pipeline().verifyAll(below: folder["nowhere"]) }?.code == .noInput)
    }

    @Test("expectations lie in a folder of their own, at the containers' paths")
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

    @Test("a report never gets the name of a file of one of the apps")
    func reserved() throws {
        try add(TrainLog(.container), as: "one")
        let output = folder["fleet/one/Library/Application Support/TrainLogCloud.store"]
        let error = failure { try pipeline().verifyAll(below: folder["fleet"], output: output) }
        #expect(error?.code == .cannotCreate)
    }

    @Test("a command that is cancelled ends, with the error of being cancelled")
    func cancelled() throws {
        let good = try finished()
        for index in 0..<20 { try add(good, as: "\(index)") }
        let cancellation = Cancellation()
        let pipeline = try pipeline()
        let error = failure {
            try pipeline.verifyAll(below: folder["fleet"], cancellation: cancellation) { _ in
                cancellation.cancel(.terminated)
            }
        }
        #expect(error?.code == .terminated)
    }
}

extension FleetReport {
    /// The report as JSON, but for what no two have in common.
    fileprivate var withoutTime: String {
        get throws {
            var report = self
            report.durationMilliseconds = 0
            return String(decoding: try JSONReport.encode(report), as: UTF8.self)
        }
    }
}
