import Godwit
import GodwitModel
import Foundation
import GodwitPipelineSupport
import GodwitTestSupport
import Testing

/// Any content and any kind of file under the name of a saved plan: refused with a documented code, never waited for,
/// never followed.
@Suite(.hangGuard)
struct HostilePlanTests {
    private let app: TrainLog

    init() throws {
        app = try TrainLog(.twoDevices)
        try app.savePlan()
    }

    private func expectRefusal(
        _ code: GodwitError.Code, naming part: String = "plan.json", sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = try app.fingerprint()
        let error = failure { try app.runPlan() }
        #expect(error?.code == code, Comment(rawValue: error?.message ?? "no error"), sourceLocation: sourceLocation)
        #expect(error?.hint != nil, sourceLocation: sourceLocation)
        #expect(
            error?.message.contains(part) == true, Comment(rawValue: error?.message ?? ""),
            sourceLocation: sourceLocation)
        #expect(try app.fingerprint().differences(from: before) == [], sourceLocation: sourceLocation)
    }

    @Test("a plan that was cut off anywhere is refused")
    func truncated() throws {
        let bytes = try app.folder.bytes(of: TrainLog.plan)
        for length in stride(from: 0, to: bytes.count - 1, by: 97) {
            try app.folder.write(Array(bytes[..<length]), to: TrainLog.plan)
            let error = failure { try SavedPlan(path: app.folder[TrainLog.plan]) }
            #expect(error?.code == .data, "\(length)")
        }
    }

    @Test("a plan with one bit flipped anywhere is refused")
    func flipped() throws {
        let bytes = try app.folder.bytes(of: TrainLog.plan)
        var dice = Dice(seed: 5)
        for _ in 0..<200 {
            var changed = bytes
            let place = dice.roll(bytes.count)
            changed[place] ^= 1 << UInt8(dice.roll(8))
            try app.folder.write(changed, to: TrainLog.plan)
            let error = failure { try SavedPlan(path: app.folder[TrainLog.plan]) }
            #expect(error?.code == .data, "byte \(place)")
        }
    }

    @Test(
        "a file that is not a plan is rejected",
        arguments: [
            "", "{}", "[]", "null", "godwit: 1", "\u{FEFF}{}", "{\"reportVersion\":1}",
            "{\"reportVersion\":1,\"plan\":{}}",
            "{\"reportVersion\":1,\"plan\":{\"formatVersion\":1}}",
            "{\"reportVersion\":1,\"plan\":{\"formatVersion\":1,\"planSha256\" : \"0\"}}",
            "{\"reportVersion\":1e400,\"plan\":{\"formatVersion\":1}}",
            "{\"reportVersion\":1,\"plan\":{\"formatVersion\":99999999999999999999}}",
        ])
    func noPlan(_ text: String) throws {
        try app.folder.write(text, to: TrainLog.plan)
        try expectRefusal(.data, naming: "plan.json")
    }

    @Test("bytes that are not UTF-8, and endless nesting, are rejected")
    func noText() throws {
        try app.folder.write([UInt8](repeating: 0xFF, count: 5000), to: TrainLog.plan)
        try expectRefusal(.data)
        try app.folder.write(String(repeating: "[", count: 2_000_000), to: TrainLog.plan)
        try expectRefusal(.data)
        try app.folder.write(
            "{\"reportVersion\":1,\"plan\":" + String(repeating: "{\"plan\":", count: 300_000), to: TrainLog.plan)
        try expectRefusal(.data)
    }

    @Test("a plan of another format is refused with both versions")
    func otherVersion() throws {
        try app.forgePlan { $0.plan?.formatVersion = 2 }
        try expectRefusal(.data, naming: "format 2, report 1; this Godwit reads format 1")
        try app.savePlanAgain { $0.reportVersion = 7 }
        try expectRefusal(.data, naming: "report 7")
    }

    @Test("a plan of another command, or a report of a run, is refused")
    func otherCommand() throws {
        try app.forgePlan { $0.run.command = "migrate" }
        try expectRefusal(.data, naming: "is not a plan of `godwit run`")
        try app.savePlanAgain { $0.run.dryRun = false }
        try expectRefusal(.data, naming: "is not a plan of `godwit run`")
        try app.savePlanAgain { $0.plan = nil }
        try expectRefusal(.data, naming: "does not state its inputs")
    }

    @Test("inputs that were forged do not pass, and no name in a plan is ever followed")
    func forgedInputs() throws {
        try app.folder.makeFIFO("container/Library/waits")
        try app.forgePlan { report in
            var inputs = report.plan?.inputs ?? []
            inputs.append(PlanInput(.local, "../../../../etc/passwd", exists: true, size: 1, sha256: "a"))
            inputs.append(PlanInput(.local, "Library/waits", exists: true))
            inputs.append(PlanInput(.schema, "\u{1B}[2J\u{0}", exists: true))
            report.plan = PlanBasis(inputs: inputs, inputsSha256: report.plan?.inputsSha256 ?? "")
        }
        try expectRefusal(.data, naming: "is not a plan of `godwit run`")
    }

    @Test("a file that is too large is refused without being read")
    func tooLarge() throws {
        try app.folder.write("{}", to: TrainLog.plan)
        let handle = try FileHandle(forWritingTo: URL(filePath: app.folder[TrainLog.plan]))
        try handle.truncate(atOffset: 65 << 20)
        try handle.close()
        try expectRefusal(.data, naming: "the limit is 67,108,864")
    }

    @Test("what is not a regular file is refused, and a FIFO is not waited for")
    func noFile() throws {
        try app.folder.remove(TrainLog.plan)
        try expectRefusal(.noInput)
        try app.folder.makeFIFO(TrainLog.plan)
        try expectRefusal(.noInput, naming: "is not a regular file")
        try app.folder.remove(TrainLog.plan)
        try app.folder.makeFolder(TrainLog.plan)
        try expectRefusal(.noInput)
        try app.folder.remove(TrainLog.plan)
        try app.folder.makeLink(TrainLog.plan, to: "/dev/zero")
        try expectRefusal(.noInput)
    }
}

extension TrainLog {
    /// Saves a new plan, forged.
    fileprivate func savePlanAgain(_ change: (inout RunReport) -> Void) throws {
        try savePlan()
        try forgePlan(change)
    }
}
