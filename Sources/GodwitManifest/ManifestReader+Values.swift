internal import GodwitModel

/// Value maps, defaults and their legacy keys.
extension ManifestReader {
    func values(_ section: ManifestSection) throws(GodwitError) -> [ValueMapping]? {
        guard let node = section["values"] else { return nil }
        let inner = try ManifestSection(node, at: section.path(of: "values"), file: file)
        guard !inner.pairs.isEmpty else {
            throw inner.refusal(
                node, "\(named(inner.path)) is empty: no value could pass.",
                hint: "Leave it out to let all values pass.")
        }
        var mappings: [ValueMapping] = []
        var seen: Set<String> = []
        for pair in inner.pairs {
            guard let from = pair.scalar.legacyText else {
                throw .manifest(
                    file, pair.position, "A key of \(named(inner.path)) must be text, a number or a boolean.",
                    hint: "Put it in quotes if it is meant as text.")
            }
            guard seen.insert(from).inserted else {
                throw .manifest(
                    file, pair.position, "The key \(named(pair.key)) means the same as one above it.",
                    hint: "Numbers and booleans are compared by their text.")
            }
            mappings.append(
                ValueMapping(
                    from: from, spelling: pair.key, to: try value(pair.value, at: inner.path(of: pair.key))))
        }
        return mappings
    }

    /// A scalar with its type and its text; the schema decides the stored form.
    func value(_ node: ManifestNode, at path: String) throws(GodwitError) -> ManifestValue {
        guard case .scalar(let scalar) = node.content else {
            throw ManifestSection.wrongType(node, at: path, wanted: "text, a number or a boolean", file: file)
        }
        if case .unrepresentable = scalar {
            throw .manifest(
                file, node.position, "The number at \(named(path)) does not fit 64 bits.",
                hint: "Put it in quotes if it is meant as text.")
        }
        guard let value = scalar.legacyValue else {
            throw ManifestSection.wrongType(node, at: path, wanted: "text, a number or a boolean", file: file)
        }
        return ManifestValue(value, text: node.text)
    }
}

/// The legacy keys that the manifest has named so far, compared by bytes.
struct LegacyKeys {
    let file: String
    private var lines: [[UInt8]: Int] = [:]

    init(file: String) { self.file = file }

    mutating func take(_ key: String, at position: SourcePosition) throws(GodwitError) {
        guard let line = lines.updateValue(position.line, forKey: Array(key.utf8)) else { return }
        throw .manifest(
            file, position, "The legacy key \(named(key)) is used twice; first in line \(line).",
            hint: "Each key ends in one place, so that every value is accounted for once.")
    }
}
