internal import GodwitModel

/// The source of an entity's records in a Core Data store: `source: { entity, fields }`.
extension ManifestReader {
    /// The `source` of an entity; nil if it has none.
    func source(_ section: ManifestSection, key: String, layout: StoreLayout) throws(GodwitError) -> RecordSource? {
        guard let node = section["source"] else { return nil }
        let path = section.path(of: "source")
        guard layout == .coreData else {
            throw section.refusal(
                node, "\(named(path)) requires a local store with the layout `coreData`",
                hint:
                    "Write `local: { path: …, layout: coreData }`, or remove `source` to read the entity's "
                    + "own table."
            )
        }
        let inner = try ManifestSection(
            node, at: path, file: file, required: ["fields"], optional: ["entity", "join", "subentities"])
        let fields = try fields(inner)
        guard fields.contains(where: { $0.column.isSameName(as: key) }) else {
            throw inner.refusal(
                inner["fields"] ?? node, "no field of \(named(path)) fills the key \(named(key))",
                hint: "Add a field for it.")
        }
        return RecordSource(origin: try origin(inner, node), fields: fields)
    }

    private func origin(_ section: ManifestSection, _ node: ManifestNode) throws(GodwitError) -> RecordSource.Origin {
        let subentities = try section.boolean("subentities")
        guard let joined = try section.text("join") else {
            guard let name = try section.text("entity") else {
                throw section.refusal(
                    node, "\(named(section.path)) has neither `entity` nor `join`",
                    hint: "Write `entity: Workout`, or `join: Workout.tags` for the pairs of a many-to-many relation.")
            }
            return .entity(name, includesSubentities: subentities ?? true)
        }
        if let other = section["entity"] {
            throw section.refusal(
                other, "\(named(section.path)) has both `entity` and `join`", hint: "Remove one of the two.")
        }
        if let other = section["subentities"] {
            throw section.refusal(other, "`subentities` requires `entity`; here is `join`", hint: "Remove it.")
        }
        guard let path = SourcePath(joined), path.parts.count == 2 else {
            throw section.refusal(
                section["join"] ?? node, "\(named(section.path(of: "join"))) can't be \(named(joined))",
                hint: "Write an entity and its to-many relation, as in `join: Workout.tags`.")
        }
        return .join(entity: path.parts[0], relation: path.parts[1])
    }

    private func fields(_ section: ManifestSection) throws(GodwitError) -> [SourceField] {
        guard let node = section["fields"] else { return [] }
        let inner = try ManifestSection(node, at: section.path(of: "fields"), file: file)
        try checkNames(inner)
        var fields: [SourceField] = []
        for pair in inner.pairs { fields.append(try field(pair, in: inner)) }
        return fields
    }

    /// `column: path` or `column: { from, as, entity, default }`.
    private func field(_ pair: ManifestPair, in section: ManifestSection) throws(GodwitError) -> SourceField {
        let path = section.path(of: pair.key)
        guard case .mapping = pair.value.content else {
            return SourceField(column: pair.key, paths: [try sourcePath(pair.value, at: path, section)])
        }
        let inner = try ManifestSection(
            pair.value, at: path, file: file, required: ["from"], optional: ["as", "entity", "default"])
        var paths: [SourcePath] = []
        if let from = inner["from"], case .list = from.content {
            for item in try inner.items("from") ?? [] { paths.append(try sourcePath(item.node, at: item.path, inner)) }
            guard (2...8).contains(paths.count) else {
                throw inner.refusal(
                    from, "a list in \(named(inner.path(of: "from"))) must have 2 to 8 paths",
                    hint: "Write a single path without a list.")
            }
        } else if let from = inner["from"] {
            paths = [try sourcePath(from, at: inner.path(of: "from"), inner)]
        }
        var fallback: ManifestValue?
        if let node = inner["default"] { fallback = try value(node, at: inner.path(of: "default")) }
        return SourceField(
            column: pair.key, paths: paths, encoding: try inner.word("as", SourceEncoding.self),
            target: try inner.text("entity"), fallback: fallback)
    }

    private func sourcePath(
        _ node: ManifestNode, at path: String, _ section: ManifestSection
    ) throws(GodwitError) -> SourcePath {
        let text = try section.text(node, at: path)
        guard let parsed = SourcePath(text) else {
            throw section.refusal(
                node, "\(named(path)) can't be \(named(text))",
                hint: "Write an attribute, such as `name`, or an attribute of a relation, such as `workout.id`.")
        }
        return parsed
    }
}

extension ManifestSection {
    /// `true` or `false`; nil if the key does not exist.
    func boolean(_ key: String) throws(GodwitError) -> Bool? {
        guard let node = self[key] else { return nil }
        guard case .scalar(.boolean(let value)) = node.content else {
            throw Self.wrongType(node, at: path(of: key), wanted: "`true` or `false`", file: file)
        }
        return value
    }
}
