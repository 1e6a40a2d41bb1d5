import Foundation
import Godwit
import GodwitModel
import GodwitPipelineSupport
import GodwitReport
import GodwitTestSupport
import Testing

/// On generated apps: what a plan reports is what the run then reports, a saved plan is run as it is, and a plan changes
/// no byte.
///
/// GODWIT_PLAN_SEEDS says how many apps, or which: `1000`, or `5000..<6000`.
@Suite(.timeLimit(.minutes(60)))
struct PlanPropertyTests {
    /// Few enough for every `swift test`; a thousand take some minutes.
    static let seeds: Range<Int> = {
        let text = ProcessInfo.processInfo.environment["GODWIT_PLAN_SEEDS"] ?? "100"
        let bounds = text.components(separatedBy: "..<").compactMap(Int.init)
        return bounds.count == 2 ? bounds[0]..<max(bounds[0], bounds[1]) : 0..<(bounds.first ?? 0)
    }()

    /// How the runs ended; a family in which all fail, or all find nothing to do, would prove nothing.
    private struct Tally {
        var counts: [String: Int] = [:]
    }

    @Test("the plan of any app is what the run then does")
    func plansAreTrue() throws {
        var tally = Tally()
        for seed in Self.seeds { tally.counts[try check(seed), default: 0] += 1 }
        let done = tally.counts["done", default: 0] + tally.counts["partial", default: 0]
        #expect(done * 3 > Self.seeds.count, "\(tally.counts)")
        if Self.seeds.count >= 100 {
            for outcome in ["alreadyDone", "healed", "nothingToDo", "error 65"] {
                #expect(tally.counts[outcome, default: 0] > 0, "\(outcome): \(tally.counts)")
            }
        }
    }

    /// Plans, runs and compares; says how the run ended.
    private func check(_ seed: Int) throws -> String {
        let sample = try RandomApp(seed: UInt64(seed))
        let app = sample.app
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
        // The manifest is written anew by each call, with the same bytes.
        #expect(
            try app.folder.fingerprint().differences(from: before).filter { !$0.contains("godwit.yaml") } == [],
            "seed \(seed)")
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
        if plan != run { Issue.record("seed \(seed): \(run.difference(from: plan))") }
        return outcome
    }

    /// Runs; every other time as the saved plan says.
    private func perform(
        _ app: NoteApp, _ sample: RandomApp, _ planned: RunReport?, _ seed: Int
    ) throws -> RunReport {
        guard let planned, seed % 2 == 0 else { return try app.perform(.run, sample.change) }
        try app.folder.write(SavedPlan.sealing(JSONReport.encode(planned)), to: "plan.json")
        return try app.pipeline(sample.change).perform(
            .run, dryRun: false, following: SavedPlan(path: app.folder["plan.json"]))
    }
}
