internal import GodwitModel

/// How the copy records that it is complete, and how exports are made.
extension ManifestReader {
    /// The `copy` section; the flag must not be a legacy key.
    func copy(besides legacy: LegacyRules) throws(GodwitError) -> CopyRules {
        let section = try top.section("copy", optional: ["flag"])
        let flag = try section?.text("flag")
        let rules = flag.map { CopyRules(flag: $0) } ?? CopyRules()
        let keys = legacy.settings.map(\.key) + legacy.favorites.map(\.key) + legacy.localOnly
        guard !keys.contains(where: { $0.utf8.elementsEqual(rules.flag.utf8) }) else {
            throw .manifest(
                file, section?["flag"]?.position ?? top.position,
                "the completion flag \(named(rules.flag)) is also a legacy key",
                hint: "Choose another name for the flag, or remove the key from `legacy`.")
        }
        return rules
    }

    /// The `sync` section; its key may be in `legacy.localOnly`, but must not be imported.
    func sync(besides legacy: LegacyRules, _ copy: CopyRules) throws(GodwitError) -> SyncRules {
        guard let section = try top.section("sync", required: ["enabledKey"]), let key = try section.text("enabledKey")
        else { return SyncRules() }
        let position = section["enabledKey"]?.position ?? section.position
        let imported = legacy.settings.map(\.key) + legacy.favorites.map(\.key)
        guard !imported.contains(where: { $0.utf8.elementsEqual(key.utf8) }) else {
            throw .manifest(
                file, position, "the key of the sync switch, \(named(key)), is also a legacy key that is imported",
                hint: "Remove the key from `legacy.settings` and `legacy.favorites`.")
        }
        guard !copy.flag.utf8.elementsEqual(key.utf8) else {
            throw .manifest(
                file, position, "the key of the sync switch, \(named(key)), is also the completion flag",
                hint: "Name the key of the app's own sync switch.")
        }
        return SyncRules(enabledKey: key)
    }

    func export() throws(GodwitError) -> ExportRules {
        guard let section = try top.section("export", optional: ["schemaVersion", "freshness"]) else {
            return ExportRules()
        }
        let version = try section.integer("schemaVersion", in: 1...Int(Int32.max)) ?? 1
        guard let freshness = try section.section("freshness", optional: ["warnAfter", "errorAfter"]) else {
            return ExportRules(schemaVersion: version)
        }
        let warnAfter = try freshness.span("warnAfter")
        let errorAfter = try freshness.span("errorAfter")
        if let warnAfter, let errorAfter, warnAfter.milliseconds > errorAfter.milliseconds,
            let node = freshness["warnAfter"]
        {
            throw freshness.refusal(
                node, "`warnAfter` is longer than `errorAfter`",
                hint: "Write the shorter duration at `warnAfter`.")
        }
        return ExportRules(schemaVersion: version, warnAfter: warnAfter, errorAfter: errorAfter)
    }
}
