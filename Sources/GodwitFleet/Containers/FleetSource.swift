internal import GodwitFiles
package import GodwitModel
internal import Libc

/// The meaning of WHERE in `--all WHERE`.
///
/// An existing file or folder with that name always wins: a folder `a[1]` is a folder, not a pattern.
package enum FleetSource: Sendable, Hashable {
    /// A folder; every container below it is found.
    case folder(String)
    /// A pattern; every matching folder is a container.
    case glob(String)
    /// A file with a container on each line; a regular file or a FIFO, such as `<(find …)` of a shell.
    case list(String)
    case standardInput

    /// Decides what a word means; throws 66 if it neither exists nor is a pattern.
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
                .fleet, .noInput, "`\(word)` is neither a folder nor a list of containers",
                hint: Self.choice)
        }
    }

    /// The word as given.
    package var word: String {
        switch self {
        case .folder(let word), .glob(let word), .list(let word): word
        case .standardInput: "-"
        }
    }

    /// A pattern may be too long for a file name.
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
            .fleet, .noInput, "neither a folder nor a list `\(word)` exists",
            hint: "\(choice) Relative paths start at the current folder.")
    }
}
