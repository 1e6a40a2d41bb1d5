internal import GodwitFiles
package import GodwitModel
internal import Libc

/// What the WHERE of `--all WHERE` leads to.
///
/// Something of that very name always wins: a folder called `a[1]` is a folder and no pattern.
package enum FleetSource: Sendable, Hashable {
    /// A folder, below which every container is found.
    case folder(String)
    /// A pattern, of which every match that is a folder is a container.
    case glob(String)
    /// A file that has a container on each line; a regular file or a FIFO, such as `<(find …)` of a shell.
    case list(String)
    /// The same, on standard input.
    case standardInput

    /// What a word means; 66 where it is the name of nothing and no pattern either.
    package init(_ word: String) throws(GodwitError) {
        guard word != "-" else {
            self = .standardInput
            return
        }
        guard let status = try Self.status(of: word) else {
            guard Glob.isPattern(word) else { throw Self.missing(word) }
            self = .glob(word)
            return
        }
        if status.isDirectory {
            self = .folder(word)
        } else if status.isRegularFile || status.mode & UInt32(S_IFMT) == UInt32(S_IFIFO) {
            self = .list(word)
        } else {
            throw GodwitError(
                .fleet, .noInput, "\(word) is neither a folder nor a list of containers.",
                hint: Self.choice)
        }
    }

    /// As it was given.
    package var word: String {
        switch self {
        case .folder(let word), .glob(let word), .list(let word): word
        case .standardInput: "-"
        }
    }

    /// A pattern may well be too long for a name, and is no less a pattern.
    private static func status(of word: String) throws(GodwitError) -> FileStatus? {
        do throws(GodwitError) {
            return try FileStatus.of(word)
        } catch {
            if Glob.isPattern(word) { return nil }
            throw error.at(.fleet)
        }
    }

    private static let choice =
        "Name a folder, a quoted pattern such as 'backups/*/AppData', a list file, or - for standard input."

    private static func missing(_ word: String) -> GodwitError {
        GodwitError(
            .fleet, .noInput, "There is neither a folder nor a list \(word).",
            hint: "\(choice) Relative paths count from the current folder.")
    }
}
