package import GodwitModel

/// A manifest and its schema files as `init` suggests them; not written yet.
package struct Draft: Sendable {
    /// `godwit.yaml`.
    package var manifest = ""
    /// Names and texts of the schema files, in order.
    package var schemaFiles: [(name: String, text: String)] = []
    package var entities: [DraftedEntity] = []
    /// What is left out, and why; the manifest has a comment for each.
    package var leftOut: [Warning] = []

    /// The code of warnings about tables of the app's own migrator: they are not entities, but are copied.
    static let migratorCode = "migratorTable"

    /// The entity to which a line of the manifest belongs; nil for lines before the first entity.
    package func entity(atLine line: Int) -> String? {
        var isInside = false
        var number = -1
        for text in manifest.split(separator: "\n", omittingEmptySubsequences: false).prefix(line) {
            if text == "entities:" { isInside = true }
            let isHead = text.hasPrefix("  ") && !text.hasPrefix("   ") && !text.hasPrefix("  #") && text.hasSuffix(":")
            if isInside, isHead { number += 1 }
        }
        return entities.indices.contains(number) ? entities[number].name : nil
    }
}

/// The inputs of a draft.
package struct DraftSubject: Sendable {
    package var app: String
    /// The inspected path, for the first comment.
    package var source: String
    /// Paths of preferences files, in order of precedence; never empty.
    package var preferences: [String]
    package var inspected: [InspectedPreferences]
    /// Other files with keys, which the manifest does not list.
    package var otherPreferences: [InspectedPreferences] = []
    /// The app's own preferences files that a manifest cannot list.
    package var unlistedPreferences: [UnlistedPreferences] = []
    package var conflicts: [SuiteConflict] = []
    /// nil if the store does not exist yet.
    package var local: StoreInspection?
    /// The path of the local store, existing or not.
    package var localPath: String
    package var cloudPath: String
    package var cloud: StoreInspection?
    /// Stores that the manifest does not name.
    package var otherStores: [InspectedStore] = []
    /// The folder of the schema files, relative to the manifest.
    package var schemaFolder: String
    /// Entities that a first attempt found impossible, by name, with the reason.
    package var refused: [String: String] = [:]

    package init(
        app: String, source: String, preferences: [String], inspected: [InspectedPreferences], localPath: String,
        cloudPath: String, schemaFolder: String
    ) {
        (self.app, self.source, self.preferences, self.inspected) = (app, source, preferences, inspected)
        (self.localPath, self.cloudPath, self.schemaFolder) = (localPath, cloudPath, schemaFolder)
    }
}

/// A preferences file of the app that a manifest cannot list, and why.
package struct UnlistedPreferences: Sendable, Equatable {
    /// Path inside the container or group container.
    package let file: String
    package let keys: Int
    /// The end of a sentence.
    package let reason: String

    package init(file: String, keys: Int, reason: String) {
        (self.file, self.keys, self.reason) = (file, keys, reason)
    }
}

/// One entity of a draft.
struct EntityDraft {
    var name: String
    var count: Int64
    var key: String
    var evidence: KeyEvidence?
    var modified: (column: String, encoding: InstantEncoding?)?
    var belongsTo: [(column: String, parent: String, by: String?)] = []
    /// Columns of `belongsTo` with values that no parent has; a copy keeps them.
    var orphaned: Set<String> = []
    var singleton: String?
    /// Lines of `source:`, if the local store is a Core Data store.
    var source: [String] = []
    var comments: [String] = []
}

extension EntityDraft {
    var report: DraftedEntity {
        DraftedEntity(name: name, count: count, key: key, keyEvidence: evidence ?? .name)
    }

    /// The lines below `entities:`.
    var lines: [String] {
        var lines = comments.flatMap { YAMLText.wrapped($0, after: "  # ") }
        lines.append("  \(YAMLText.scalar(name)):")
        lines.append("    key: \(YAMLText.scalar(key))")
        if let modified {
            if let encoding = modified.encoding {
                lines.append(
                    "    modified: { column: \(YAMLText.scalar(modified.column)), as: \(encoding.rawValue) }")
            } else {
                lines.append("    modified: \(YAMLText.scalar(modified.column))")
            }
        }
        if !belongsTo.isEmpty {
            let pairs = belongsTo.map { reference in
                let parent = YAMLText.scalar(reference.parent)
                let by = reference.by.map { ", by: \(YAMLText.scalar($0))" } ?? ""
                let missing = orphaned.contains(reference.column) ? ", missing: keep" : ""
                let named = by.isEmpty && missing.isEmpty ? parent : "{ entity: \(parent)\(by)\(missing) }"
                return "\(YAMLText.scalar(reference.column)): \(named)"
            }
            lines.append("    belongsTo: { \(pairs.joined(separator: ", ")) }")
        }
        if let singleton { lines.append("    singleton: \(YAMLText.scalar(singleton))") }
        return lines + source
    }

    /// Removes references that form a cycle or name an unknown entity, with a comment for each.
    static func withoutCircles(_ drafts: [EntityDraft]) -> [EntityDraft] {
        var drafts = drafts
        let names = Set(drafts.map(\.name))
        for index in drafts.indices {
            let lost = drafts[index].belongsTo.filter { !names.contains($0.parent) }
            drafts[index].belongsTo.removeAll { !names.contains($0.parent) }
            for reference in lost {
                drafts[index].comments.append(
                    "\(reference.column) refers to \(reference.parent), which is not an entity here.")
            }
        }
        var settled: Set<String> = []
        while settled.count < drafts.count {
            let ready = drafts.filter { draft in
                !settled.contains(draft.name)
                    && draft.belongsTo.allSatisfy { $0.parent == draft.name || settled.contains($0.parent) }
            }
            if ready.isEmpty {
                guard let index = drafts.firstIndex(where: { !settled.contains($0.name) }) else { return drafts }
                let own = drafts[index].name
                for reference in drafts[index].belongsTo
                where reference.parent != own && !settled.contains(reference.parent) {
                    drafts[index].comments.append(
                        "belongsTo leaves out \(reference.column): it refers to \(reference.parent), which refers back to this entity."
                    )
                }
                drafts[index].belongsTo.removeAll { $0.parent != own && !settled.contains($0.parent) }
            } else {
                settled.formUnion(ready.map(\.name))
            }
        }
        return drafts
    }
}
