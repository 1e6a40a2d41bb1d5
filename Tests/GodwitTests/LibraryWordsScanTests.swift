import Testing

/// Errors and reports of the library name nothing of the command line: its options and commands have a place where the
/// wording is chosen.
struct LibraryWordsScanTests {
    /// Targets of the command line, what only it can call, and the names in both wordings.
    private static let ofCommandLine = [
        "GodwitCLI/", "GodwitFleet/", "GodwitRender/", "GodwitService/",
        "GodwitInspect/", "Godwit/Inspecting/", "Godwit/Expectations/", "Godwit/Planning/",
        "GodwitModel/Retention/RetentionPolicy.swift", "GodwitModel/Run/InterfaceName.swift",
    ]
    private static let pattern = [
        "--[a-z]",
        "godwit (copy|dedupe|export|forget|freshness|history|import|init|inspect|merge-reports|migrate|plan|reopen|rollback|run|schedule|status|verify)",
    ].joined(separator: "|")

    /// A line without the words for the command line, and without options that are one word of a command.
    private func textForApps(_ line: SafetyScanTests.Line) -> String {
        line.text.replacing(#/commandLine: "[^"]*"/#, with: "").replacing(#/"--[a-z-]+"/#, with: "")
    }

    @Test("texts for apps name no option and no command")
    func texts() throws {
        let regex = try Regex(Self.pattern)
        let swift = SafetyScanTests.lines.filter { $0.file.hasSuffix(".swift") }
        #expect(swift.contains { $0.file == "GodwitModel/Run/InterfaceName.swift" && $0.text.contains(regex) })
        let found = swift.filter { line in
            !Self.ofCommandLine.contains { line.file.hasPrefix($0) } && textForApps(line).contains(regex)
        }
        #expect(found.map(\.testDescription) == [])
    }
}
