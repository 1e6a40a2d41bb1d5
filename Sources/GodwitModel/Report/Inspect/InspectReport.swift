/// The content of a container, a store or a property list, read without a manifest.
///
/// It has names of files, tables, columns and keys. It has users' values only with `--verbose`, and never a value with
/// a name like a secret.
package struct InspectReport: Sendable, Codable {
    /// Version of this format.
    package var reportVersion = 1
    /// The path as given.
    package var path: String
    /// The kind of the inspected path.
    package var kind: InspectedKind
    /// The layout of the container; nil for a single file.
    package var layout: InspectedLayout?
    /// The bundle identifier in the container's own files; nil if they do not name one.
    package var bundleIdentifier: String?
    /// The group containers as given.
    package var groupContainers: [String]
    /// Version of Godwit.
    package var godwitVersion: String
    /// The time with which dates are compared.
    package var asOf: Instant
    /// The clock, if it was set by an option.
    package var clock: SetClock?
    /// The stores, sorted by path.
    package var stores: [InspectedStore]
    /// The property lists and JSON files with settings; first those of `Library/Preferences`, in the order for a
    /// manifest.
    package var preferences: [InspectedPreferences]
    /// Keys that several preferences files have with different values.
    package var suiteConflicts: [SuiteConflict]
    /// Number of other regular files.
    package var otherFiles: Int64
    /// Risks of the container as a whole.
    package var risks: [Warning]
    /// What to do next.
    package var nextSteps: [String]

    /// A report without findings.
    package init(
        path: String, kind: InspectedKind, layout: InspectedLayout? = nil, bundleIdentifier: String? = nil,
        groupContainers: [String] = [], godwitVersion: String, asOf: Instant, stores: [InspectedStore] = [],
        preferences: [InspectedPreferences] = [], suiteConflicts: [SuiteConflict] = [], otherFiles: Int64 = 0,
        risks: [Warning] = [], nextSteps: [String] = []
    ) {
        (self.path, self.kind, self.layout, self.bundleIdentifier) = (path, kind, layout, bundleIdentifier)
        (self.groupContainers, self.godwitVersion, self.asOf) = (groupContainers, godwitVersion, asOf)
        (self.stores, self.preferences, self.suiteConflicts) = (stores, preferences, suiteConflicts)
        (self.otherFiles, self.risks, self.nextSteps) = (otherFiles, risks, nextSteps)
    }
}

/// The kind of an inspected path.
package enum InspectedKind: String, Sendable, Codable, CaseIterable {
    /// A folder with an app's files.
    case container
    /// One SQLite store.
    case store
    /// One property list or JSON file.
    case preferences
}

/// The layout of a container.
package enum InspectedLayout: String, Sendable, Codable, CaseIterable {
    /// A bundle that Xcode downloaded; the container is its `AppData`.
    case xcappdata
    /// A folder `Containers/<id>` of macOS; the container is its `Data`.
    case macOS
    /// A folder with `Library` or `Documents`, as on a device and in the simulator.
    case sandbox
    /// Any other folder.
    case folder
}

/// A key that several preferences files have with different values.
package struct SuiteConflict: Sendable, Codable, Equatable {
    /// The key.
    package var key: String
    /// The files that have the key; the first one's value is used.
    package var files: [String]

    /// A conflict.
    package init(key: String, files: [String]) {
        (self.key, self.files) = (key, files)
    }
}
