internal import GodwitModel

extension ManifestReader {
    /// The `ignore` section; it cannot list what a rule maps.
    func ignore(
        besides entities: [Entity], _ legacy: LegacyRules, _ container: ContainerPaths
    ) throws(GodwitError) -> IgnoreRules {
        guard let section = try top.section("ignore", optional: ["tables", "columns", "keys", "stores"]) else {
            return IgnoreRules()
        }
        var rules = IgnoreRules()
        for item in try section.items("tables") ?? [] {
            let table = try section.text(item.node, at: item.path)
            let names = entities.flatMap { [$0.name, $0.source?.origin.entity].compactMap(\.self) }
            guard !names.contains(where: { $0.isSameName(as: table) }) else {
                throw mapped(item.node, table, "is an entity of this manifest")
            }
            rules.tables.append(table)
        }
        for item in try section.items("columns") ?? [] {
            let column = try section.text(item.node, at: item.path)
            guard column.contains(".") else {
                throw section.refusal(
                    item.node, "\(named(column)) does not have the form `Entity.column`",
                    hint: "Write the entity first, as in `Workout.note`.")
            }
            guard !entities.contains(where: { $0.maps(column, legacy) }) else {
                throw mapped(item.node, column, "is mapped in this manifest")
            }
            rules.columns.append(column)
        }
        for item in try section.items("keys") ?? [] {
            let key = try section.text(item.node, at: item.path)
            guard !legacy.mappedKeys.contains(where: { $0.utf8.elementsEqual(key.utf8) }) else {
                throw mapped(item.node, key, "is mapped under `legacy`")
            }
            rules.keys.append(key)
        }
        for item in try section.items("stores") ?? [] {
            rules.stores.append(try store(item, section, container))
        }
        return rules
    }

    private func store(
        _ item: (node: ManifestNode, path: String), _ section: ManifestSection, _ container: ContainerPaths
    ) throws(GodwitError) -> String {
        let path = try section.text(item.node, at: item.path)
        if let fault = Self.fault(inPath: path) {
            throw section.refusal(
                item.node, "the path \(named(item.path)) \(fault)",
                hint: "Write the path of a store relative to the container, such as `Library/Caches/*.sqlite`.")
        }
        for (key, taken) in [("local", container.local), ("cloud", container.cloud)]
        where taken.utf8.elementsEqual(path.utf8) {
            throw mapped(item.node, path, "is the store of `\(key):`")
        }
        return path
    }

    private func mapped(_ node: ManifestNode, _ name: String, _ what: String) -> GodwitError {
        top.refusal(
            node, "\(named(name)) can't be ignored: it \(what)",
            hint: "Remove it from `ignore`, or from the other rule.")
    }
}

extension Entity {
    /// Whether a rule reads or fills `Entity.column`, by the name of the entity or of its source.
    fileprivate func maps(_ column: String, _ legacy: LegacyRules) -> Bool {
        var columns = [key] + belongsTo.map(\.column) + [modified?.column].compactMap(\.self)
        columns += legacy.settings.filter { $0.entity == name }.map(\.column)
        columns += legacy.favorites.filter { $0.entity == name }.map(\.column)
        let own = columns.contains { "\(name).\($0)".isSameName(as: column) }
        guard let source else { return own }
        let read = source.fields.flatMap(\.paths).compactMap(\.parts.first)
        return own
            || read.contains { part in
                [name, source.origin.entity].contains { "\($0).\(part)".isSameName(as: column) }
            }
    }
}
