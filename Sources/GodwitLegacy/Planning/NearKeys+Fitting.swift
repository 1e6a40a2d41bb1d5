internal import GodwitModel
internal import GodwitPropertyList

/// Compares values: a rule whose key no file has may be meant for an unmapped key with a fitting value.
extension NearKeys {
    /// A key without a rule that may be a setting or a list of the user.
    struct Candidate {
        let key: String
        let file: String
        let value: LegacyValue
    }

    /// Rules whose key no file has, then entities and columns without a rule, with a key whose value fits; each key is
    /// named once.
    ///
    /// - Parameters:
    ///   - values: of all keys.
    ///   - named: the findings from the names.
    func fitting(_ values: [Bytes: LegacyValue], besides named: [Named]) -> [Warning] {
        let (keys, rules) = (Set(named.map { Bytes($0.key) }), Set(named.compactMap { $0.rule?.path }))
        var open: [Candidate] = unmapped.compactMap { key, file in
            guard !keys.contains(Bytes(key)), !Self.isOfTheAppItself(key), let value = values[Bytes(key)] else {
                return nil
            }
            return Candidate(key: key, file: file, value: value)
        }
        var warnings: [Warning] = []
        for rule in missingRules where !rules.contains(rule.path) {
            guard let index = open.firstIndex(where: { fits($0, rule) }) else { continue }
            warnings.append(notFound(rule, fitting: open.remove(at: index)))
        }
        let reported = Set(named.compactMap(\.path))
        return warnings + fittingEntities(&open, besides: reported) + fittingColumns(&open, besides: reported)
    }

    private func fits(_ candidate: Candidate, _ rule: Rule) -> Bool {
        let name = Bytes(rule.key)
        if let list = manifest.legacy.favorites.first(where: { Bytes($0.key) == name }) { return fits(candidate, list) }
        return manifest.legacy.settings.first { Bytes($0.key) == name }.map { fits(candidate, $0) } ?? false
    }

    /// Whether the value is a list, and the rule takes every item of it.
    func fits(_ candidate: Candidate, _ rule: FavoritesRule) -> Bool {
        let pair = LegacyPair(key: candidate.key, value: candidate.value)
        guard KeyInspection(showsValues: false).inspect(pair).role == .list,
            case .decoded(let list) = FavoritesDecoder.decode(candidate.value, as: rule.encoding, dates: rule.dates),
            list.rejected.isEmpty, !list.favorites.isEmpty
        else { return false }
        let type = shape.declaredType(of: rule.column, in: rule.entity)
        return list.favorites.allSatisfy { favorite in
            guard case .taken = FavoriteKey(favorite, in: type) else { return false }
            // Numbers would become text: a list of keys that are text has none.
            return type != .text || !favorite.isInteger
        }
    }

    /// Whether the rule takes the value, and it is of the same kind as the default; with a value map, whether it is in it.
    ///
    /// Stricter than an import: any number can be text, and every app has numbers.
    private func fits(_ candidate: Candidate, _ rule: SettingRule) -> Bool {
        let value = candidate.value
        if let mappings = rule.values {
            guard let text = value.mappingText else { return false }
            return mappings.contains {
                $0.from.utf8.elementsEqual(text.utf8) || $0.spelling.utf8.elementsEqual(text.utf8)
            }
        }
        let type = shape.declaredType(of: rule.column, in: rule.entity)
        let isDate = canHoldDate(candidate, type) && NameParts(rule.column).soundDate
        guard let kind = value.settingKind, type.settingKinds.contains(kind) || isDate,
            rule.defaultValue?.value.settingKind.map({ $0 == kind }) ?? true
        else { return false }
        if case .unsupported = SettingCoercion.coerce(value, into: type) { return false }
        return true
    }

    /// Whether a key is the system's, or its name says that the app keeps it for itself: `launchCount`, `hasSeenTour`.
    ///
    /// Such keys are in the preferences of nearly every app, next to settings that the user never changed.
    static func isOfTheAppItself(_ key: String) -> Bool {
        if KeyInspection.isOfTheSystem(key) || isOfLibrary(key) { return true }
        let name = NameParts(key)
        guard !name.contains(anyOf: settingWords) else { return false }
        return name.words.contains { ownWords.contains($0) || ownWords.contains(NameParts.singular($0)) }
            || name.words.last.map { NameParts.singular($0) == "count" } ?? false
            || name.contains(anyOf: windowParts) && name.contains(anyOf: windowStates)
    }

