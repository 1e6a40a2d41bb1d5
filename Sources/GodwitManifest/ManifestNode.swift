internal import GodwitModel

/// A part of a manifest as written (a scalar, a list or a mapping) with its position.
struct ManifestNode: Sendable {
    /// The start of the part; for an empty value, the position where a value was expected.
    let position: SourcePosition
    let content: Content
    /// A scalar as written, without quotes; empty for lists and mappings.
    var text = ""

    enum Content: Sendable {
        case scalar(ManifestScalar)
        case list([ManifestNode])
        case mapping([ManifestPair])
    }

    /// The type's name for messages.
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
    /// The key with its type, by which a value map distinguishes `"1"` from `1`.
    let scalar: ManifestScalar
    let position: SourcePosition
    let value: ManifestNode
}

extension ManifestNode {
    /// Adds the position of each part by its path: keys with `#key` at the end, values without.
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
