package import GodwitModel

/// A manifest and its schema files as an inspection suggests them: text that is yet to be written.
package struct Draft: Sendable {
    /// `godwit.yaml`.
    package var manifest = ""
    /// Names and texts of the schema files, in order.
    package var schemaFiles: [(name: String, text: String)] = []
    /// What the manifest speaks of.
    package var entities: [DraftedEntity] = []
    /// What is left out, and why; each is a comment in the manifest as well.
    package var leftOut: [Warning] = []

    /// The code of what is said of the tables of the app's own migrator: they are no entities, and are carried over.
    static let migratorCode = "migratorTable"

    /// The entity that a line of the manifest belongs to; nil for lines before the first.
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

/// What a draft is made from.
package struct DraftSubject: Sendable {
    /// The app's name in the manifest.
    package var app: String
    /// What was inspected, as the first comment names it.
    package var source: String
    /// Paths of preference files, in their order of precedence; never empty.
    package var preferences: [String]
    /// What was found in those that are there.
    package var inspected: [InspectedPreferences]
    /// Other files with keys, which the manifest does not name.
    package var otherPreferences: [InspectedPreferences] = []
    /// Suites of the app's own that the manifest can't name.
    package var unlistedPreferences: [UnlistedPreferences] = []
    package var conflicts: [SuiteConflict] = []
    /// Nil where there is no store yet.
    package var local: StoreInspection?
    /// Where the local store is, or is to be.
    package var localPath: String
    package var cloudPath: String
    /// The cloud store, where there is one already.
    package var cloud: StoreInspection?
    /// Stores that the manifest does not speak of.
    package var otherStores: [InspectedStore] = []
    /// The folder of the schema files, relative to the manifest.
    package var schemaFolder: String
    /// Entities that turned out to be impossible, by name, with the reason.
    package var refused: [String: String] = [:]

    package init(
        app: String, source: String, preferences: [String], inspected: [InspectedPreferences], localPath: String,
        cloudPath: String, schemaFolder: String
    ) {
        self.app = app
        self.source = source
        self.preferences = preferences
        self.inspected = inspected
        self.localPath = localPath
        self.cloudPath = cloudPath
        self.schemaFolder = schemaFolder
    }
}

/// A suite of the app's own that a manifest can't name, and why.
package struct UnlistedPreferences: Sendable, Equatable {
    /// Path inside the container or group container.
    package let file: String
    /// How many keys it has.
    package let keys: Int
    /// The end of a sentence.
    package let reason: String

    package init(file: String, keys: Int, reason: String) {
        (self.file, self.keys, self.reason) = (file, keys, reason)
    }
}

/// One entity of a manifest in the making.
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
    /// Lines of `source:`, where the local store is one of Core Data's.
    var source: [String] = []
    /// Words above it.
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

    /// Leaves out references that would make a circle, or lead to what is no entity; each is told in a comment.
    static func withoutCircles(_ drafts: [EntityDraft]) -> [EntityDraft] {
        var drafts = drafts
        let names = Set(drafts.map(\.name))
        for index in drafts.indices {
            let lost = drafts[index].belongsTo.filter { !names.contains($0.parent) }
            drafts[index].belongsTo.removeAll { !names.contains($0.parent) }
            for reference in lost {
                drafts[index].comments.append(
                    "\(reference.column) leads to \(reference.parent), which is no entity here.")
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
                        "belongsTo leaves out \(reference.column): it leads to \(reference.parent), and from there back here."
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
