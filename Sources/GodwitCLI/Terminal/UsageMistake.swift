import GodwitModel
import ArgumentParser
import Godwit

/// A mistake on the command line, in the form of every other error: what is wrong, and what to write instead.
struct UsageMistake: Equatable {
    let message: String
    let hint: String

    var error: GodwitError { GodwitError(.manifest, .usage, message, hint: hint) }

    /// Reads the message of ArgumentParser about a command line.
    ///
    /// - Parameters:
    ///   - message: The error without the usage.
    ///   - help: The whole text, which names the command whose help to read.
    ///   - words: The command line without the program's name.
    ///   - commands: The names of all commands.
    ///   - helpOf: Returns the help of a command; for an empty name that of the program.
    init(
        _ message: String, help: String, words: [String], commands: [String], helpOf: (String) -> String = { _ in "" }
    ) {
        if let command = Self.unknownCommand(words, commands) {
            self = command
            return
        }
        let quoted = message.split(separator: "'", omittingEmptySubsequences: false).map(String.init)
        let more = "Run `\(Self.helpCommand(in: help))`."
        switch quoted.first {
        case "Unknown option " where quoted.count >= 3:
            self.message = "unknown option `\(quoted[1])`"
            hint = UnknownOption(quoted[1], words: words, commands: commands, helpOf: helpOf).hint ?? more
        case "Unexpected argument " where quoted.count >= 3:
            self.message = "unexpected argument `\(quoted[1])`"
            let option = words.first.flatMap { UnknownOption.forPath(quoted[1], in: helpOf($0)) }
            hint = option.map { "Name it with `\($0) \(quoted[1])`." } ?? more
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
            let option = String(quoted[1].prefix { $0 != " " })
            let next = words.firstIndex(of: option).map { words[$0...].dropFirst().first ?? "" } ?? ""
            self.message =
                Int(next) == nil ? "missing value for `\(option)`" : "invalid value `\(next)` for `\(option)`"
            hint = Self.form(of: quoted[1]) ?? more
        case "Missing expected argument " where quoted.count >= 3:
            self.message = "missing argument `\(quoted[1])`"
            hint = more
        case "Value to be set with flag " where quoted.count >= 5:
            self.message = "`\(quoted[3])` and `\(quoted[1])`\(Self.bothGiven)"
            hint = Self.useOne
        default:
            let isPlain = message.hasPrefix("Missing one of: ")
            self.message = isPlain ? "m" + String(message.dropFirst()).replacingQuotes : message
            hint = message.hasSuffix(Self.bothGiven) ? Self.useOne : more
        }
    }

    /// The end of a message about two options that exclude each other, and what to do.
    private static let bothGiven = " can't both be given"
    private static let useOne = "Use one of the two."

    private init(message: String, hint: String) { (self.message, self.hint) = (message, hint) }

    /// A first word that is not a command, or an option before the command.
    static func unknownCommand(_ words: [String], _ commands: [String]) -> UsageMistake? {
        guard let first = words.first else { return nil }
        if first.hasPrefix("-") {
            guard let command = words.first(where: commands.contains) else { return nil }
            return UsageMistake(
                message: "the option `\(first)` is before the command",
                hint: "Write the command first: `godwit \(command) \(first) …`.")
        }
        guard !commands.contains(first), first != "help" else { return nil }
        let nearest = otherWords[first].map { "Use \($0)." } ?? NearestName.hint(for: first, among: commands)
        return UsageMistake(
            message: "unknown command `\(first)`", hint: nearest ?? "Run `godwit --help` for the list of commands.")
    }

    /// Commands of other programs, with the command of Godwit that does the same.
    private static let otherWords = [
        "undo": "`godwit dedupe --undo` for duplicates, or `godwit rollback` to return to a backup",
        "restore": "`godwit import` for an export, or `godwit rollback` for a backup",
        "backup": "`godwit run --backup DIR`, or `godwit export`", "check": "`godwit verify`",
        "validate": "`godwit plan`, which checks manifest and schema files",
        "diff": "`godwit plan`, or `godwit verify --expect FILE`", "log": "`godwit history`",
        "prune": "`godwit forget`",
    ]

    /// The form of an option's value, by the example or the name in its help.
    private static func form(of option: String) -> String? {
        guard let start = option.lastIndex(of: "<") else { return nil }
        let name = option[option.index(after: start)...].dropLast()
        switch name {
        case "instant": return "Write an instant of ISO 8601, such as `2026-11-21T06:00:00Z`."
        case "50%": return "Write a percentage from `0%` to `100%`."
        case "i/n": return "Write the number of the shard and the number of all shards, such as `1/8`."
        case "n", "version": return "Write a whole number."
        case "state" where option.hasPrefix("--account"):
            return "Use one of `available`, `noAccount`, `restricted` or `unknown`."
        case "state": return "Use one of `online`, `offline` or `unknown`."
        case "1y6m14d12h": return "Write years, months, days and hours, such as `1y6m14d12h`."
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
