internal import GodwitModel
internal import GodwitSQLite

/// Suggests rules for the keys of preferences files.
///
/// Only the developer knows where a key belongs. So for an existing store the suggestions are comments, and reports
/// show the keys as `unmapped` until then. Only keys that must not move are certain: keys of the system, and keys with
/// the name of a secret. Without a store, the keys get their own tables.
struct PreferencesDraft {
    /// The key of the completion flag in a draft; no other rule may name it.
    static let flag = CopyRules().flag

    private let keys: [(key: InspectedKey, file: String)]
    /// Keys that a manifest cannot name.
    private var unnameable: [(InspectedKey, String)] = []
    var entities: [EntityDraft] = []
    var tables: [String] = []
    private var settings: [String] = []
    private var favorites: [String] = []
    private let makesTables: Bool

    /// - Parameter makesTables: Whether settings and lists get their own tables.
    init(_ files: [InspectedPreferences], makesTables: Bool) {
        self.makesTables = makesTables
        var seen: Set<[UInt8]> = []
        var keys: [(InspectedKey, String)] = []
        for file in files {
            for key in file.keys where seen.insert(Array(key.key.utf8)).inserted {
                if Self.isWritable(key.key) {
                    keys.append((key, file.file))
                } else if !key.key.utf8.elementsEqual(Self.flag.utf8) {
                    unnameable.append((key, file.file))
                }
            }
        }
        self.keys = keys
        guard makesTables else { return }
        makeSettings()
        makeFavorites()
    }

    /// Whether a manifest can name a key: it has no control characters and is not the completion flag.
    private static func isWritable(_ key: String) -> Bool {
        !key.isEmpty && key.utf8.count <= 1000 && !key.utf8.elementsEqual(flag.utf8)
            && !key.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    private func keys(_ role: KeyRole) -> [InspectedKey] { keys.map(\.key).filter { $0.role == role } }

    // MARK: Tables of their own

    private mutating func makeSettings() {
        let found = keys(.setting)
        var names = UniqueNames()
        _ = [names.take("id"), names.take("updatedAt")]
        var lines = ["    \"id\" TEXT NOT NULL"]
        for key in found {
            let column = names.take(Self.columnName(key.key))
            let type =
                switch key.type {
                case "boolean", "integer": "INTEGER"
                case "real": "REAL"
                default: "TEXT"
                }
            lines.append("    \(quoted(column)) \(type)")
            settings.append(
                "    - { key: \(YAMLText.scalar(key.key)), into: \(YAMLText.scalar("Settings.\(column)")) }")
        }
        guard !found.isEmpty else { return }
        lines.append("    \"updatedAt\" TEXT")
        tables.append("CREATE TABLE \"Settings\" (\n" + lines.joined(separator: ",\n") + "\n);")
        var draft = EntityDraft(name: "Settings", count: 0, key: "id", evidence: .name)
        draft.modified = ("updatedAt", nil)
        draft.singleton = "settings"
        draft.comments = ["One record with the settings that the app keeps in its preferences."]
        entities.append(draft)
    }

    /// The column for a key.
    ///
    /// A combining mark at its start would form one `Character` with the point in `Settings.column`.
    private static func columnName(_ key: String) -> String { ".\(key)".first == "." ? key : "_" + key }

    private mutating func makeFavorites() {
        var names = UniqueNames()
        _ = names.take("Settings")
        for key in keys(.list) {
            let stem = NameParts(key.key).words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
            let name = names.take(stem.isEmpty ? "List" : stem)
            tables.append(
                "CREATE TABLE \(quoted(name)) (\n    \"id\" TEXT NOT NULL,\n    \"createdAt\" TEXT\n);")
            var draft = EntityDraft(name: name, count: 0, key: "id", evidence: .name)
            draft.modified = ("createdAt", nil)
            draft.comments = ["One record for each item of \(key.key)."]
            entities.append(draft)
            favorites.append("    - { key: \(YAMLText.scalar(key.key)), into: \(YAMLText.scalar("\(name).id")) }")
        }
    }

    /// Warnings about keys without a rule, if there are only preferences.
    var leftOut: [Warning] {
        guard makesTables else { return [] }
        let others = keys.filter { $0.0.role == .other }.map { ($0, "is neither one value nor a list of keys") }
        return (others + unnameable.map { ($0, "has a name that no manifest can have") }).map { key, reason in
            Warning(
                "noRule",
                "\(key.1): the key \(key.0.key.debugDescription) (\(Self.words(key.0))) \(reason), so it "
                    + "stays there, as `unmapped` in reports")
        }
    }

    /// Keys without a rule in the draft.
    var keysLeft: [String] {
        keys.map(\.key).filter { makesTables ? $0.role == .other : [.other, .setting, .list].contains($0.role) }.map(
            \.key)
    }

    // MARK: Text

    /// The lines of `legacy:`, with suggestions as comments.
    var lines: [String] {
        let staying = keys.map(\.key).filter { $0.role == .system || $0.role == .secret }
        var body: [String] = []
        if !settings.isEmpty { body += ["  settings:"] + settings }
        if !favorites.isEmpty { body += ["  favorites:"] + favorites }
        if !staying.isEmpty {
            body.append("  localOnly:                # stays where it is")
            for key in staying {
                let reason =
                    key.role == .system
                    ? "written by the system" : "\(NameParts(key.key).soundSecret ? "called" : "looks") like a secret"
                body.append("    - \(YAMLText.scalar(key.key))    # \(reason)")
            }
        }
        var lines = body.isEmpty ? [] : ["legacy:"] + body
        let suggestions = makesTables ? [] : self.suggestions
        let others = keys(.other).map { "  #   \(YAMLText.comment($0.key)): \(Self.words($0))" }
        if !suggestions.isEmpty || !others.isEmpty {
            lines += body.isEmpty ? ["# legacy:"] : []
            lines += suggestions
            if !others.isEmpty {
                lines += ["  # Neither one value nor a list of keys; it stays `unmapped` in reports:"] + others
            }
        }
        return lines
    }

    private var suggestions: [String] {
        var lines: [String] = []
        let settings = keys(.setting)
        if !settings.isEmpty {
            lines += [
                "  # Remove the `#` to use these rules. Until then reports show the keys as `unmapped`, and their values stay in",
                "  # the preferences. Settings need an entity with `singleton:`, and a schema file that makes its table. Write the",
                "  # entity for ENTITY:",
                "  # settings:",
            ]
            lines += settings.map {
                "  #   - { key: \(YAMLText.scalar($0.key)), into: \(YAMLText.scalar("ENTITY.\($0.key)")) }    # \(Self.words($0))"
            }
        }
        let lists = keys(.list)
        if !lists.isEmpty {
            lines += [
                "  # A list needs a table of its own, with one record for each item. Its key, such as `id`, is the item. Write its",
                "  # entity for ENTITY:", "  # favorites:",
            ]
            lines += lists.map {
                "  #   - { key: \(YAMLText.scalar($0.key)), into: ENTITY.id }    # \(Self.words($0))"
            }
        }
        return lines
    }

    private static func words(_ key: InspectedKey) -> String {
        var words = key.type
        if let encoding = key.encoding { words += ", \(encoding)" }
        if let size = key.size {
            words += ", \(size.counted(key.hasItems ? "item" : "byte"))"
        }
        return words
    }
}
