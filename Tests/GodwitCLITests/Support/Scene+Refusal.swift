import GodwitTestSupport
import Testing

extension Scene {
    /// Expects a command to refuse: with this code, nothing on standard output, one line that names what is wrong and
    /// one with a hint, and not a byte changed anywhere.
    ///
    /// - Parameters:
    ///   - parts: texts that the first line must hold.
    ///   - holding: an app's open store and what it begins before the command starts; rolled back when it has ended.
    ///     In between no file of the store may be read here: closing it would let go of the locks that this process
    ///     holds, <https://sqlite.org/howtocorrupt.html>.
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

    /// Expects every file to be as it was, and TMPDIR to be empty.
    func expectUnchanged(
        since before: FolderFingerprint, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let differences = try fingerprint().differences(from: before)
        #expect(differences == [], sourceLocation: sourceLocation)
        #expect(leftovers == [], sourceLocation: sourceLocation)
    }
}
