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
        unmapped.compactMap { key, file in
            if let rule = missingRules.first(where: { Self.isSlip($0.key, key) }) {
                return notFound(rule, key, file)
            }
            return target(like: key).map { Self.notMapped(key, file, $0) }
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

    /// Whether one key differs from the other only by few typing errors; separators and case are ignored.
    private static func isSlip(_ mapped: String, _ key: String) -> Bool {
        let (one, other) = (NameParts(mapped).joined, NameParts(key).joined)
        return one == other || NearestName.nearest(to: one, among: [other]) != nil
    }

    /// The column of a singleton, or the entity, that has a similar name and that no rule fills; also one whose rule has a
    /// key that no file has, if the name is nearly the same.
    private func target(like key: String) -> String? {
        for entity in manifest.entities where entity.singleton != nil {
            let rules = manifest.legacy.settings.filter { $0.entity == entity.name }
            let others = ([entity.key] + [entity.modified?.column].compactMap(\.self)).map(\.foldedName)
            for column in shape.table(named: entity.name)?.storedColumns ?? []
            where !others.contains(column.name.foldedName) {
                let own = rules.filter { $0.column.foldedName == column.name.foldedName }.map(\.key)
                if own.isEmpty ? Self.isAlike(key, column.name) : !areFound(own) && Self.isSame(key, column.name) {
                    return "\(entity.name).\(column.name)"
                }
            }
        }
        return manifest.entities.first { entity in
            let own = manifest.legacy.favorites.filter { $0.entity == entity.name }.map(\.key)
            guard entity.singleton == nil else { return false }
            return own.isEmpty
                ? Self.isAlike(key, entity: entity.name) : !areFound(own) && Self.isSame(key, entity.name)
        }.map { "\($0.name).\($0.key)" }
    }

    /// Whether a file has one of these keys, or had it at an earlier import.
    private func areFound(_ keys: [String]) -> Bool { !isWhole || keys.contains { found.contains(Bytes($0)) } }

    /// Whether two names differ by typing errors only, or have the same significant words.
    private static func isSame(_ key: String, _ name: String) -> Bool {
        isSlip(name, key) || !telling(key).isEmpty && telling(key) == telling(name)
    }

    /// Whether a key may be the list of an entity: all significant words of one are words of the other.
    ///
    /// An entity of a single word is in the names of many settings, so then only the key's words count.
    private static func isAlike(_ key: String, entity: String) -> Bool {
        let (one, other) = (telling(key), telling(entity))
        if isSlip(entity, key) || isCovered(one, by: other) { return true }
        // Singular and plural of a word begin alike.
        return other.count > 1
            && other.allSatisfy { word in one.contains { $0.count > 3 && word.hasPrefix($0) || $0.hasPrefix(word) } }
    }

    /// Whether two names share a significant word, or one is a misspelling of the other: `CardSortOrder` and
    /// `sortedBy`.
    ///
    /// A loose test is enough, because few columns of a singleton have no rule.
    private static func isAlike(_ key: String, _ name: String) -> Bool {
        if isSlip(name, key) { return true }
        let (one, other) = (telling(key), telling(name))
        return one.contains { isCovered([$0], by: other) } || other.contains { isCovered([$0], by: one) }
    }

    /// Whether each word of one name is a word of the other, or its beginning: `favs` and `FavoriteExercise`.
    private static func isCovered(_ one: Set<String>, by other: Set<String>) -> Bool {
        !one.isEmpty && one.allSatisfy { word in other.contains { $0 == word || word.count > 2 && $0.hasPrefix(word) } }
    }

    private static func telling(_ name: String) -> Set<String> {
        Set(NameParts(name).words.map(NameParts.singular).filter { $0.count > 2 }).subtracting(idleWords)
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
            "no preferences file has the key '\(rule.key)', which fills \(rule.into), but `\(file)` has "
                + "the key '\(key)', which nothing maps",
            hint: "If '\(key)' is the right key, correct it under `legacy:` in the manifest.",
            position: GodwitError.Position(file: manifest.file, line: position.line, column: position.column))
    }

    private static func notMapped(_ key: String, _ file: String, _ target: String) -> Warning {
        Warning(
            "keyNotMapped",
            "nothing maps the key '\(key)' of `\(file)`, and no legacy key fills \(target)",
            hint:
                "Map the key under `legacy:` in the manifest, or list it under `localOnly`."
        )
    }
}
