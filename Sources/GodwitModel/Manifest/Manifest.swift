/// The description of one app's data: its paths in a container, its entities, its legacy keys, its export.
///
/// It is the value of a `godwit.yaml`. `Manifest+Decoding.swift` reads one.
public struct Manifest: Sendable {
    /// The app's name, as exports and reports show it.
    public let app: String
    /// The manifest's file, as given.
    public let file: String
    /// SHA-256 of the file's bytes, lower-case hex; part of each receipt.
    package let sha256: String
    package var container: ContainerPaths
    /// The folder with `V0001__name.sql` …, relative to the manifest's folder.
    package let schemaDirectory: String
    /// In the order of the file, which is the order of exports.
    package var entities: [Entity]
    package var legacy: LegacyRules
    package let copy: CopyRules
    package let export: ExportRules
    /// Number of runs that the history keeps.
    package let historyKept: Int
    package let sync: SyncRules
    /// The CloudKit environment of the cloud store; nil if the manifest does not name one.
    package let environment: Manifest.Environment?
    package let ignore: IgnoreRules
    /// The position of each part in the file, by path (`entities.Workout.key`); see `position(of:)`.
    package let positions: [String: SourcePosition]

    package init(
        app: String, file: String, sha256: String, container: ContainerPaths, schemaDirectory: String,
        entities: [Entity], legacy: LegacyRules, copy: CopyRules, export: ExportRules, historyKept: Int,
        sync: SyncRules = SyncRules(), environment: Manifest.Environment? = nil, ignore: IgnoreRules = IgnoreRules(),
        positions: [String: SourcePosition]
    ) {
        (self.app, self.file, self.sha256, self.container) = (app, file, sha256, container)
        (self.schemaDirectory, self.entities, self.legacy, self.copy) = (schemaDirectory, entities, legacy, copy)
        (self.export, self.historyKept, self.sync, self.environment) = (export, historyKept, sync, environment)
        (self.ignore, self.positions) = (ignore, positions)
    }

    /// The entity with this name, compared by bytes.
    package func entity(named name: String) -> Entity? {
        entities.first { $0.name.utf8.elementsEqual(name.utf8) }
    }

    /// Returns the manifest with only these entities, in the manifest's order.
    package func selecting(_ chosen: [Entity]) -> Manifest {
        let names = Set(chosen.map { Array($0.name.utf8) })
        var manifest = self
        manifest.entities.removeAll { !names.contains(Array($0.name.utf8)) }
        return manifest
    }

    /// The entities with every parent before its children, otherwise in manifest order.
    ///
    /// Invariant: the manifest has no cycle of parents, because decoding rejects one. So an entity that is ready always
    /// exists.
    package var entitiesParentsFirst: [Entity] {
        var placed: [Entity] = []
        var waiting = entities
        var names = Set(entities.map(\.name))
        while !waiting.isEmpty {
            let ready = waiting.firstIndex { entity in
                entity.belongsTo.allSatisfy { $0.parent == entity.name || !names.contains($0.parent) }
            }
            let next = waiting.remove(at: ready ?? 0)
            names.remove(next.name)
            placed.append(next)
        }
        return placed
    }
}

/// A position in a text file: line and column from 1.
package struct SourcePosition: Sendable, Hashable {
    /// The first character of a file.
    package static let start = SourcePosition(line: 1, column: 1)

    package let line: Int
    package let column: Int

    package init(line: Int, column: Int) {
        (self.line, self.column) = (line, column)
    }
}

/// Paths relative to the container, with `/` between parts and without `..`.
package struct ContainerPaths: Sendable {
    /// Preferences files; the first file that has a key wins, and the first file has the completion flag.
    package let preferences: [String]
    /// Those of the preferences files that some users do not have, or that have no key that the manifest maps.
    package let optionalPreferences: [String]
    package let local: String
    package let localLayout: StoreLayout
    package let cloud: String
    package let syncEvents: String?

    package init(
        preferences: [String], optionalPreferences: [String] = [], local: String, localLayout: StoreLayout = .sqlite,
        cloud: String, syncEvents: String?
    ) {
        self.optionalPreferences = optionalPreferences
        (self.preferences, self.local, self.localLayout, self.cloud) = (preferences, local, localLayout, cloud)
        self.syncEvents = syncEvents
    }

    /// Whether a user may lack this preferences file.
    package func isOptional(_ preferences: String) -> Bool {
        optionalPreferences.contains { $0.utf8.elementsEqual(preferences.utf8) }
    }
}

/// How the tables of a store are laid out.
package enum StoreLayout: String, Sendable, CaseIterable {
    /// One table for each entity, with the entity's name; read and written.
    case sqlite
    /// The layout of Core Data or SwiftData; only read.
    case coreData
}
