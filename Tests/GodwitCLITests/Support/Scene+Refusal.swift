import GodwitTestSupport
import Testing

extension Scene {
    /// Expects a command to fail: with this code, nothing on standard output, one line that names the problem, one with
    /// a hint, and no byte changed anywhere.
    ///
    /// - Parameters:
    ///   - parts: texts that the first line must contain.
    ///   - holding: an app's open store and a statement it runs before the command starts, rolled back after the
    ///     command. In between, the test must not read any file of the store: closing the file would release the locks
    ///     of this process, <https://sqlite.org/howtocorrupt.html>.
    func expectRefusal(
        _ code: Int32, of arguments: [String], naming parts: [String], output: String? = nil,
        while holding: (store: SampleStore, begin: String)? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = try fingerprint()
        if let holding { try holding.store.execute(holding.begin) }
        let finished = try start(arguments, output: output).finish()
        if let holding { try holding.store.execute("ROLLBACK") }
        let said = Comment(rawValue: finished.errorText)
        #expect(finished.code == code, said, sourceLocation: sourceLocation)
        #expect(!finished.died, said, sourceLocation: sourceLocation)
        #expect(finished.text.isEmpty, said, sourceLocation: sourceLocation)
        let lines = finished.errorLines
        #expect(lines.count == 2, said, sourceLocation: sourceLocation)
        #expect(lines.first?.hasPrefix("godwit: error: ") == true, said, sourceLocation: sourceLocation)
        #expect(lines.last?.hasPrefix("hint: ") == true, said, sourceLocation: sourceLocation)
        for part in parts {
            #expect(lines.first?.contains(part) == true, said, sourceLocation: sourceLocation)
        }
        try expectUnchanged(since: before, sourceLocation: sourceLocation)
    }

    /// Expects every file to be unchanged, and TMPDIR to be empty.
    func expectUnchanged(
        since before: FolderFingerprint, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let differences = try fingerprint().differences(from: before)
        #expect(differences == [], sourceLocation: sourceLocation)
        #expect(leftovers == [], sourceLocation: sourceLocation)
    }
}
