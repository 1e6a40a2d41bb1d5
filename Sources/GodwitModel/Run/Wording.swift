import Synchronization

/// Whom errors, warnings and next steps speak to.
///
/// A process has one: `godwit` chooses the command line at its start, and every other process is an app with the library.
package enum Wording: Sendable {
    /// The developers of an app: names of Swift.
    case library
    /// People who type commands: options and commands.
    case commandLine

    private static let isCommandLine = Atomic<Bool>(false)

    /// For tests, which see both in one process; nil elsewhere.
    ///
    /// Threads that the library starts do not have it.
    package static let ofTask = TaskLocal<Wording?>(wrappedValue: nil)

    /// The words that a text is made in; a text that exists does not change.
    package static var current: Wording {
        ofTask.get() ?? (isCommandLine.load(ordering: .relaxed) ? .commandLine : .library)
    }

    /// Makes the process speak to people who type commands; called before any text is made.
    package static func chooseCommandLine() { isCommandLine.store(true, ordering: .relaxed) }

    /// A text, or a part of one, where more than a name differs.
    package static func text(commandLine: String, library: String) -> String {
        current == .commandLine ? commandLine : library
    }
}

extension DefaultStringInterpolation {
    /// The name of an option or a command: `"… or raise \(name: .lockTimeout)."`.
    package mutating func appendInterpolation(name: InterfaceName) { appendLiteral(name.text) }
}
