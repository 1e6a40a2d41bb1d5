internal import GodwitModel

extension Pipeline {
    /// The command that does what a saved plan says, as one types it: with every option that decided the plan, since a
    /// run with others is refused.
    package func commandLine(following plan: String) -> String {
        var words = ["run", "--plan", plan, "-m", manifest.file, "-c", location]
        words += options.groupContainers.flatMap { ["--group-container", $0] }
        let flags = [
            ("--allow-orphans", options.allowsOrphans), ("--allow-empty", options.allowsEmpty),
            ("--strict", options.isStrict),
        ]
        words += flags.filter(\.1).map(\.0)
        if let baseline = options.baseline { words += ["--baseline", "\(baseline)"] }
        if options.account != .unknown { words += ["--account", options.account.rawValue] }
        if options.network != .unknown { words += ["--network", options.network.rawValue] }
        return CommandLineText.godwit(words)
    }
}
