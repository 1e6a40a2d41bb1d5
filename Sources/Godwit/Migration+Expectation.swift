internal import GodwitFiles
package import GodwitModel

/// Verification against a committed expectation.
extension Migration {
    /// Makes a dry run on a private copy, proves what it leads to, and compares that with an expectation; changes nothing
    /// but, where asked to, the expectation itself.
    ///
    /// - Parameters:
    ///   - path: the expectation.
    ///   - updating: whether it is written again instead of compared.
    package func verify(
        expecting path: String, updating: Bool, cancellation: Cancellation = Cancellation(),
        progress: @escaping @Sendable (RunProgress) -> Void = { _ in }
    ) throws(GodwitError) -> RunReport {
        let file = ExpectationFile(path: path)
        try OwnFiles.requireLasting(path, stage: .verify)
        try requireUnreserved(output: path)
        let earlier = updating ? try file.read() : try file.readRequired()
        let selections = try earlier?.selections(file: path) ?? []
        let context = makeContext(cancellation, progress)
        var found: ExpectedState?
        var report = try report(named: Command.verify.rawValue, writes: true, dryRun: true, checking: .run, context) {
            stores, start, report throws(GodwitError) in
            try walk(stores, .run, start, &report)
            // What an earlier run proved is proven again.
            if report.verify?.outcome != .done {
                report.verify = try VerifyStep(stores).verify(Command.verify.proof(after: report))
            }
            report.outcome = report.overallOutcome
            report.nextSteps = []
            found = ExpectedState(
                app: manifest.app, selecting: earlier?.select ?? .array([]),
                found: try ExpectationStep(stores).describe(report, selecting: selections, file: path))
        }
        guard let found else { throw GodwitError(.verify, .bug, "a plan ended without a result") }
        if updating {
            let isWritten = try file.write(earlier.map(found.keeping) ?? found, replacing: earlier != nil)
            report.expectation = ExpectationReport(file: path, verdict: isWritten ? .written : .unchanged)
        } else {
            report.expectation = earlier?.compare(with: found, file: path)
            if report.expectation?.verdict == .differs {
                let words = ["verify", "--expect", path, "--update-expect", "-m", manifest.file, "-c", location]
                let groups = options.groupContainers.flatMap { ["--group-container", $0] }
                report.nextSteps = ["If the difference is intended: \(CommandLineText.godwit(words + groups))"]
            }
        }
        return report
    }
}
