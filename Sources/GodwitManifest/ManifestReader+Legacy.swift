internal import GodwitModel

extension ManifestReader {
    /// The `legacy` section; it names each key once, and one key fills a column.
    func legacy(into entities: [Entity]) throws(GodwitError) -> LegacyRules {
        guard let section = try top.section("legacy", optional: ["settings", "favorites", "localOnly"]) else {
            return LegacyRules()
        }
        var keys = LegacyKeys(file: file)
        var columns: [[UInt8]: String] = [:]
        var settings: [SettingRule] = []
        for item in try section.items("settings") ?? [] {
            let rule = try setting(item, entities, &keys)
            if let other = columns.updateValue(rule.key, forKey: "\(rule.entity).\(rule.column)".foldedName) {
                throw target(
                    item.node, "\(named(rule.entity + "." + rule.column)) is already filled from \(named(other))")
            }
            settings.append(rule)
        }
        var favorites: [FavoritesRule] = []
        for item in try section.items("favorites") ?? [] {
            favorites.append(try favorite(item, entities, &keys))
        }
        var localOnly: [String] = []
        for item in try section.items("localOnly") ?? [] {
            let key = try section.text(item.node, at: item.path)
            try keys.take(key, at: item.node.position)
            localOnly.append(key)
        }
        return LegacyRules(settings: settings, favorites: favorites, localOnly: localOnly)
    }

    private func setting(
        _ item: (node: ManifestNode, path: String), _ entities: [Entity], _ keys: inout LegacyKeys
    ) throws(GodwitError) -> SettingRule {
        let section = try ManifestSection(
            item.node, at: item.path, file: file, required: ["key", "into"], optional: ["values", "default"])
        let key = try legacyKey(section, &keys)
        let (entity, column) = try into(section, entities)
        guard entity.singleton != nil else {
            throw target(
                item.node,
                "\(named(entity.name)) is not a singleton: a setting fills a column of an entity with "
                    + "one record",
                hint: "Add `singleton:` to the entity, or use `favorites`.")
        }
        guard !column.isSameName(as: entity.key), !column.isSameName(as: entity.modified?.column ?? "") else {
            throw target(item.node, "\(named(column)) identifies or dates the record; a setting can't fill it")
        }
        var value: ManifestValue?
        if let node = section["default"] {
            value = try self.value(node, at: section.path(of: "default"))
        }
        return SettingRule(
            key: key, entity: entity.name, column: column, values: try values(section), defaultValue: value)
    }

    private func favorite(
        _ item: (node: ManifestNode, path: String), _ entities: [Entity], _ keys: inout LegacyKeys
    ) throws(GodwitError) -> FavoritesRule {
        let section = try ManifestSection(
            item.node, at: item.path, file: file, required: ["key", "into"], optional: ["encoding", "dates", "mode"])
        let key = try legacyKey(section, &keys)
        let (entity, column) = try into(section, entities)
        guard entity.singleton == nil else {
            throw target(item.node, "\(named(entity.name)) is a singleton: it can't hold a list of favorites")
        }
        guard column.isSameName(as: entity.key) else {
            throw target(
                item.node, "favorites must go into the key of \(named(entity.name))",
                hint: "Write `into: \(entity.name).\(entity.key)`.")
        }
        return FavoritesRule(
            key: key, entity: entity.name, column: column,
            encoding: try section.word("encoding", FavoritesEncoding.self) ?? .auto,
            dates: try section.word("dates", FavoriteDates.self),
            mode: try section.word("mode", FavoritesMode.self) ?? .onlyIntoEmpty)
    }

    private func target(_ rule: ManifestNode, _ message: String, hint: String? = nil) -> GodwitError {
        var position = rule.position
        if case .mapping(let pairs) = rule.content, let into = pairs.first(where: { $0.key == "into" }) {
            position = into.value.position
        }
        return .manifest(file, position, message, hint: hint)
    }

    private func legacyKey(_ section: ManifestSection, _ keys: inout LegacyKeys) throws(GodwitError) -> String {
        let key = try required(section, "key")
        try keys.take(key, at: section["key"]?.position ?? section.position)
        return key
    }

    /// `Entity.column`, split at the first dot.
    private func into(
        _ section: ManifestSection, _ entities: [Entity]
    ) throws(GodwitError) -> (entity: Entity, column: String) {
        let text = try required(section, "into")
        let node = section["into"] ?? ManifestNode(position: section.position, content: .scalar(.null))
        guard let dot = text.firstIndex(of: "."), dot != text.startIndex, text.index(after: dot) != text.endIndex else {
            throw section.refusal(
                node, "\(named(section.path(of: "into"))) must be `Entity.column`",
                hint: "Write the entity, a dot and the column.")
        }
        let (name, column) = (String(text[..<dot]), String(text[text.index(after: dot)...]))
        guard let entity = entities.first(where: { $0.name == name }) else {
            throw section.refusal(
                node, "\(named(name)) is not an entity of this manifest",
                hint: NearestName.hint(for: name, among: entities.map(\.name)) ?? "Add it to `entities`.")
        }
        if let fault = Self.fault(inName: column) { throw section.refusal(node, "\(named(column)) \(fault)") }
        return (entity, column)
    }
}
