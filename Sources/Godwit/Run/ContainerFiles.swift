internal import GodwitFiles
internal import GodwitModel
internal import GodwitBackup
internal import GodwitPropertyList

/// The files that a manifest names, found in a container: names as reports show them, paths as the system opens them.
struct ContainerFiles: Sendable {
    /// A file inside the container.
    struct Entry: Sendable {
        let name: String
        let path: String
        /// The domain of the preferences system that the file belongs to; nil for all other files.
        var domain: (any PreferencesDomain)?
        /// Whether these are preferences that some users do not have.
        var isOptional = false

        /// Whether anything is there.
        func exists() throws(GodwitError) -> Bool {
            if let domain { return try domain.currentPropertyList() != nil }
            return try FileStatus.of(path) != nil
        }

        /// Throws (66) if a store is missing and its journal or log exists: SQLite would write it into a store that is
        /// made under this name.
        func requireNoLogWithoutStore() throws(GodwitError) {
            // The journal is looked at first: a store that another run creates between the two checks is not an error.
            for suffix in ["-journal", "-wal"] where try FileStatus.ofLink(path + suffix) != nil {
                guard try !exists() else { return }
                throw GodwitError(
                    .container, .noInput,
                    "`\(name)` does not exist, but its \(PathText.lastPart(of: name + suffix)) does",
                    hint: "Put both back together, or move the \(suffix) away as well.")
            }
        }
    }

    let container: Container
    let preferences: [Entry]
    let local: Entry
    let cloud: Entry
    let syncEvents: Entry?

    /// Finds all files; 78 if one leaves the container, or where two stores are one file.
    ///
    /// - Parameters:
    ///   - domains: what is read and written instead of the files that belong to them.
    ///   - resumesRollback: whether files may be as an interrupted rollback left them.
    init(
        _ manifest: Manifest, in container: Container, domains: [any PreferencesDomain] = [],
        resumesRollback: Bool = false
    ) throws(GodwitError) {
        func entry(_ name: String) throws(GodwitError) -> Entry {
            Entry(name: name, path: try container.resolve(name))
        }
        self.container = container
        var preferences: [Entry] = []
        for name in manifest.container.preferences {
            preferences.append(try entry(name))
            preferences[preferences.count - 1].isOptional = manifest.container.isOptional(name)
            preferences[preferences.count - 1].domain = domains.first { $0.file.utf8.elementsEqual(name.utf8) }
        }
        self.preferences = preferences
        local = try entry(manifest.container.local)
        cloud = try entry(manifest.container.cloud)
        if let events = manifest.container.syncEvents { syncEvents = try entry(events) } else { syncEvents = nil }
        if !resumesRollback { try RollbackMarker.requireNone(in: writtenFolders) }
        for entry in preferences + [local, cloud] + [syncEvents].compactMap(\.self) {
            try container.requireNoPlaceholder(of: entry.name)
            try container.requireNoSimilarFile(to: entry.name)
        }
        for store in [local, cloud] {
            for suffix in ["-journal", "-wal"] { try container.requireNoPlaceholder(of: store.name + suffix) }
            if !resumesRollback { try store.requireNoLogWithoutStore() }
        }
        try container.requireDistinct(local.path, cloud.path, names: (local.name, cloud.name))
        for preference in preferences {
            try container.requireDistinct(preference.path, local.path, names: (preference.name, local.name))
            try container.requireDistinct(preference.path, cloud.path, names: (preference.name, cloud.name))
        }
    }

    /// The store of a role.
    subscript(role: StoreRole) -> Entry { role == .local ? local : cloud }

    /// The folders in which Godwit makes temporary files.
    var writtenFolders: [String] {
        let paths = preferences.prefix(1).map(\.path) + [local.path, cloud.path]
        return Array(Set(paths.map { PathText.directory(of: $0) })).sorted()
    }

    /// Throws (73) if an output would get the name of a file the manifest names, or of a journal or log of one, there
    /// or not: the app, or SQLite, would take it for its own.
    ///
    /// - Parameter isStore: whether the output is itself a store, and may be the app's next.
    func requireUnreserved(_ path: String, isStore: Bool = false, stage: GodwitError.Stage) throws(GodwitError) {
        guard let folder = PathText.real(PathText.directory(of: path)) else { return }
        let place = PathText.join(folder, PathText.lastPart(of: path))
        let entries = preferences + [local, cloud] + [syncEvents].compactMap { $0 }
        let isReserved = entries.contains { entry in
            let isAppStore = isStore && [local.path, cloud.path].contains(entry.path)
            return ((isAppStore ? [] : [""]) + ["-wal", "-shm", "-journal"]).contains {
                (entry.path + $0).utf8.elementsEqual(place.utf8)
            }
        }
        guard isReserved else { return }
        throw GodwitError(
            stage, .cannotCreate, "`\(path)` is a path that the manifest gives to one of the app's own files",
            hint: "Choose a name outside of the container.")
    }
}
