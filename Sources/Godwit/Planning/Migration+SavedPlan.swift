internal import GodwitModel

extension Migration {
    /// The command that does what a saved plan says, as one types it: with every option that decided the plan, since a
    /// run with others is refused.
    package func commandLine(following plan: String) -> String {
        var words = ["run", "--plan", plan, "-m", manifest.file, "-c", location]
        words += options.groupContainers.flatMap { ["--group-container", $0] }
        return CommandLineText.godwit(words + options.decidingWords)
    }
}
