import GodwitModel

/// An unknown option, with the option that was most likely meant, from the help of all commands.
struct UnknownOption {
    /// What to write instead; nil if no option is near.
    let hint: String?

    init(_ option: String, words: [String], commands: [String], helpOf: (String) -> String) {
        let command = words.first { commands.contains($0) } ?? ""
        let own = Self.options(in: helpOf(command))
        let word = String(option.drop { $0 == "-" })
        if own.contains("--format"), ["text", "junit", "github", "html"].contains(word) {
            hint = "Use `--format \(word)`."
        } else if let reason = Self.needless[command]?[option] {
            hint = "Remove it: \(reason)."
        } else if ["-m", "--manifest", "-c", "--container"].contains(option), !command.isEmpty {
            hint = "Remove it: `godwit \(command)` needs no manifest and no container."
        } else if case let others = Self.commands(commands, with: option, helpOf), !others.isEmpty,
            option.hasPrefix("--")
        {
            hint = "Use it with \(others.prefix(4).map { "`godwit \($0)`" }.joined(separator: " or "))."
        } else {
            let begun = own.first {
                $0.count >= 5 && (option.hasPrefix($0) || option.count >= 5 && $0.hasPrefix(option))
            }
            // Any two options of one letter are near.
            let near = option.hasPrefix("--") || option.count > 2 ? NearestName.hint(for: option, among: own) : nil
            hint = near ?? begun.map { "Did you mean `\($0)`?" }
        }
    }

    /// The commands that have an option; if it has a value in some of them, only those.
    private static func commands(_ all: [String], with option: String, _ helpOf: (String) -> String) -> [String] {
        let having = all.filter { options(in: helpOf($0)).contains(option) }
        let withValue = having.filter { helpOf($0).firstRange(of: "\(option) <") != nil }
        return withValue.isEmpty ? having : withValue
    }

    /// The option for a path that was given without one: a manifest or a folder.
    static func forPath(_ path: String, in help: String) -> String? {
        let isManifest = [".yaml", ".yml"].contains { path.lowercased().hasSuffix($0) }
        let option = isManifest ? "--manifest" : "--container"
        guard options(in: help).contains(option), isManifest || ProcessSetup.isFolder(path) else { return nil }
        return isManifest ? "-m" : "-c"
    }

    /// Options of other commands whose effect a command always has.
    private static let needless = [
        "plan": ["--dry-run": "`godwit plan` changes nothing", "-n": "`godwit plan` changes nothing"],
        "schedule": ["--if-changed": "a scheduled export has it"],
    ]

    /// The options that a help text lists.
    private static func options(in help: String) -> [String] {
        let pieces = help.split { " \n,[]()<>|=/`.;:".contains($0) }.map(String.init)
        var found: [String] = []
        for piece in pieces where piece.hasPrefix("-") && piece.count > 1 && !found.contains(piece) {
            found.append(piece)
        }
        return found
    }
}
