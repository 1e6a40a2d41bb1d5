package import GodwitModel

extension DraftSubject {
    /// The draft; throws 65 if no entity can be made.
    package func draft() throws(GodwitError) -> Draft {
        var draft = Draft()
        var entities: [EntityDraft] = []
        var tablesLeft: [String] = []
        let legacy = PreferencesDraft(inspected, makesTables: local == nil)
        if let local, let model = local.model {
            let made = CoreDataDraft(local, model: model, refused: refused)
            entities = made.entities
            draft.leftOut = made.leftOut
            tablesLeft = made.tablesLeft
            draft.schemaFiles = [(name: "V0001__create_store.sql", text: Self.schemaFile(made.tables))]
        } else if let local {
            let made = try TablesDraft(local, cloud: cloud, refused: refused)
            entities = made.entities
            draft.leftOut = made.leftOut
            tablesLeft = made.tablesLeft
            draft.schemaFiles = made.schemaFiles
        } else {
            entities = legacy.entities
            draft.schemaFiles = [(name: "V0001__create_store.sql", text: Self.schemaFile(legacy.tables))]
        }
        let (writable, odd) = Self.parted(entities)
        draft.leftOut += odd.map {
            Warning(
                "noEntity", "\($0.name.debugDescription): a manifest can't have such a name; it is not copied")
        }
        guard !writable.isEmpty else {
            throw GodwitError(
                .inspect, .data, "no entity can be made of `\(source)`",
                hint: "Run `godwit inspect` to see the cause" + (draft.leftOut.first.map { ": \($0.message)." } ?? "."))
        }
        let kept = EntityDraft.withoutCircles(Array(writable.prefix(1000)))
        for entity in writable.dropFirst(1000) {
            draft.leftOut.append(Warning("noEntity", "\(entity.name): a manifest has at most 1000 entities"))
        }
        draft.entities = kept.map(\.report)
        let storesLeft = otherStores.filter { $0.entities.contains { $0.count > 0 } }.map(\.file)
        let ignored = Self.ignoreLines(tables: tablesLeft, keys: legacy.keysLeft, stores: storesLeft)
        draft.manifest = text(kept, draft.leftOut, [legacy.lines, ignored])
        // The manifest has them next to the rules.
        draft.leftOut += legacy.leftOut
        return draft
    }

    /// The entities that a manifest can name, and the others.
    static func parted(_ entities: [EntityDraft]) -> ([EntityDraft], [EntityDraft]) {
        func isFine(_ name: String) -> Bool {
            !name.isEmpty && name.utf8.count <= 500
                && !name.unicodeScalars.contains { $0.properties.generalCategory == .control }
        }
        var (fine, odd): ([EntityDraft], [EntityDraft]) = ([], [])
        // For a manifest, names that differ only in Unicode normalization are equal.
        var seen: Set<String> = []
        for entity in entities {
            var entity = entity
            if let modified = entity.modified, !isFine(modified.column) { entity.modified = nil }
            entity.belongsTo.removeAll { !isFine($0.column) || !isFine($0.by ?? $0.column) }
            if isFine(entity.name), isFine(entity.key), seen.insert(entity.name).inserted {
                fine.append(entity)
            } else {
                odd.append(entity)
            }
        }
        return (fine, odd)
    }

    private static func schemaFile(_ tables: [String]) -> String {
        let head = [
            "-- The tables of the cloud store. Nothing is unique but by the app's care: a store that other devices feed can't have",
            "-- unique constraints, and a record may arrive before the one that it refers to.",
            "-- Once shipped it is never edited: a change is a new file with the next number.",
        ]
        return (head + tables.flatMap { ["", $0] }).joined(separator: "\n") + "\n"
    }

    // MARK: Text

    /// A suggestion of `ignore:`, in comments: only the developer knows what is left behind on purpose.
    private static func ignoreLines(tables: [String], keys: [String], stores: [String]) -> [String] {
        let lists = [("tables", tables), ("keys", keys), ("stores", stores)].map { list, names in
            (list, names.filter { !$0.unicodeScalars.contains { $0.properties.generalCategory == .control } })
        }.filter { !$0.1.isEmpty }
        guard !lists.isEmpty else { return [] }
        return [
            "# Left behind. Reports do not name the data that `ignore` lists. List only data that you leave behind on purpose:",
            "# ignore:",
        ]
            + lists.flatMap { list, names in
                ["#   \(list):"] + names.prefix(100).map { "#     - \(YAMLText.scalar($0))" }
            }
    }

