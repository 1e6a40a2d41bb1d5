import ArgumentParser
import Godwit
import GodwitModel

/// A mistake on the command line, in the form of every other error: what is wrong, and what to write instead.
struct UsageMistake: Equatable {
    let message: String
    let hint: String

    var error: GodwitError { GodwitError(.manifest, .usage, message, hint: hint) }

    /// Reads what ArgumentParser says of a command line.
    ///
    /// - Parameters:
    ///   - message: its error without the usage.
    ///   - help: the whole text, which names the command whose help to read.
    ///   - words: the command line without the program's name.
    ///   - commands: the names of all commands.
    init(_ message: String, help: String, words: [String], commands: [String]) {
        if let command = Self.unknownCommand(words, commands) {
            self = command
            return
        }
        let quoted = message.split(separator: "'", omittingEmptySubsequences: false).map(String.init)
        let more = "Run `\(Self.helpCommand(in: help))`."
        switch quoted.first {
        case "Unknown option " where quoted.count >= 3:
            self.message = "unknown option `\(quoted[1])`"
            hint = quoted.count >= 5 ? "Did you mean `\(quoted[3])`?" : more
        case "Unexpected argument " where quoted.count >= 3:
            self.message = "unexpected argument `\(quoted[1])`"
            hint = more
        case "The value " where quoted.count >= 5 && quoted[quoted.count - 3] == " is invalid for ":
            // The value itself may have quotation marks in it.
            let value = quoted[1..<(quoted.count - 3)].joined(separator: "'")
            let option = quoted[quoted.count - 2]
            self.message = "invalid value `\(value)` for `\(option.prefix { $0 != " " })`"
            hint = Self.form(of: option) ?? more
        case "The value " where message.contains("Please provide one of "):
            let option = quoted.count > 3 ? quoted[3] : ""
            let choices = message.split(separator: "Please provide one of ").last.map(String.init) ?? ""
            self.message = "invalid value `\(quoted[1])` for `\(option.prefix { $0 != " " })`"
            hint = "Use one of \(choices.replacingQuotes)"
        case "Missing value for " where quoted.count >= 3:
            self.message = "missing value for `\(quoted[1].prefix { $0 != " " })`"
            hint = Self.form(of: quoted[1]) ?? more
        case "Missing expected argument " where quoted.count >= 3:
            self.message = "missing argument `\(quoted[1])`"
            hint = more
        default:
            self.message = message
            hint = more
        }
    }

    private init(message: String, hint: String) { (self.message, self.hint) = (message, hint) }

    /// A first word that is no command, or an option before the command.
    private static func unknownCommand(_ words: [String], _ commands: [String]) -> UsageMistake? {
        guard let first = words.first else { return nil }
        if first.hasPrefix("-") {
            guard let command = words.first(where: commands.contains) else { return nil }
            return UsageMistake(
                message: "the option `\(first)` is before the command",
                hint: "Write the command first: `godwit \(command) \(first) …`.")
        }
        guard !commands.contains(first), first != "help" else { return nil }
        let nearest = NearestName.hint(for: first, among: commands)
        return UsageMistake(
            message: "unknown command `\(first)`", hint: nearest ?? "Run `godwit --help` for the list of commands.")
    }

    /// What a value of an option looks like, by the example or the name that the help gives for it.
    private static func form(of option: String) -> String? {
        guard let start = option.lastIndex(of: "<") else { return nil }
        let name = option[option.index(after: start)...].dropLast()
        switch name {
        case "instant": return "Write an instant of ISO 8601, such as `2026-11-21T06:00:00Z`."
        case "50%": return "Write a percentage from `0%` to `100%`."
        case "i/n": return "Write the number of the shard and the number of all shards, such as `1/8`."
        case "n", "version": return "Write a whole number."
        case "1-9": return "Write a whole number from 1 to 9."
        default: return Span(String(name)) == nil ? nil : Span.form
        }
    }

    /// `godwit run --help`, as ArgumentParser names it.
    private static func helpCommand(in text: String) -> String {
        guard let start = text.range(of: "See '"), let end = text.range(of: "' for more", in: start.upperBound) else {
            return "godwit --help"
        }
        return String(text[start.upperBound..<end.lowerBound])
    }
}

extension String {
    /// `'a', 'b' or 'c'.` with backquotes.
    fileprivate var replacingQuotes: String { String(map { $0 == "'" ? "`" : $0 }) }

    fileprivate func range(of part: String, in start: String.Index? = nil) -> Range<String.Index>? {
        self[(start ?? startIndex)...].firstRange(of: part)
    }
}
