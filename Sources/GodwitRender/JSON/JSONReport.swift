package import GodwitModel
internal import FoundationLite

/// Reports for programs.
///
/// The contract, field by field, is `docs/report-format.md`.
package enum JSONReport {
    /// Any report as JSON: indented, keys sorted, `/` not escaped, UTF-8, a newline at the end.
    ///
    /// Instants are ISO 8601 text in UTC; fields that are nil are left out. Fails with code `bug` on a value that JSON
    /// can't hold.
    package static func encode(_ value: some Encodable) throws(GodwitError) -> [UInt8] {
        try encode(value, indented: true) + [0x0A]
    }

    /// The same on one line, with its newline: for reports that come one after another.
    package static func encode(line value: some Encodable) throws(GodwitError) -> [UInt8] {
        try encode(value, indented: false) + [0x0A]
    }

    static func encode(_ value: some Encodable, indented: Bool) throws(GodwitError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if indented { encoder.outputFormatting.insert(.prettyPrinted) }
        do {
            return try escapingControls(encoder.encode(value))
        } catch {
            throw GodwitError(
                .status, .bug, "the report can't be written as JSON",
                hint: "Report this with the command that was run.", underlying: "\(error)")
        }
    }

    /// Writes DEL and the C1 controls as `\u00xx`: JSON allows them raw, but a terminal may obey them.
    ///
    /// They can only occur inside of strings, so that bytes can be replaced without parsing.
    private static func escapingControls(_ json: some Sequence<UInt8>) -> [UInt8] {
        var safe: [UInt8] = []
        var lead = false
        for byte in json {
            if lead {
                lead = false
                if byte < 0xA0 {
                    safe += escape(byte)
                } else {
                    safe += [0xC2, byte]
                }
            } else if byte == 0xC2 {
                lead = true
            } else if byte == 0x7F {
                safe += escape(byte)
            } else {
                safe.append(byte)
            }
        }
        return safe
    }

    private static func escape(_ byte: UInt8) -> [UInt8] { Array("\\u00\(String(byte, radix: 16))".utf8) }
}
