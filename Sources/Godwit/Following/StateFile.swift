internal import GodwitFiles
package import GodwitModel

/// A file that holds one word, which something else keeps true: whether the network can be reached, or the account used.
///
/// A program that watches the network, or the account, writes `online` into it. Commands that run for long read it again and
/// again.
package enum StateFile {
    /// No word is longer.
    private static let longest = 256

    /// The state that the word in the file means; nil if the file does not exist or is empty.
    ///
    /// - Throws: 64 if the file has other content, 66 or 77 if it cannot be read.
    package static func read<State: RawRepresentable & CaseIterable>(
        _ path: String
    ) throws(GodwitError) -> State? where State.RawValue == String {
        guard try FileStatus.of(path) != nil else { return nil }
        let word: String?
        do throws(GodwitError) {
            word = String(validating: try readBytes(path, limit: longest, stage: .status), as: UTF8.self)
        } catch  where error.code == .data {
            word = nil
        }
        guard let word = word.map({ $0.split(whereSeparator: \.isWhitespace) }), word.count <= 1 else {
            throw unreadable(path, State.self)
        }
        guard let text = word.first else { return nil }
        guard let state = State(rawValue: String(text)) else { throw unreadable(path, State.self) }
        return state
    }

    private static func unreadable<State: RawRepresentable & CaseIterable>(
        _ path: String, _ state: State.Type
    ) -> GodwitError where State.RawValue == String {
        let words = state.allCases.map(\.rawValue)
        return GodwitError(
            .status, .usage, "`\(path)` does not contain a known state",
            hint: "Write one word: \(words.dropLast().joined(separator: ", ")) or \(words.last ?? "").")
    }
}
