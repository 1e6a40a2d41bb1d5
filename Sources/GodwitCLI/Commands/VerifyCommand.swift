import ArgumentParser
import Godwit
import GodwitReport

/// `godwit verify`.
struct VerifyCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Prove that the promises hold for a container; reads only.",
        discussion: """
            With --expect a run is rehearsed on a private copy, and what it leads to is proven and compared with a file \
            that is committed beside the app: records by entity and store, what became of legacy keys, chosen winners, \
            selected records. That works before the run and after it. --update-expect writes the file; read the difference \
            before it is committed. With --all every container below a folder is verified.

            \(HelpTexts.codes("0   every check passed, and all is as expected\n1   a check found a difference, or something is not as expected;\n    with --all also where a container can't be verified"))
            """)

    @OptionGroup var common: CommonOptions

    @Flag(name: .long, help: "References that lead nowhere are no failure.")
    var allowOrphans = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Compare with this expectation; with --all, with those in this folder, DIR/CONTAINER.json each.",
            valueName: "file"))
    var expect: String?

    @Flag(name: .long, help: "Write the expectation that --expect names, instead of comparing.")
    var updateExpect = false

    @Option(
        name: .long,
        help: ArgumentHelp("Verify every container below this folder, on all cores.", valueName: "dir"))
    var all: String?

    func validate() throws {
        if updateExpect, expect == nil { throw ValidationError("--update-expect needs --expect FILE to write.") }
        if all != nil, common.container != nil { throw ValidationError("--all and --container can't both be given.") }
        for (name, value) in [("--expect", expect), ("--all", all)] where value == "" {
            throw ValidationError("\(name) is given an empty name.")
        }
    }

    func run() throws {
        if let all { return try verifyAll(below: all) }
        guard let expect else { return try report(.verify, RunChoices()) { $0.allowsOrphans = allowOrphans } }
        let adjust: (inout PipelineOptions) -> Void = { $0.allowsOrphans = allowOrphans }
        try report("verify", RunChoices(), adjusting: adjust) { pipeline, progress in
            try pipeline.verify(
                expecting: expect, updating: updateExpect, cancellation: ProcessSetup.cancellation, progress: progress)
        }
    }

    private func verifyAll(below folder: String) throws {
        let report = try common.perform { progress in
            let pipeline = try common.makePipeline(writesReport: false) { $0.allowsOrphans = allowOrphans }
            let report = try pipeline.verifyAll(
                below: folder, expecting: expect, updating: updateExpect, output: common.outputPath,
                cancellation: ProcessSetup.cancellation, progress: progress)
            try common.show(report, common.setting(pipeline))
            return report
        }
        if report.containers.contains(where: { $0.verdict != .passed }) { throw Ending.Verdict(code: .difference) }
    }
}
