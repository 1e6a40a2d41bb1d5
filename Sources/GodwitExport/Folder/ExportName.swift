internal import GodwitFiles
package import GodwitModel

/// How exports in a folder are called: by app, by the entities if only some, and by the time in UTC; pure.
///
/// `TrainLog-2026-11-21T060000Z.json`: no character that a shell, a URL or another system's file system takes amiss, and names
/// in the order of time where they are sorted as text. What reads exports never goes by their names.
package struct ExportName: Sendable, Equatable {
    /// What stands before the time.
    package let stem: String
    /// `.json`, `.jsonl`, and perhaps `.gz`.
    package let ending: String

    /// The longest part that is made of an app's or an entity's name, in bytes.
    private static let longest = 60
    /// Of the hash of a selection.
    private static let hashDigits = 8

    package init(
        app: String, selection: [String]? = nil, isIncrement: Bool = false, layout: ExportLayout, isPacked: Bool
    ) {
        var parts = [Self.safe(app)]
        if let selection { parts.append(Self.safe(selection)) }
        if isIncrement { parts.append("since") }
        stem = parts.joined(separator: "-")
        ending = (layout == .lines ? ".jsonl" : ".json") + (isPacked ? ".gz" : "")
    }

    /// The name of one made at this time; from 2 on the number tells several of one second apart.
    package func name(at instant: Instant, number: Int = 1) -> String {
        let time = String(instant.iso8601.prefix(19)).replacing(":", with: "") + "Z"
        return "\(stem)-\(time)\(number > 1 ? "-\(number)" : "")\(ending)"
    }

    /// The link to the newest of all entities, or of a selection, whatever their form.
    package static func latest(selection: [String]?) -> String {
        "latest" + (selection.map { "-" + safe($0) } ?? "")
    }

    /// The names of a selection's entities; where something of them is lost, digits of a hash follow.
    ///
    /// No two selections are called alike: the link to the newest export of one would be led to one of the other.
    private static func safe(_ selection: [String]) -> String {
        let text = selection.joined(separator: "+")
        let plain = safe(text)
        let hasOwnPlus = selection.contains { name in name.utf8.contains(UInt8(ascii: "+")) }
        if !hasOwnPlus, plain.utf8.elementsEqual(text.utf8) { return plain }
        let digits = sha256Hex(Array(selection.joined(separator: "\u{0}").utf8)).prefix(hashDigits)
        return safe(text, upTo: longest - hashDigits - 1) + "-" + digits
    }

    /// Letters, digits and a few signs as they are; whatever lies between them is one `-`.
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