    /// Whether a library that many apps contain writes this key: `SUEnableAutomaticChecks`, `FBSDKSettings…`.
    private static func isOfLibrary(_ key: String) -> Bool {
        if ["/google/", "Mixpanel"].contains(where: key.hasPrefix) { return true }
        guard let prefix = ["FBSDK", "GAD", "SU", "UI"].first(where: key.hasPrefix) else { return false }
        let rest = key.unicodeScalars.dropFirst(prefix.count)
        return rest.first?.properties.isUppercase == true && rest.dropFirst().first?.properties.isLowercase == true
    }

    /// Words of what a user chooses: `reviewInterval`, `sessionLength`.
    private static let settingWords: Set<String> = [
        "color", "default", "duration", "format", "goal", "interval", "length", "level", "limit", "minutes", "mode",
        "order", "preferred", "reminder", "size", "sound", "speed", "style", "target", "theme", "unit", "units",
        "volume",
    ]

    /// Words that only together tell the state of the app's window: `selectedTabIndex`, but not `tabWidth`.
    private static let windowParts: Set<String> = ["page", "row", "screen", "section", "segment", "tab"]
    private static let windowStates: Set<String> = ["active", "current", "index", "position", "selected"]

    /// Whether the column may have the date as text or as a number, and the app does not keep it for itself: `syncedAt`.
    func canHoldDate(_ candidate: Candidate, _ type: DeclaredType) -> Bool {
        guard case .date = candidate.value, [.text, .integer, .real].contains(type) else { return false }
        return !NameParts(candidate.key).contains(anyOf: Self.ownDateWords)
    }

    private static let ownDateWords: Set<String> = [
        "asked", "backup", "checked", "created", "dismissed", "expires", "fetched", "purchase", "purchased", "rated",
        "refresh", "refreshed", "subscription", "sync", "synced", "trial", "update", "updated",
    ]

    private static let ownWords: Set<String> = [
        "accepted", "asked", "badge", "build", "cache", "cached", "collapsed", "counter", "cursor", "debug",
        "device", "did", "dismissed", "draft", "etag", "expanded", "frame", "guid", "has", "history", "id",
        "identifier", "install", "installation", "installed", "intro", "last", "launch", "launches", "migrated",
        "migration", "offset", "onboarded", "onboarding", "opened", "prompt", "recent", "review", "scroll",
        "search", "searches", "seen", "session", "shown", "sidebar", "terms", "timestamp", "tip", "token",
        "tour", "tutorial", "uuid", "version", "was", "welcome", "window",
    ]

    private func notFound(_ rule: Rule, fitting found: Candidate) -> Warning {
        let position = manifest.position(of: rule.path)
        return Warning(
            "keyNotFound",
            "no preferences file has the key '\(rule.key)', which fills `\(rule.into)`, and nothing maps the key "
                + "'\(found.key)' of `\(found.file)`, whose value would fit",
            hint: "If '\(found.key)' is the right key, correct it under `legacy:` in the manifest; else list it under "
                + "`localOnly`.",
            position: GodwitError.Position(file: manifest.file, line: position.line, column: position.column))
    }
}

/// The type of a setting; files and columns have several types for each.
enum SettingKind {
    case truth, number, text, date
}

extension LegacyValue {
    /// Whether the value is a short text that looks like a list or an object in JSON.
    var isJSONText: Bool {
        guard case .string(let text) = self else { return false }
        return text.utf8.count <= 1_000 && (text.hasPrefix("[") || text.hasPrefix("{"))
    }

    /// The type; nil for values that are unlikely to be settings: lists, data, and text that is long or JSON.
    var settingKind: SettingKind? {
        switch self {
        case .bool: return .truth
        case .integer, .bigInteger, .real: return .number
        case .date: return .date
        case .string(let text):
            let isList = text.hasPrefix("[") || text.hasPrefix("{")
            return isList || text.utf8.count > 100 ? nil : .text
        default: return nil
        }
    }
}

extension DeclaredType {
    /// The kinds of settings that such a column is made for.
    var settingKinds: Set<SettingKind> {
        switch self {
        case .text: [.text]
        case .integer: [.number, .truth]
        case .real: [.number]
        case .boolean: [.truth]
        case .date: [.date]
        case .numeric: [.number, .truth, .date]
        case .any: [.number, .truth, .date, .text]
        case .blob: []
        }
    }
}
