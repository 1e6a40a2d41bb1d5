package import GodwitModel

extension JSONBuffer {
    /// A tree without blanks, its members in their order; null for values that JSON does not have.
    package mutating func append(tree value: LegacyValue) {
        switch value {
        case .bool(let flag): append(flag ? "true" : "false")
        case .integer(let number): append(digits: number)
        case .real(let number): append(real: number)
        case .string(let text): append(string: text)
        case .array(let items):
            append("[")
            for (index, item) in items.enumerated() {
                if index > 0 { append(",") }
                append(tree: item)
            }
            append("]")
        case .dictionary(let pairs):
            append("{")
            for (index, pair) in pairs.enumerated() {
                if index > 0 { append(",") }
                append(string: pair.key)
                append(":")
                append(tree: pair.value)
            }
            append("}")
        case .bigInteger, .date, .data, .uid, .null, .unheld: append("null")
        }
    }
}
