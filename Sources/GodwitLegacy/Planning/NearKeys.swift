package import GodwitModel

/// Finds legacy keys without a rule whose names resemble mapped keys or columns: values that a typing error may leave
/// behind.
///
/// Pure: from the manifest, the key list of a coming import, and the schema. Other keys without a rule are not
/// reported, because every app has some.
package struct NearKeys {
    private let manifest: Manifest
    private let shape: SchemaShape
    /// Keys of the preferences without a rule, with their file.
    private let unmapped: [(key: String, file: String)]
    /// Mapped keys that a file has.
    private let found: Set<Bytes>
    /// Whether the key list has all keys; that of a late import has only the new ones.
    private let isWhole: Bool

    package init(_ manifest: Manifest, _ ledger: [RunReport.Legacy.Key], isWhole: Bool = true, shape: SchemaShape) {
        (self.manifest, self.isWhole, self.shape) = (manifest, isWhole, shape)
        unmapped = ledger.compactMap { line in
            line.bucket == .unmapped ? line.source.map { (line.key, $0) } : nil
        }
        found = Set(ledger.filter { $0.into != nil && $0.source != nil }.map { Bytes($0.key) })
    }

    package var warnings: [Warning] {
        let missing = missingRules.map { (rule: $0, name: Name($0.key)) }
        let targets = self.targets
        return unmapped.compactMap { key, file in
            let name = Name(key)
            if let (rule, _) = missing.first(where: { $0.name.isSlip(of: name) }) {
                return notFound(rule, key, file)
            }
            return targets.first { $0.isAlike(name) }.map { Self.notMapped(key, file, $0.path) }
        }
    }

    /// Mapped keys that no file has.
    package var absentKeys: [String] { missingRules.map(\.key) }

    private typealias Rule = (key: String, into: String, path: String)

    /// Rules whose key is in no file.
    private var missingRules: [Rule] {
        let settings = manifest.legacy.settings.enumerated().map { index, rule in
            (key: rule.key, into: "\(rule.entity).\(rule.column)", path: "legacy.settings[\(index)].key")
        }
        let favorites = manifest.legacy.favorites.enumerated().map { index, rule in
            (key: rule.key, into: "\(rule.entity).\(rule.column)", path: "legacy.favorites[\(index)].key")
        }
        return (settings + favorites).filter { !found.contains(Bytes($0.key)) }
    }

    /// The columns of singletons, then the entities, that no rule fills, or only rules with keys that no file has.
    private var targets: [Target] {
        var targets: [Target] = []
        for entity in manifest.entities where entity.singleton != nil {
            let rules = manifest.legacy.settings.filter { $0.entity == entity.name }
            let others = ([entity.key] + [entity.modified?.column].compactMap(\.self)).map(\.foldedName)
            for column in shape.table(named: entity.name)?.storedColumns ?? []
            where !others.contains(column.name.foldedName) {
                let own = rules.filter { $0.column.foldedName == column.name.foldedName }.map(\.key)
                guard !areFound(own) else { continue }
                targets.append(
                    Target(
                        path: "\(entity.name).\(column.name)", name: Name(column.name),
                        kind: own.isEmpty ? .column : .ruled))
            }
        }
        for entity in manifest.entities where entity.singleton == nil {
            let own = manifest.legacy.favorites.filter { $0.entity == entity.name }.map(\.key)
            guard !areFound(own) else { continue }
            targets.append(
                Target(
                    path: "\(entity.name).\(entity.key)", name: Name(entity.name), kind: own.isEmpty ? .entity : .ruled)
            )
        }
        return targets
    }

    /// Whether a file has one of these keys, or had it at an earlier import.
    private func areFound(_ keys: [String]) -> Bool {
        !keys.isEmpty && (!isWhole || keys.contains { found.contains(Bytes($0)) })
    }

    /// A name, taken apart once: there may be very many keys.
    private struct Name {
        /// All words, without separators and case.
        let joined: String
        /// The significant words, in the singular.
        let telling: Set<String>

        init(_ text: String) {
            let parts = NameParts(text)
            joined = parts.joined
            telling = Set(parts.words.map(NameParts.singular).filter { $0.count > 2 }).subtracting(NearKeys.idleWords)
        }

        /// Whether one name differs from the other only by few typing errors.
        func isSlip(of other: Name) -> Bool {
            let (one, two) = (joined.utf8.count, other.joined.utf8.count)
            // Names that differ in length by more than a third are not compared: most of very many keys.
            guard abs(one - two) <= max(1, min(one, two) / 3) else { return false }
            return joined == other.joined || NearestName.nearest(to: joined, among: [other.joined]) != nil
        }
    }

    /// What a key may be meant for.
    private struct Target {
        enum Kind { case column, entity, ruled }

        let path: String
        let name: Name
        let kind: Kind

        func isAlike(_ key: Name) -> Bool {
            if name.isSlip(of: key) { return true }
            let (one, other) = (key.telling, name.telling)
            switch kind {
            // A loose test is enough, because few columns of a singleton have no rule: `CardSortOrder` and `sortedBy`.
            case .column:
                return one.contains { NearKeys.isCovered([$0], by: other) }
                    || other.contains { NearKeys.isCovered([$0], by: one) }
            // All significant words of one are words of the other. An entity of a single word is in the names of many
            // settings, so then only the key's words count. Singular and plural of a word begin alike.
            case .entity:
                if NearKeys.isCovered(one, by: other) { return true }
                return other.count > 1
                    && other.allSatisfy { word in
                        one.contains { $0.count > 3 && word.hasPrefix($0) || $0.hasPrefix(word) }
                    }
            case .ruled: return !one.isEmpty && one == other
            }
        }
    }

    /// Whether each word of one name is a word of the other, or its beginning: `favs` and `FavoriteExercise`.
    private static func isCovered(_ one: Set<String>, by other: Set<String>) -> Bool {
        !one.isEmpty && one.allSatisfy { word in other.contains { $0 == word || word.count > 2 && $0.hasPrefix(word) } }
    }

    /// Words that many names of settings have.
    private static let idleWords: Set<String> = [
        "raw", "value", "has", "enabled", "disabled", "off", "default", "key", "setting", "user", "app", "pref",
        "preference",
        "option", "flag", "current", "selected", "preferred", "the", "show", "use", "com", "list", "first", "last",
        "date",
        "time", "count", "version", "created", "updated", "modified",
    ]

    private func notFound(_ rule: Rule, _ key: String, _ file: String) -> Warning {
        let position = manifest.position(of: rule.path)
        return Warning(
            "keyNotFound",
            "no preferences file has the key '\(rule.key)', which fills `\(rule.into)`, but `\(file)` has "
                + "the key '\(key)', which nothing maps",
            hint: "If '\(key)' is the right key, correct it under `legacy:` in the manifest.",
            position: GodwitError.Position(file: manifest.file, line: position.line, column: position.column))
    }

    private static func notMapped(_ key: String, _ file: String, _ target: String) -> Warning {
        Warning(
            "keyNotMapped",
            "nothing maps the key '\(key)' of `\(file)`, and no legacy key fills `\(target)`",
            hint:
                "Map the key under `legacy:` in the manifest, or list it under `localOnly`."
        )
    }
}
