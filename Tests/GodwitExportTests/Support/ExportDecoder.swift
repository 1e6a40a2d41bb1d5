import GodwitModel
import Foundation

/// Reads values like a reader that only has the description of the format.
enum ExportDecoder {
    struct Unknown: Error {}

    static func value(_ node: StrictJSON) throws -> Value {
        switch node {
        case .null: return .null
        case .string(let text): return .string(text)
        case .number(let text): return try number(text)
        case .object(let members) where members.count == 1: return try tagged(members[0])
        default: throw Unknown()
        }
    }

    private static func number(_ text: String) throws -> Value {
        if text.contains(where: { ".eE".contains($0) }) {
            guard let real = Double(text) else { throw Unknown() }
            return .real(real)
        }
        guard let integer = Int64(text), integer.magnitude < 1 << 53 else { throw Unknown() }
        return .integer(integer)
    }

    private static func tagged(_ member: StrictJSON.Member) throws -> Value {
        guard let text = member.value.text else { throw Unknown() }
        switch member.name {
        case "$blob": return .blob(try bytes(text))
        case "$text": return .text(try bytes(text))
        case "$int":
            guard let integer = Int64(text), integer.magnitude >= 1 << 53 else { throw Unknown() }
            return .integer(integer)
        case "$real" where text == "Infinity": return .real(.infinity)
        case "$real" where text == "-Infinity": return .real(-.infinity)
        default: throw Unknown()
        }
    }

    private static func bytes(_ base64: String) throws -> [UInt8] {
        guard let data = Data(base64Encoded: base64) else { throw Unknown() }
        return Array(data)
    }
}
