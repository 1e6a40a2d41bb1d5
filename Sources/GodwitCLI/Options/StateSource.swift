import Godwit
import ArgumentParser

/// The source of a state that a command cannot determine: a word of the command line, or `@` and a file with the word
/// that another program updates.
struct StateSource<State>: ExpressibleByArgument, Sendable
where State: RawRepresentable & CaseIterable & Sendable, State.RawValue == String {
    private enum Origin: Sendable {
        case word(State)
        case file(String)
    }

    private let origin: Origin
    private let text: String

    /// Reads `online` or `@/run/network-state`.
    init?(argument: String) {
        text = argument
        if argument.hasPrefix("@") {
            guard argument.count > 1 else { return nil }
            origin = .file(String(argument.dropFirst()))
        } else {
            guard let state = State(rawValue: argument) else { return nil }
            origin = .word(state)
        }
    }

    init(_ state: State) {
        (origin, text) = (.word(state), state.rawValue)
    }

    var defaultValueDescription: String { text }

    /// The word for a command line, with a file by its absolute path.
    ///
    /// - Parameter folder: The folder of relative paths.
    func word(from folder: String) -> String {
        file.map { "@" + CommandLineText.absolute($0, from: folder) } ?? text
    }

    static var defaultCompletionKind: CompletionKind { .list(State.allCases.map(\.rawValue)) }

    /// The file with the state; nil if the state was given.
    var file: String? {
        if case .file(let path) = origin { path } else { nil }
    }

    /// The present state; nil if the file does not exist or is empty.
    ///
    /// - Throws: 64 if the file has any other word, 66 or 77 if it cannot be read.
    func current() throws(GodwitError) -> State? {
        switch origin {
        case .word(let state): state
        case .file(let path): try StateFile.read(path)
        }
    }
}

extension StateSource where State == Freshness.Network {
    /// The network's state, or `unknown`.
    func known() throws(GodwitError) -> Freshness.Network { try current() ?? .unknown }
}

extension StateSource where State == Freshness.Account {
    /// The account's state, or `unknown`.
    func known() throws(GodwitError) -> Freshness.Account { try current() ?? .unknown }
}
