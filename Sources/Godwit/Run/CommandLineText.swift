internal import GodwitFiles
internal import GodwitModel

/// A command to type, as next steps show it: words that a shell would take apart are quoted.
package enum CommandLineText {
    /// `godwit run -m 'My app/godwit.yaml' -c container`, or for an app the call that does the same.
    static func godwit(_ words: [String]) -> String {
        Wording.current == .commandLine ? line(["godwit"] + words) : call(words).text
    }

    /// The call of an app instead: it already has manifest, container and options.
    private static func call(_ words: [String]) -> InterfaceName {
        switch words.first {
        case "plan": .plan
        case "verify": .verify
        case "export": .export
        case "rollback": .rollback
        case "reopen": words.contains("--all") ? .reopenAll : .reopen
        case "dedupe" where words.contains("--undo"): .undo
        default: .run
        }
    }

    /// Words as one line for a POSIX shell.
    package static func line(_ words: [String]) -> String { words.map(quoted).joined(separator: " ") }

    /// The absolute form of a path, for a command that starts in another folder: the path as given, without `.` and `..`.
    ///
    /// Links stay: a folder on the way is often a link that an upgrade points elsewhere. Only one before a `..` is resolved,
    /// since what follows counts from its target.
    ///
    /// - Parameter folder: the folder that a relative path is taken from.
    package static func absolute(_ path: String, from folder: String) -> String {
        let whole = path.utf8.first == 0x2F ? path : PathText.join(folder, path)
        var absolute = ""
        for part in whole.utf8.split(separator: 0x2F).map({ String(Substring($0)) }) where part != "." {
            guard part == ".." else {
                absolute += "/" + part
                continue
            }
            let isLink = (try? FileStatus.ofLink(absolute))?.isSymbolicLink == true
            let parent = PathText.directory(of: isLink ? target(of: absolute) : absolute)
            absolute = ["/", "."].contains(parent) ? "" : parent
        }
        return absolute.isEmpty ? "/" : absolute
    }

    /// The target of a path, with every link resolved; the path itself if nothing exists there.
    package static func target(of path: String) -> String { PathText.real(path) ?? path }

    /// POSIX quoting: everything except plain words is in single quotes.
    static func quoted(_ word: String) -> String {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:@%+,=".unicodeScalars)
        if !word.isEmpty, word.unicodeScalars.allSatisfy({ plain.contains($0) }) { return word }
        return "'" + word.replacingBytes(of: "'", with: "'\\''") + "'"
    }
}
