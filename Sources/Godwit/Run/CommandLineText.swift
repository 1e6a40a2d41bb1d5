internal import GodwitModel
internal import GodwitStore

/// A command to type, as next steps show it: words that a shell would take apart are quoted.
package enum CommandLineText {
    /// `godwit run -m 'My app/godwit.yaml' -c container`.
    static func godwit(_ words: [String]) -> String { line(["godwit"] + words) }

    /// Words as one line for a POSIX shell.
    package static func line(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

    /// The place that a word means here, for whoever starts the command elsewhere: no `..` in it, links resolved but for
    /// one at its end, since a manifest's own paths count from the folder that its name is in.
    ///
    /// - Parameter folder: the folder that a relative path is taken from.
    package static func absolute(_ path: String, from folder: String) -> String {
        let path = path.utf8.first == 0x2F ? path : PathText.join(folder, path)
        let last = PathText.lastPart(of: path)
        guard !["", ".", ".."].contains(last), let real = PathText.real(PathText.directory(of: path)) else {
            return PathText.real(path) ?? path
        }
        return PathText.join(real, last)
    }

    /// What a path leads to, with every link resolved; the path as it is where it leads nowhere.
    package static func target(of path: String) -> String { PathText.real(path) ?? path }

    /// POSIX quoting: everything but plain words goes into single quotes.
    static func quoted(_ word: String) -> String {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%+,=".unicodeScalars)
        if !word.isEmpty, word.unicodeScalars.allSatisfy({ plain.contains($0) }) { return word }
        return "'" + word.replacingBytes(of: "'", with: "'\\''") + "'"
    }
}
