import Godwit
import ArgumentParser

/// Where a command learns how something stands that it can't ask itself: a word of the command line, or `@` and a file that
/// holds the word and that something else keeps true.
struct StateSource<State>: ExpressibleByArgument, Sendable
where State: RawRepresentable & CaseIterable & Sendable, State.RawValue == String {
    private enum Place: Sendable {
        case word(State)
        case file(String)
    }

    private let place: Place
    private let text: String

    /// Reads `online` or `@/run/network-state`.
    init?(argument: String) {
        text = argument
        if argument.hasPrefix("@") {
            guard argument.count > 1 else { return nil }
            place = .file(String(argument.dropFirst()))
        } else {
            guard let state = State(rawValue: argument) else { return nil }
            place = .word(state)
        }
    }

    init(_ state: State) {
        (place, text) = (.word(state), state.rawValue)
    }

    var defaultValueDescription: String { text }

    /// The word to type, a file by its absolute path.
    ///
    /// - Parameter folder: the folder that a relative path is taken from.
    func word(from folder: String) -> String {
        file.map { "@" + CommandLineText.absolute($0, from: folder) } ?? text
    }

    static var defaultCompletionKind: CompletionKind { .list(State.allCases.map(\.rawValue)) }

    /// The file that is looked at; nil where the state was given.
    var file: String? {
        if case .file(let path) = place { path } else { nil }
    }

    /// The state now; nil where the file is missing or empty.
    ///
    /// - Throws: 64 where the file holds anything else, 66 or 77 where it can't be read.
    func current() throws(GodwitError) -> State? {
        switch place {
        case .word(let state): state
        case .file(let path): try StateFile.read(path)
        }
    }
}

extension StateSource where State == NetworkState {
    /// The network's state as far as it is known.
    func known() throws(GodwitError) -> NetworkState { try current() ?? .unknown }
}

extension StateSource where State == AccountAvailability {
    /// The account's state as far as it is known.
    func known() throws(GodwitError) -> AccountAvailability { try current() ?? .unknown }
}
