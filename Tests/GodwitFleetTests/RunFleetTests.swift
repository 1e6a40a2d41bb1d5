import GodwitModel
import Foundation
import Godwit
import GodwitFleet
import GodwitPipelineSupport
import GodwitTestSupport
import Synchronization
import Testing

/// Every container below a folder is run separately and once, and a later pass continues a stopped one.
@Suite(.hangGuard)
struct RunFleetTests {
    private let scene: FleetScene

    init() throws { scene = try FleetScene() }

    private func addMixed() throws {
        for index in 0..<6 { try scene.add(TrainLog(.container), as: "users/\(index)") }
        try scene.add(FleetScene.finished(), as: "done")
        try scene.add(TrainLog(.twoDevices), as: "two")
        let damaged = try TrainLog(.container)
        try damaged.folder.write("no store", to: TrainLog.local)
        try scene.add(damaged, as: "damaged")
    }

    /// The app's own tables of a store.
    private func records(of path: String) throws -> [String: [String]] {
        try StoreContents(StoreCopy(of: path).store).tables.filter { !$0.key.hasPrefix("godwit_") }
    }

    @Test("each container is run like a single one, and a damaged one is a row")
    func mixed() throws {
        try addMixed()
        let report = try scene.perform(.run(dryRun: false))
        #expect(report.containers.count == 9)
        #expect(report.verdicts["damaged"] == .failed)
        #expect(report.verdicts["done"] == .unchanged)
        #expect(report.verdicts["users/3"] == .completed)
        #expect(report.containers.first { $0.container == "damaged" }?.error?.code == 65)
        #expect(report.counts.values.reduce(0, +) == 9)
        #expect(report.slowest.count == 9)
        let single = try TrainLog(.container)
        try single.perform()
        let one = try records(of: single.folder[TrainLog.cloud])
        #expect(one.count > 3)
        for index in 0..<6 {
            let path = scene.folder["fleet/users/\(index)" + TrainLog.cloud.dropFirst("container".count)]
            #expect(try records(of: path) == one)
        }
    }

    @Test("a second run finds nothing to do and changes no store")
    func twice() throws {
        try addMixed()
        #expect(try scene.perform(.run(dryRun: false)).verdicts["two"]?.isDone == true)
        let before = try scene.folder.fingerprint()
        let again = try scene.perform(.run(dryRun: false))
        #expect(again.verdicts.filter { $0.key != "damaged" }.values.allSatisfy { $0 == .unchanged })
        #expect(try scene.folder.fingerprint().differences(from: before) == [])
    }

    @Test("a plan of all containers changes nothing and shows what a run would do")
    func dryRun() throws {
        try addMixed()
        let before = try scene.folder.fingerprint()
        let plan = try scene.perform(.run(dryRun: true))
        #expect(plan.dryRun)
        #expect(try scene.folder.fingerprint().differences(from: before) == [])
        let run = try scene.perform(.run(dryRun: false))
        #expect(plan.verdicts == run.verdicts)
    }

    @Test("any number of jobs gives the same report", arguments: [1, 2, 7])
    func jobs(count: Int) throws {
        try addMixed()
        let report = try scene.perform(.run(dryRun: true), .init(jobs: count))
        #expect(report.containers.map(\.container) == report.containers.map(\.container).sorted())
        #expect(report.containers.count == 9)
    }

    @Test("containers that the journal shows as done are skipped, and failed ones are tried again")
    func resumed() throws {
        try addMixed()
        let first = try scene.perform(.run(dryRun: false), .init(journal: "j.jsonl"))
        let begun = Mutex<[String]>([])
        let pass = FleetScene.Pass(
            journal: "j.jsonl", before: { name throws(GodwitError) in begun.withLock { $0.append(name) } })
        let second = try scene.perform(.run(dryRun: false), pass)
        #expect(begun.withLock { $0 } == ["damaged"])
        #expect(second.doneEarlier == 8)
        #expect(second.verdicts == first.verdicts)
        let contents = try scene.journal("j.jsonl")
        #expect(contents.entries.count == 9)
        #expect(contents.doneTwice.isEmpty)
    }

    @Test("a stopped run resumes, and each container is done once", arguments: [1, 2, 5])
    func stopped(after count: Int) throws {
        try addMixed()
        let cancellation = Cancellation()
        let error = failure {
            try scene.perform(
                .run(dryRun: false),
                .init(journal: "j.jsonl", cancellation: cancellation) { progress in
                    if progress.completed == count { cancellation.cancel(.terminated) }
                })
        }
        #expect(error?.code == .terminated)
        #expect(error?.hint?.contains("journal") == true)
        let done = Set(try scene.journal("j.jsonl").entries.filter(\.verdict.isDone).map(\.container))
        #expect(done.count >= count - 1)
        let begun = Mutex<Set<String>>([])
        let pass = FleetScene.Pass(
            journal: "j.jsonl", before: { name throws(GodwitError) in begun.withLock { _ = $0.insert(name) } })
        let report = try scene.perform(.run(dryRun: false), pass)
        #expect(begun.withLock { $0 }.isDisjoint(with: done))
        #expect(report.containers.count == 9)
        #expect(report.verdicts.filter { !$0.value.isDone }.map(\.key) == ["damaged"])
        #expect(try scene.journal("j.jsonl").doneTwice.isEmpty)
    }

    @Test("a run ends if workers cannot be started, with finished containers in the journal")
    func noWorker() throws {
        try addMixed()
        let count = Atomic(0)
        let pass = FleetScene.Pass(
            journal: "j.jsonl", jobs: 1,
            before: { _ throws(GodwitError) in
                guard count.add(1, ordering: .relaxed).newValue < 4 else {
                    throw GodwitError(.fleet, .io, "No worker.")
                }
            })
        #expect(failure { try scene.perform(.run(dryRun: false), pass) }?.message == "No worker.")
        #expect(try scene.journal("j.jsonl").entries.count == 3)
        #expect(try scene.perform(.run(dryRun: false), .init(journal: "j.jsonl")).containers.count == 9)
    }

    @Test("values that an interrupted run left behind are reported by the resumed run", arguments: [true, false])
    func partialBefore(isBefore: Bool) throws {
        let app = try TrainLog(.container)
        try app.folder.write(
            "<plist version=\"1.0\"><dict><key>weightUnit</key><string>stone</string></dict></plist>",
            to: TrainLog.preferences)
        try app.datePreferences()
        try scene.add(app, as: "one")
        try scene.add(TrainLog(.container), as: "two")
        // The stopped pass: its header was written, and `one` was run, but its line is missing.
        let start = Instant.sampleNow
        let work = ContainerWork(try scene.migration(), .run(dryRun: false))
        let first = work.perform("one", at: scene.folder["fleet/one"], cancellation: Cancellation())
        #expect(first.entry.verdict == .partial)
        let since = isBefore ? start : Instant(seconds: start.seconds + 1)
        let again = work.perform("one", at: scene.folder["fleet/one"], since: since, cancellation: Cancellation())
        #expect(again.entry.verdict == (isBefore ? .partial : .unchanged))
        #expect(
            work.perform("one", at: scene.folder["fleet/one"], cancellation: Cancellation()).entry.verdict == .unchanged
        )
        let other = work.perform("two", at: scene.folder["fleet/two"], since: since, cancellation: Cancellation())
        #expect(other.entry.verdict == .completed)
    }
}
