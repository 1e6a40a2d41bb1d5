/// Exit codes for each command's help; `docs/exit-codes.md` has all of them.
enum HelpTexts {
    /// The list for a command.
    ///
    /// - Parameters:
    ///   - own: The lines of its verdicts.
    ///   - data: What bad data means for it; further lines are indented by four.
    static func codes(
        _ own: String, data: String = "damaged file, changed or newer schema file, orphan"
    ) -> String {
        """
        Exit codes:
        \(own)
        64  the command line is wrong
        65  bad data: \(data)
        66  an input is missing or not a regular file
        73  the output exists, or cannot be created
        74  I/O error or full disk; the failing stage committed nothing
        75  another run or another process has a lock: try again
        77  permission denied
        78  the manifest is invalid or unsafe
        130, 143  cancelled by SIGINT or SIGTERM; the current stage changed nothing
        """
    }

    /// The list for a command that needs no manifest and changes no container.
    ///
    /// - Parameters:
    ///   - data: What bad data means for it; nil if it never reports bad data.
    ///   - isBusy: Whether another process may use its store.
    static func codesWithoutManifest(_ own: String, data: String?, isBusy: Bool = true) -> String {
        """
        Exit codes:
        \(own)
        64  the command line is wrong\(data.map { "\n65  bad data: \($0)" } ?? "")
        66  an input is missing or not a regular file
        73  the output exists, or cannot be created
        74  I/O error or full disk\(isBusy ? "\n75  another process has a lock: try again" : "")
        77  permission denied
        130, 143  cancelled by SIGINT or SIGTERM
        """
    }
}
