internal import GodwitModel

extension ManifestReader {
    /// The `entities` section, in the order of the file.
    ///
    /// - Parameter layout: The layout of the local store; only Core Data stores have sources.
    func entities(from layout: StoreLayout) throws(GodwitError) -> [Entity] {
        guard let node = top["entities"] else {
            throw .manifest(file, top.position, "missing key `entities` in the manifest")
        }
        let section = try ManifestSection(node, at: "entities", file: file)
        guard (1...Self.maxEntities).contains(section.pairs.count) else {
            throw section.refusal(
                node, "`entities` must name 1 to \(Self.maxEntities) entities, but names \(section.pairs.count)",
                hint: "Name each table whose records Godwit copies.")
        }
        try checkNames(section)
        var entities: [Entity] = []
        for pair in section.pairs { entities.append(try entity(pair, in: section, layout)) }
        try checkParents(of: entities, in: section)
        return entities
    }

    private static var maxEntities: Int { 1000 }

    private func entity(
        _ pair: ManifestPair, in section: ManifestSection, _ layout: StoreLayout
    ) throws(GodwitError) -> Entity {
        let inner = try ManifestSection(
            pair.value, at: section.path(of: pair.key), file: file, required: ["key"],
            optional: ["modified", "belongsTo", "conflict", "singleton", "source"])
        let key = try column(inner, "key")
        let modified = try modified(inner)
        if let modified, modified.column.isSameName(as: key), let node = inner["modified"] {
            throw inner.refusal(
                node, "\(named(inner.path(of: "modified"))) is the key: it can't date the record as well")
        }
        return Entity(
            name: pair.key, key: key, modified: modified, belongsTo: try references(inner),
            conflict: try inner.word("conflict", ConflictRule.self) ?? .keepNewest,
            singleton: try inner.text("singleton"), source: try source(inner, key: key, layout: layout))
    }

    /// `modified: column` or `modified: { column, as }`.
    private func modified(_ section: ManifestSection) throws(GodwitError) -> ModifiedColumn? {
        guard let node = section["modified"] else { return nil }
        guard case .mapping = node.content else { return ModifiedColumn(column: try column(section, "modified")) }
        let inner = try ManifestSection(
            node, at: section.path(of: "modified"), file: file, required: ["column"], optional: ["as"])
        return ModifiedColumn(
            column: try column(inner, "column"), encoding: try inner.word("as", InstantEncoding.self))
    }

    private func references(_ section: ManifestSection) throws(GodwitError) -> [Reference] {
        guard let node = section["belongsTo"] else { return [] }
        let inner = try ManifestSection(node, at: section.path(of: "belongsTo"), file: file)
        try checkNames(inner)
        var references: [Reference] = []
        for pair in inner.pairs { references.append(try reference(pair, in: inner)) }
        return references
    }

    /// `column: Entity` or `column: { entity, by, missing }`.
    private func reference(_ pair: ManifestPair, in section: ManifestSection) throws(GodwitError) -> Reference {
        let path = section.path(of: pair.key)
        guard case .mapping = pair.value.content else {
            return Reference(column: pair.key, parent: try section.text(pair.value, at: path))
        }
        let inner = try ManifestSection(
            pair.value, at: path, file: file, required: ["entity"], optional: ["by", "missing"])
        return Reference(
            column: pair.key, parent: try required(inner, "entity"),
            by: inner["by"] == nil ? nil : try column(inner, "by"),
            missing: try inner.word("missing", MissingParent.self) ?? .refuse)
    }

    private func column(_ section: ManifestSection, _ key: String) throws(GodwitError) -> String {
        let name = try required(section, key)
        if let fault = Self.fault(inName: name), let node = section[key] {
            throw section.refusal(node, "\(named(name)) \(fault)")
        }
        return name
    }

    /// Checks that the keys of a mapping are valid names of tables or columns, and that no two are equal.
    func checkNames(_ section: ManifestSection) throws(GodwitError) {
        var seen: Set<[UInt8]> = []
        for pair in section.pairs {
            let name = try section.name(of: pair)
            if let fault = Self.fault(inName: name) {
                throw .manifest(file, pair.position, "\(named(name)) \(fault)")
            }
            guard seen.insert(name.foldedName).inserted else {
                throw .manifest(
                    file, pair.position,
                    "\(named(name)) is given twice in \(section.title), or differs only in letter "
                        + "case, which SQLite ignores",
                    hint: "Remove one of the two.")
            }
        }
    }

    /// Why the name of a table or column is invalid, as the end of a sentence.
    static func fault(inName name: String) -> String? {
        for prefix in ["godwit_", "sqlite_"] where name.foldedName.starts(with: prefix.utf8) {
            return "begins with `\(prefix)`, which is reserved"
        }
        return nil
    }
}

// MARK: - Parents

extension ManifestReader {
    /// Checks that every parent is an entity and that no entity is its own ancestor; trees inside one entity are
    /// allowed.
    private func checkParents(of entities: [Entity], in section: ManifestSection) throws(GodwitError) {
        let names = Set(entities.map(\.name))
        for (entity, pair) in zip(entities, section.pairs) {
            for reference in entity.belongsTo where !names.contains(reference.parent) {
                throw .manifest(
                    file, position(of: reference, in: pair),
                    "\(named(entity.name)) belongs to \(named(reference.parent)), which is not an entity "
                        + "of this manifest",
                    hint: hint(forParent: reference.parent, entities, section)
                        ?? "Add it to `entities`, or remove this column from `belongsTo`.")
            }
        }
        for (entity, pair) in zip(entities, section.pairs) {
            for reference in entity.belongsTo
            where reference.parent == entity.name && reference.column.isSameName(as: reference.by ?? entity.key) {
                throw .manifest(
                    file, position(of: reference, in: pair),
                    "\(named(reference.column)) of \(named(entity.name)) refers to itself",
                    hint: "Name the entity of the parent, and its column with `by:` if that is not its key.")
            }
        }
        guard let cycle = Entity.cycle(in: entities), let child = cycle.first,
            let entity = entities.first(where: { $0.name == child }),
            let reference = entity.belongsTo.first(where: { $0.parent == cycle[1] }),
            let pair = section.pairs.first(where: { $0.key == child })
        else { return }
        throw .manifest(
            file, position(of: reference, in: pair),
            "`belongsTo` forms a cycle: \(cycle.map { named($0) }.joined(separator: " → "))",
            hint: "Remove one of these columns, so that parents can be copied before their children.")
    }

    /// Suggests the entity that was most likely meant: either name may have the mistake.
    private func hint(forParent parent: String, _ entities: [Entity], _ section: ManifestSection) -> String? {
        let near = NearestName.nearest(to: parent, among: entities.map(\.name))
        return section.pairs.first { $0.key == near }.map {
            "Did you mean \(named($0.key)), the entity in line \($0.position.line)?"
        }
    }

    private func position(of reference: Reference, in pair: ManifestPair) -> SourcePosition {
        guard case .mapping(let keys) = pair.value.content,
            case .mapping(let columns)? = keys.first(where: { $0.key == "belongsTo" })?.value.content
        else { return pair.position }
        guard let value = columns.first(where: { $0.key == reference.column })?.value else { return pair.position }
        guard case .mapping(let parts) = value.content else { return value.position }
        return parts.first { $0.key == "entity" }?.value.position ?? value.position
    }
}
