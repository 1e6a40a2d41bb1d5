/// A command to type, as next steps show it: words that a shell would take apart are quoted.
enum CommandLineText {
    /// `godwit run -m 'My app/godwit.yaml' -c container`.
    static func godwit(_ words: [String]) -> String {
        (["godwit"] + words).map(quoted).joined(separator: " ")
    }

    /// POSIX quoting: everything but plain words goes into single quotes.
    static func quoted(_ word: String) -> String {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%+,=".unicodeScalars)
        if !word.isEmpty, word.unicodeScalars.allSatisfy({ plain.contains($0) }) { return word }
        return "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
