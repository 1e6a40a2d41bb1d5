internal import GodwitModel

/// Why bytes are not a legacy file that Godwit reads: the reason, the offset, and the key.
///
/// Readers throw it, and callers convert it to a `GodwitError`. It never has a value of the file.
package struct LegacyDamage: Error {
    /// Whether the bytes are wrong, or only exceed a limit.
    enum Kind: Sendable {
        case damaged
        case limit
    }

    /// A few words, such as `truncated`.
    var reason: String
    /// Offset in the file; nil for the whole file.
    var offset: Int?
    /// The keys of the path to a value that cannot be read; empty if the file itself is wrong.
    var keys: [String]
    var kind: Kind

    init(_ reason: String, at offset: Int?, keys: [String] = [], kind: Kind = .damaged) {
        (self.reason, self.offset, self.keys, self.kind) = (reason, offset, keys, kind)
    }

    /// The error of the legacy stage, with line and column for text formats.
    func error(in bytes: [UInt8], as format: LegacyFormat) -> GodwitError {
        let position = offset.map { Self.positionText($0, in: bytes, as: format) }
        let details = [reason, position].compactMap(\.self).joined(separator: "; ")
        let message: String
        if keys.isEmpty {
            message = "not \(format == .json ? "readable JSON" : "a readable property list") (\(details))"
        } else {
            message = "key \(Self.path(keys)): \(reason)\(position.map { " (\($0))" } ?? "")"
        }
        let hint =
            kind == .limit
            ? "Make the file smaller: Godwit reads files of up to 64 MiB, 1,000,000 values and 512 levels."
            : "Restore the file from a backup, or let its app write it again."
        return GodwitError(.legacy, .data, message, hint: hint)
    }

    /// `line 3, column 7` for text, counted from 1 in Unicode scalars; `byte 42` for binary files.
    private static func positionText(_ offset: Int, in bytes: [UInt8], as format: LegacyFormat) -> String {
        guard format != .binary else { return "byte \(offset.grouped)" }
        let before = bytes.prefix(offset)
        let line = before.reduce(into: 1) { $0 += $1 == UInt8(ascii: "\n") ? 1 : 0 }
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let column = before[lineStart...].reduce(into: 1) { $0 += $1 & 0xC0 == 0x80 ? 0 : 1 }
        return "line \(line), column \(column)"
    }

    /// The keys from the top level down, without the middle of a long path.
    private static func path(_ keys: [String]) -> String {
        let shown = keys.count <= 6 ? keys[...] : keys.prefix(3) + ["…"] + keys.suffix(2)
        return shown.map { "'\($0.escapedForMessage)'" }.joined(separator: " > ")
    }
}

extension String {
    /// The text for a message: control characters escaped, 80 characters at most.
    package var escapedForMessage: String {
        var text = ""
        for (index, scalar) in unicodeScalars.enumerated() {
            guard index < 80 else { return text + "…" }
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                text += "\\u{\(String(scalar.value, radix: 16))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
