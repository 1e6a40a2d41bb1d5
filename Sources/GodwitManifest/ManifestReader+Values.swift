internal import GodwitModel

/// Value maps, defaults and their legacy keys.
extension ManifestReader {
    func values(_ section: ManifestSection) throws(GodwitError) -> [ValueMapping]? {
        guard let node = section["values"] else { return nil }
        let inner = try ManifestSection(node, at: section.path(of: "values"), file: file)
        guard !inner.pairs.isEmpty else {
            throw inner.refusal(
                node, "\(named(inner.path)) is empty: it would accept no value",
                hint: "Remove it to accept all values.")
        }
        var mappings: [ValueMapping] = []
        var seen: Set<String> = []
        for pair in inner.pairs {
            guard let from = pair.scalar.legacyText else {
                throw .manifest(
                    file, pair.position, "a key of \(named(inner.path)) must be text, a number or a boolean",
                    hint: "Put it in quotes if it is text.")
            }
            guard seen.insert(from).inserted else {
                throw .manifest(
                    file, pair.position,
                    "the key \(named(pair.key)) is the same as an earlier one: numbers and booleans "
                        + "are compared by their text",
                    hint: "Remove one of the two.")
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
                file, node.position, "the number at \(named(path)) does not fit into 64 bits",
                hint: "Put it in quotes if it is text.")
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
            file, position, "the legacy key \(named(key)) is used twice; first in line \(line)",
            hint: "Remove one of the two uses.")
    }
}
