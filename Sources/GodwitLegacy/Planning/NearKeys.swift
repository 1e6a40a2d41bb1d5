package import GodwitModel
internal import GodwitPropertyList

/// Finds legacy keys without a rule that a mistake in the manifest may leave behind: their names resemble mapped keys or
/// columns, or their values fit a rule whose key no file has.
///
/// Pure: from the manifest, the key list of a coming import, the schema, and the values. Other keys without a rule are
/// not reported, because every app has some.
package struct NearKeys {
    let manifest: Manifest
    let shape: SchemaShape
    /// Keys of the preferences without a rule, with their file.
    let unmapped: [(key: String, file: String)]
    /// Mapped keys that a file has.
    let found: Set<Bytes>
    /// Whether the key list has all keys; that of a late import has only the new ones.
    let isWhole: Bool

    /// Entities without records, as far as that is known.
    let emptyEntities: Set<String>

    package init(
        _ manifest: Manifest, _ ledger: [RunReport.Legacy.Key], isWhole: Bool = true, shape: SchemaShape,
        emptyEntities: Set<String> = []
    ) {
        (self.manifest, self.isWhole, self.shape) = (manifest, isWhole, shape)
        self.emptyEntities = emptyEntities
        unmapped = ledger.compactMap { line in
            line.bucket == .unmapped ? line.source.map { (line.key, $0) } : nil
        }
        found = Set(ledger.filter { $0.into != nil && $0.source != nil }.map { Bytes($0.key) })
    }

    /// Whether values of the files can tell more than the names.
    package var needsValues: Bool { isWhole && !found.isEmpty }

    /// The findings from the names, then from the values.
    ///
    /// - Parameter inputs: the files with the keys; not needed unless `needsValues`.
    package func warnings(reading inputs: [LegacyPlanner.Input] = []) -> [Warning] {
        guard needsValues, !inputs.isEmpty else { return named.map(\.warning) }
        let values = Dictionary(
            inputs.flatMap { input in input.file?.root.map { (Bytes($0.key), $0.value) } ?? [] }
        ) { first, _ in first }
        let named = self.named.filter { isPossible($0, values) }
        return named.map(\.warning) + fitting(values, besides: named) + numbersAsWords(values)
            + contested(inputs, values)
    }

    /// A key that resembles something, and the rule with the key that it resembles.
    struct Named {
        let key: String
        let rule: Rule?
        /// The entity or column of a singleton that the key seems to be meant for.
        let path: String?
        let warning: Warning
    }

    private var named: [Named] {
        let missing = missingRules.map { (rule: $0, name: Name($0.key)) }
        let targets = self.targets
        return unmapped.compactMap { key, file in
            let name = Name(key)
            if let (rule, _) = missing.first(where: { $0.name.isSlip(of: name) }) {
                return Named(key: key, rule: rule, path: nil, warning: notFound(rule, key, file))
            }
            guard let target = targets.first(where: { $0.isAlike(name) }),
                target.isColumn || target.name.isSlip(of: name) || !Self.isOfTheAppItself(key)
            else { return nil }
            return Named(key: key, rule: nil, path: target.path, warning: Self.notMapped(key, file, target))
        }
    }

    /// Mapped keys that no file has.
    package var absentKeys: [String] { missingRules.map(\.key) }

    typealias Rule = (key: String, into: String, path: String)

    /// Rules whose key is in no file: those of settings, then those of lists.
    var missingRules: [Rule] {
        let settings = manifest.legacy.settings.enumerated().map { index, rule in
            (key: rule.key, into: "\(rule.entity).\(rule.column)", path: "legacy.settings[\(index)].key")
        }
        let favorites = manifest.legacy.favorites.enumerated().map { index, rule in
            (key: rule.key, into: "\(rule.entity).\(rule.column)", path: "legacy.favorites[\(index)].key")
        }
        return (settings + favorites).filter { !found.contains(Bytes($0.key)) }
    }

    /// The columns of singletons, then the entities, that no rule fills, or only rules with keys that no file has; also
    /// columns that a key of quite another name fills.
    private var targets: [Target] {
        var targets: [Target] = []
        for entity in manifest.entities where entity.singleton != nil {
            let rules = manifest.legacy.settings.filter { $0.entity == entity.name }
            let others = ([entity.key] + [entity.modified?.column].compactMap(\.self)).map(\.foldedName)
            for column in shape.table(named: entity.name)?.storedColumns ?? []
            where !others.contains(column.name.foldedName) {
                let own = rules.filter { $0.column.foldedName == column.name.foldedName }.map(\.key)
                let path = "\(entity.name).\(column.name)"
                let name = Name(column.name)
                if !areFound(own) {
                    targets.append(Target(path: path, name: name, kind: own.isEmpty ? .column : .ruled))
                } else if isWhole, let other = own.first, !own.contains(where: { Name($0).resembles(name) }) {
                    targets.append(Target(path: path, name: name, kind: .taken(by: other)))
                }
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
    struct Name {
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

        /// Whether a key of this name may well be meant for a column of the other: they share a word, or its beginning.
        func resembles(_ other: Name) -> Bool {
            if joined.contains(other.joined) || other.joined.contains(joined) || isSlip(of: other) { return true }
            return sharesWord(with: other)
        }

        /// Whether a word of one name is a word of the other, or its beginning: `mutedTargets` and `Muted`.
        func sharesWord(with other: Name) -> Bool {
            telling.contains { NearKeys.isCovered([$0], by: other.telling) }
                || other.telling.contains { NearKeys.isCovered([$0], by: telling) }
        }
    }

    /// The possible target of a key.
    private struct Target {
        enum Kind {
            case column, entity, ruled
            /// A column that another key fills, whose name has nothing of the column's.
            case taken(by: String)
        }

        let path: String
        let name: Name
        let kind: Kind

        /// Whether it is a column that no rule fills, so that also a key of the app itself may be meant for it.
        var isColumn: Bool {
            switch kind {
            case .column, .taken: true
            case .entity, .ruled: false
            }
        }

        func isAlike(_ key: Name) -> Bool {
            // Nothing but the very name is a sign that the other key is the wrong one.
            if case .taken = kind { return !key.joined.isEmpty && key.joined == name.joined }
            if name.isSlip(of: key) { return true }
            let (one, other) = (key.telling, name.telling)
            switch kind {
            // A loose test is enough, because few columns of a singleton have no rule: `CardSortOrder` and `sortedBy`.
            case .column: return name.sharesWord(with: key)
            // All significant words of one are words of the other. An entity of a single word is in the names of many
            // settings, so then only the key's words count. Singular and plural of a word begin alike.
            case .entity:
                if NearKeys.isCovered(one, by: other) { return true }
                return other.count > 1
                    && other.allSatisfy { word in
                        one.contains { $0.count > 3 && word.hasPrefix($0) || $0.hasPrefix(word) }
                    }
            case .ruled: return !one.isEmpty && one == other
            case .taken: return false
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

    private static func notMapped(_ key: String, _ file: String, _ target: Target) -> Warning {
        guard case .taken(let other) = target.kind else {
            return Warning(
                "keyNotMapped",
                "nothing maps the key '\(key)' of `\(file)`, and no legacy key fills `\(target.path)`",
                hint: "Map the key under `legacy:` in the manifest, or list it under `localOnly`.")
        }
        return Warning(
            "keyNotMapped",
            "nothing maps the key '\(key)' of `\(file)`, but `\(target.path)` has its name, and the key '\(other)' fills "
                + "that column",
            hint: "Write '\(key)' instead of '\(other)' under `legacy:` in the manifest, or list it under `localOnly`.")
    }
}
