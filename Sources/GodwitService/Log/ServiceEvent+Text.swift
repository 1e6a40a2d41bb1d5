import GodwitModel
import FoundationLite

extension ServiceEvent {
    /// One line without its end: words for the reader, then `name=value` for searches.
    ///
    ///     2026-11-22T06:00:00Z exported file=/exports/TrainLog-2026-11-22T060000Z.json records=640 … cause=change
    package var line: String {
        switch self {
        case .ran(let run): run.line
        case .note(let note): "\(note.at.iso8601) \(note.isWarning ? "warning: " : "")\(note.message.onOneLine)"
        }
    }

    /// One line of JSON without its end.
    package var json: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let data =
            switch self {
            case .ran(let run): try? encoder.encode(run)
            case .note(let note): try? encoder.encode(note)
            }
        return Array(data ?? Data())
    }

    /// Whether the event is neither a failure nor a warning.
    package var isFine: Bool {
        switch self {
        case .ran(let run): run.outcome != .failed
        case .note(let note): !note.isWarning
        }
    }
}

extension ServiceRun {
    fileprivate var line: String {
        var words = ["\(at.iso8601) \(outcome.rawValue)"]
        func add(_ name: String, _ value: String?) {
            if let value { words.append("\(name)=\(value.quotedForLogs)") }
        }
        add("file", file)
        add("store", store?.rawValue)
        add("records", records.map(String.init))
        add("bytes", bytes.map(String.init))
        add("freshness", freshness?.rawValue)
        add("warnings", warnings?.joined(separator: ","))
        add("code", code.map(String.init))
        add("message", message)
        add("hint", hint)
        add("cause", cause.rawValue)
        add("ms", String(durationMilliseconds))
        add("retryMs", retryMilliseconds.map(String.init))
        return words.joined(separator: " ")
    }
}

extension String {
    /// The text with control characters escaped, so that a file name cannot begin a new line.
    fileprivate var onOneLine: String {
        unicodeScalars.map { scalar in
            scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || [0x2028, 0x2029].contains(scalar.value)
                ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }.joined()
    }

    /// The text, in quotes if it has spaces, quotes or an equals sign.
    fileprivate var quotedForLogs: String {
        let text = onOneLine
        guard isEmpty || text.utf8.contains(where: { [0x20, 0x22, 0x3D].contains($0) }) else { return text }
        let inside = text.replacingBytes(of: "\"", with: "\\\"")
        return "\"\(inside)\""
    }
}
