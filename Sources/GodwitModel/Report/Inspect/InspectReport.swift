/// What a container, a store or a property list holds, read without a manifest.
///
/// It has names of files, tables, columns and keys. It has users' values only with `--verbose`, and never a value whose
/// name sounds like a secret.
public struct InspectReport: Sendable, Codable {
    /// Version of this format.
    public var reportVersion = 1
    /// The path as given.
    public var path: String
    /// The kind of the inspected path.
    public var kind: InspectedKind
    /// The layout of the container; nil for a single file.
    public var layout: InspectedLayout?
    /// The bundle identifier in the container's own files; nil if they do not name one.
    public var bundleIdentifier: String?
    /// The group containers as given.
    public var groupContainers: [String]
    /// Version of Godwit.
    public var godwitVersion: String
    /// The time with which dates are compared.
    public var asOf: Instant
    /// The clock, if it was set by an option.
    public var clock: SetClock?
    /// The stores, sorted by path.
    public var stores: [InspectedStore]
    /// The property lists and JSON files with settings; first those of `Library/Preferences`, in the order for a
    /// manifest.
    public var preferences: [InspectedPreferences]
    /// Keys that several preferences files have with different values.
    public var suiteConflicts: [SuiteConflict]
    /// Number of other regular files.
    public var otherFiles: Int64
    /// Risks of the container as a whole.
    public var risks: [Warning]
    /// What to do next.
    public var nextSteps: [String]

    /// A report without findings.
    public init(
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
public enum InspectedKind: String, Sendable, Codable, CaseIterable {
    /// A folder with an app's files.
    case container
    /// One SQLite store.
    case store
    /// One property list or JSON file.
    case preferences
}

/// The layout of a container.
public enum InspectedLayout: String, Sendable, Codable, CaseIterable {
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
public struct SuiteConflict: Sendable, Codable, Equatable {
    /// The key.
    public var key: String
    /// The files that have the key; the first one's value is used.
    public var files: [String]

    /// A conflict.
    public init(key: String, files: [String]) {
        (self.key, self.files) = (key, files)
    }
}