    private func text(_ entities: [EntityDraft], _ leftOut: [Warning], _ sections: [[String]]) -> String {
        var lines = [
            "# A manifest that `godwit init` made from \(YAMLText.comment(source)). It is a guess from the",
            "# data: check it before you use it. docs/manifest.md explains every key.",
            "godwit: 1                         # format of this file, not of the app's data",
            "app: \(YAMLText.scalar(app))", "", "# Paths are relative to the container.", "container:",
            "  preferences:                    # the first file that has a key wins; the first of all gets the copy's flag",
        ]
        lines += preferenceLines + storeLines
        lines += ["", "schema: \(YAMLText.scalar(schemaFolder))    # V0001__….sql and later, applied in order", ""]
        lines += [
            "# The kinds of record: `key` identifies a record in each store, `modified` says which is newer.",
            "entities:",
        ]
        for (index, entity) in entities.enumerated() { lines += (index > 0 ? [""] : []) + entity.lines }
        let carried = [CoreDataDraft.unresolvedCode, Draft.migratorCode]
        let parts = [
            ("# Not carried over:", leftOut.filter { !carried.contains($0.code) }),
            ("# Carried over as they are:", leftOut.filter { carried.contains($0.code) }),
        ]
        for (title, warnings) in parts where !warnings.isEmpty {
            lines += ["", title] + warnings.flatMap { YAMLText.wrapped($0.message, after: "#   ") }
        }
        for section in sections where !section.isEmpty { lines += [""] + section }
        lines += [
            "", "copy: { flag: \(PreferencesDraft.flag) }    # the boolean by which the app knows which store to open",
            "export: { schemaVersion: 1 }    # to judge the age of exports, write instead: "
                + "{ schemaVersion: 1, freshness: { warnAfter: 12h, errorAfter: 48h } }",
            "history: { keep: 10 }",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    private var preferenceLines: [String] {
        var lines: [String] = []
        for path in preferences {
            let found = inspected.first { $0.file == path }
            lines.append(
                "    - \(YAMLText.scalar(path))"
                    + (found.map { "    # \($0.keys.count.counted("key"))" } ?? "    # not there yet"))
        }
        // A container has 500 of them at most.
        for file in unlistedPreferences {
            let words = "\(file.keys.counted("key")); \(YAMLText.comment(file.reason))"
            lines.append("    # - \(YAMLText.scalar(file.file))    # \(words)")
        }
        for other in otherPreferences.prefix(50) {
            lines.append(
                "    # - \(YAMLText.scalar(other.file))    # "
                    + (other.format == nil
                        ? "could not be read" : "\(other.keys.count.counted("key")); not a suite of the app's own")
            )
        }
        for conflict in conflicts.prefix(100) {
            lines.append(
                "    # \(YAMLText.comment(conflict.key)) differs between "
                    + conflict.files.map { YAMLText.comment($0) }.joined(separator: " and ")
                    + ": the first listed counts.")
        }
        return lines
    }

    private var storeLines: [String] {
        var lines: [String] = []
        switch local?.report.layout {
        case .coreData?:
            lines.append("  local: { path: \(YAMLText.scalar(localPath)), layout: coreData }    # read, never written")
        case nil: lines.append("  local: \(YAMLText.scalar(localPath))    # not there yet")
        default: lines.append("  local: \(YAMLText.scalar(localPath))")
        }
        lines.append(
            "  cloud: \(YAMLText.scalar(cloudPath))"
                + (cloud == nil ? "    # not there yet; the name is yours to choose" : ""))
        for store in otherStores.prefix(50) {
            let count = store.entities.reduce(0) { $0 + $1.count }
            let words =
                store.layout == .unread
                ? "it could not be read; check whether it is the local store"
                : "another store (\(count.counted("record"))); a manifest has one local store"
            lines.append("  # \(YAMLText.comment(store.file)): \(words)")
        }
        return lines
    }
}
