internal import GodwitModel

/// One annotation as a workflow command: `::error file=godwit.yaml,line=3,title=…::…`.
///
/// Source: <https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands>; `escapeData` and
/// `escapeProperty` of <https://github.com/actions/toolkit/tree/main/packages/core> show what is escaped and how.
struct WorkflowCommand: Sendable, Hashable {
    /// How much an annotation weighs.
    enum Level: String, Sendable, CaseIterable {
        case error, warning, notice
    }

    var level: Level
    var title: String
    var message: String
    var position: GodwitError.Position?

    /// The most characters of a message: an annotation is read in a margin.
    private static let longest = 2_000

    /// The command on one line.
    var line: String {
        var properties: [String] = []
        if let position {
            properties.append("file=\(Self.escape(property: position.file))")
            if let line = position.line { properties.append("line=\(line)") }
            if let column = position.column { properties.append("col=\(column)") }
        }
        properties.append("title=\(Self.escape(property: title))")
        return "::\(level.rawValue) \(properties.joined(separator: ","))::\(Self.escape(data: message))"
    }

    /// Lines stay lines, as `%0A`; what else could steer a terminal is written out.
    private static func escape(data text: String) -> String {
        let short = text.count <= longest ? text : text.prefix(longest) + "…"
        let lines = short.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).escapingControls }
        return lines.map { $0.replacingBytes(of: "%", with: "%25") }.joined(separator: "%0A")
    }

    private static func escape(property text: String) -> String {
        text.escapingControls.replacingBytes(of: "%", with: "%25").replacingBytes(of: ":", with: "%3A")
            .replacingBytes(of: ",", with: "%2C")
    }

    /// A line of a log, with any content, that the runner takes for no command: it obeys `::` at the beginning, blanks
    /// before it passed over, and `##[` anywhere.
    static func harmless(_ line: String) -> String {
        let safe = line.replacingBytes(of: "##[", with: "## [")
        let words = safe.unicodeScalars.drop { $0.properties.isWhitespace }
        guard words.starts(with: "::".unicodeScalars) else { return safe }
        return "|" + safe
    }
}
