internal import GodwitFiles
package import GodwitModel

/// The name of an export in a folder: app, selection of entities, and time in UTC.
///
/// `TrainLog-2026-11-21T060000Z.json`: without characters that are special in shells, URLs or file systems; sorting by
/// name sorts by time. No code reads information from these names.
package struct ExportName: Sendable, Equatable {
    /// The part before the time.
    package let stem: String
    /// `.json` or `.jsonl`, and `.gz` if packed.
    package let ending: String

    /// Maximum length of the name of an app or of a selection, in bytes.
    private static let longest = 60
    private static let hashDigits = 8

    package init(
        app: String, selection: [String]? = nil, isIncrement: Bool = false, layout: ExportReport.Layout, isPacked: Bool
    ) {
        var parts = [Self.safe(app)]
        if let selection { parts.append(Self.safe(selection)) }
        if isIncrement { parts.append("since") }
        stem = parts.joined(separator: "-")
        ending = (layout == .lines ? ".jsonl" : ".json") + (isPacked ? ".gz" : "")
    }

    /// The name of an export made at this time; a number from 2 distinguishes exports of the same second.
    package func name(at instant: Instant, number: Int = 1) -> String {
        let time = String(instant.iso8601.prefix(19)).replacing(":", with: "") + "Z"
        return "\(stem)-\(time)\(number > 1 ? "-\(number)" : "")\(ending)"
    }

    /// The name of the link to the newest export, of all entities or of a selection, in any layout.
    package static func latest(selection: [String]?) -> String {
        "latest" + (selection.map { "-" + safe($0) } ?? "")
    }

    /// The names of a selection's entities; followed by a hash if a character was lost.
    ///
    /// Different selections have different names. Otherwise the link to the newest export of one could refer to an
    /// export of the other.
    private static func safe(_ selection: [String]) -> String {
        let text = selection.joined(separator: "+")
        let plain = safe(text)
        let hasOwnPlus = selection.contains { name in name.utf8.contains(UInt8(ascii: "+")) }
        if !hasOwnPlus, plain.utf8.elementsEqual(text.utf8) { return plain }
        let digits = sha256Hex(Array(selection.joined(separator: "\u{0}").utf8)).prefix(hashDigits)
        return safe(text, upTo: longest - hashDigits - 1) + "-" + digits
    }

    /// Keeps letters, digits, `_` and `+`; other characters become one `-`.
    private static func safe(_ text: String, upTo limit: Int = Self.longest) -> String {
        var safe = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "+"):
                safe.unicodeScalars.append(Unicode.Scalar(byte))
            default: if !safe.isEmpty, !safe.hasSuffix("-") { safe += "-" }
            }
            if safe.utf8.count >= limit { break }
        }
        while safe.hasSuffix("-") { safe.removeLast() }
        return safe.isEmpty ? "export" : safe
    }
}
