internal import GodwitModel

/// A part of a manifest as written: a scalar, a list or a mapping, and where it stands.
struct ManifestNode: Sendable {
    /// Where it begins; for an empty value where one was expected.
    let position: SourcePosition
    let content: Content
    /// A scalar as written, without quotes; empty for lists and mappings.
    var text = ""

    enum Content: Sendable {
        case scalar(ManifestScalar)
        case list([ManifestNode])
        case mapping([ManifestPair])
    }

    /// What it is as messages name it.
    var typeName: String {
        switch content {
        case .scalar(let scalar): scalar.typeName
        case .list: "a list"
        case .mapping: "a mapping"
        }
    }
}

/// One line of a mapping.
struct ManifestPair: Sendable {
    /// The key as written, without quotes.
    let key: String
    /// The key with its type; value maps tell `"1"` from `1` by it where a legacy file does.
    let scalar: ManifestScalar
    let position: SourcePosition
    let value: ManifestNode
}

extension ManifestNode {
    /// Adds where each part stands, by dotted path: names with `#key` at the end, values without.
    func collectPositions(at path: String = "", into positions: inout [String: SourcePosition]) {
        if !path.isEmpty { positions[path] = position }
        switch content {
        case .scalar: break
        case .list(let items):
            for (number, item) in items.enumerated() {
                item.collectPositions(at: "\(path)[\(number)]", into: &positions)
            }
        case .mapping(let pairs):
            for pair in pairs {
                let inner = path.isEmpty ? pair.key : "\(path).\(pair.key)"
                positions["\(inner)#key"] = pair.position
                pair.value.collectPositions(at: inner, into: &positions)
            }
        }
    }
}
