/// How one app's data is shaped: where it lies in a container, its entities, its legacy keys, its export.
///
/// The value of a `godwit.yaml`; see `Manifest+Decoding.swift` for reading one.
public struct Manifest: Sendable {
    /// The app's name, as exports and reports show it.
    public let app: String
    /// The file the manifest was read from, as given.
    public let file: String
    /// SHA-256 of the file's bytes, lower-case hex; part of each receipt.
    package let sha256: String
    package var container: ContainerPaths
    /// The folder with `V0001__name.sql` …, resolved against the manifest's own folder.
    package let schemaDirectory: String
    /// In the order of the file, which is the order of exports.
    package var entities: [Entity]
    package var legacy: LegacyRules
    package let copy: CopyRules
    package let export: ExportRules
    /// How many runs the history keeps.
    package let historyKept: Int
    package let sync: SyncRules
    /// The CloudKit environment that the cloud store is synced with; nil where the manifest does not say.
    package let environment: CloudEnvironment?
    package let ignore: IgnoreRules
    /// Where each part stands in the file, by dotted path (`entities.Workout.key`), for errors found later on;
    /// see `position(of:)`.
    package let positions: [String: SourcePosition]

    package init(
        app: String, file: String, sha256: String, container: ContainerPaths, schemaDirectory: String,
        entities: [Entity], legacy: LegacyRules, copy: CopyRules, export: ExportRules, historyKept: Int,
        sync: SyncRules = SyncRules(), environment: CloudEnvironment? = nil, ignore: IgnoreRules = IgnoreRules(),
        positions: [String: SourcePosition]
    ) {
        self.app = app
        self.file = file
        self.sha256 = sha256
        self.container = container
        self.schemaDirectory = schemaDirectory
        self.entities = entities
        self.legacy = legacy
        self.copy = copy
        self.export = export
        self.historyKept = historyKept
        self.sync = sync
        self.environment = environment
        self.ignore = ignore
        self.positions = positions
    }

    /// The entity of this name, compared by bytes.
    package func entity(named name: String) -> Entity? {
        entities.first { $0.name.utf8.elementsEqual(name.utf8) }
    }

    /// The same manifest with these entities alone, in its own order.
    package func selecting(_ chosen: [Entity]) -> Manifest {
        let names = Set(chosen.map { Array($0.name.utf8) })
        var manifest = self
        manifest.entities.removeAll { !names.contains(Array($0.name.utf8)) }
        return manifest
    }

    /// The entities so that each comes after those it belongs to; otherwise in manifest order.
    ///
    /// A manifest with a cycle is refused when it is read, so every entity finds its place.
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

/// Where something stands in a text file; lines and columns count from 1.
package struct SourcePosition: Sendable, Hashable {
    /// The first character of a file.
    package static let start = SourcePosition(line: 1, column: 1)

    package let line: Int
    package let column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

/// Paths inside a container, relative to it, with `/` between parts and no `..`.
package struct ContainerPaths: Sendable {
    /// Preference files; the first that has a key wins, the first of all carries the flag.
    package let preferences: [String]
    package let local: String
    package let localLayout: StoreLayout
    package let cloud: String
    package let syncEvents: String?

    package init(
        preferences: [String], local: String, localLayout: StoreLayout = .sqlite, cloud: String, syncEvents: String?
    ) {
        self.preferences = preferences
        self.local = local
        self.localLayout = localLayout
        self.cloud = cloud
        self.syncEvents = syncEvents
    }
}

/// How a store's tables are laid out.
package enum StoreLayout: String, Sendable, CaseIterable {
    /// One table per entity, named as the entity; read and written.
    case sqlite
    /// Core Data's or SwiftData's own layout; read only.
    case coreData
}
