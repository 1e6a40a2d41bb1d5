import Godwit
import GodwitModel
import GodwitRender
import Dispatch
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Synchronization
import Testing

/// On generated apps: what a plan reports is what the run then reports, a saved plan is run as it is, and a plan changes
/// no byte.
///
/// GODWIT_PLAN_SEEDS says how many apps, or which: `5000`, or `5000..<6000`; a thousand in every `swift test`.
@Suite(.hangGuard)
struct PlanPropertyTests {
    static let seeds = GeneratedCases.seeds("GODWIT_PLAN_SEEDS", all: 1000, few: 50)

    /// How the runs ended, and what was wrong; a family in which all fail, or all find nothing to do, would prove nothing.
    private struct Tally {
        var counts: [String: Int] = [:]
        var problems: [String] = []
    }

    @Test("the plan of any app is what the run then does, and changes nothing")
    func plansAreTrue() {
        let tally = Mutex(Tally())
        // Most of the time goes into waiting for the disk.
        DispatchQueue.concurrentPerform(iterations: Self.seeds.count) { index in
            let seed = Self.seeds.lowerBound + index
            let result = Result { try check(seed) }
            tally.withLock { tally in
                switch result {
                case .success(let (outcome, problems)):
                    tally.counts[outcome, default: 0] += 1
                    tally.problems += problems
                case .failure(let error): tally.problems.append("seed \(seed): \(error)")
                }
            }
        }
        let (counts, problems) = tally.withLock { ($0.counts, $0.problems) }
        for problem in problems.sorted() { Issue.record("\(problem)") }
        #expect((counts["done", default: 0] + counts["partial", default: 0]) * 3 > Self.seeds.count, "\(counts)")
        guard Self.seeds.count >= 100 else { return }
        for outcome in ["alreadyDone", "healed", "nothingToDo", "error 65"] {
            #expect(counts[outcome, default: 0] > 0, "\(outcome): \(counts)")
        }
    }

    /// Plans, runs and compares; says how the run ended, and what is wrong with that.
    private func check(_ seed: Int) throws -> (outcome: String, problems: [String]) {
        let sample = try RandomApp(seed: UInt64(seed))
        let app = sample.app
        var problems: [String] = []
        let before = try app.folder.fingerprint()
        var planned: RunReport?
        let plan = try Ending {
            let report = try app.perform(dryRun: true) { options in
                sample.change(&options)
                options.keepsBasis = true
            }
            planned = report
            return report
        }
        // Each call writes the manifest again, with the same bytes.
        let changes = try app.folder.fingerprint().differences(from: before).filter { !$0.contains("godwit.yaml") }
        if !changes.isEmpty { problems.append("seed \(seed): the plan changed \(changes)") }
        var outcome = "error"
        let run = try Ending {
            do {
                let report = try perform(app, sample, planned, seed)
                outcome = report.outcome.rawValue
                return report
            } catch let error as GodwitError {
                outcome = "error \(error.code.rawValue)"
                throw error
            }
        }
        if plan != run { problems.append("seed \(seed): \(run.difference(from: plan))") }
        return (outcome, problems)
    }

    /// Runs; every other time as the saved plan says.
    private func perform(
        _ app: NoteApp, _ sample: RandomApp, _ planned: RunReport?, _ seed: Int
    ) throws -> RunReport {
        guard let planned, seed % 2 == 0 else { return try app.perform(.run, sample.change) }
        try app.folder.write(SavedPlan.sealing(JSONReport.encode(planned)), to: "plan.json")
        return try app.migration(sample.change).perform(
            .run, dryRun: false, following: SavedPlan(path: app.folder["plan.json"]))
    }
}
