/// What a container, a store or a property list holds, seen without a manifest.
///
/// Names of files, tables, columns and keys are in it; values of users' data are only with `--verbose`, and never those
/// of what is called like a secret.
public struct InspectReport: Sendable, Codable {
    /// Version of this format.
    public var reportVersion = 1
    /// The path as given.
    public var path: String
    /// What lies there.
    public var kind: InspectedKind
    /// How the container is laid out; nil for a single file.
    public var layout: InspectedLayout?
    /// The app as the container's own files name it: its bundle identifier; nil where nothing tells.
    public var bundleIdentifier: String?
    /// The group containers as given.
    public var groupContainers: [String]
    /// Version of Godwit.
    public var godwitVersion: String
    /// The moment that dates are held against.
    public var asOf: Instant
    /// The clock, if it was set by hand.
    public var clock: SetClock?
    /// The stores, in the order of their paths.
    public var stores: [InspectedStore]
    /// The property lists and JSON files with settings; those of `Library/Preferences` first, in the order in which a
    /// manifest would name them.
    public var preferences: [InspectedPreferences]
    /// Keys that several preference suites have with different values.
    public var suiteConflicts: [SuiteConflict]
    /// How many other regular files there are.
    public var otherFiles: Int64
    /// What would be risky, of the container as a whole.
    public var risks: [Warning]
    /// What to do next.
    public var nextSteps: [String]

    /// A report that has found nothing yet.
    public init(
        path: String, kind: InspectedKind, layout: InspectedLayout? = nil, bundleIdentifier: String? = nil,
        groupContainers: [String] = [], godwitVersion: String, asOf: Instant, stores: [InspectedStore] = [],
        preferences: [InspectedPreferences] = [], suiteConflicts: [SuiteConflict] = [], otherFiles: Int64 = 0,
        risks: [Warning] = [], nextSteps: [String] = []
    ) {
        self.path = path
        self.kind = kind
        self.layout = layout
        self.bundleIdentifier = bundleIdentifier
        self.groupContainers = groupContainers
        self.godwitVersion = godwitVersion
        self.asOf = asOf
        self.stores = stores
        self.preferences = preferences
        self.suiteConflicts = suiteConflicts
        self.otherFiles = otherFiles
        self.risks = risks
        self.nextSteps = nextSteps
    }
}

/// What was inspected.
public enum InspectedKind: String, Sendable, Codable, CaseIterable {
    /// A folder with an app's files.
    case container
    /// One SQLite store.
    case store
    /// One property list or JSON file.
    case preferences
}

/// How a container is laid out.
public enum InspectedLayout: String, Sendable, Codable, CaseIterable {
    /// A bundle that Xcode downloaded; the container is its `AppData`.
    case xcappdata
    /// macOS's `Containers/<id>`; the container is its `Data`.
    case macOS
    /// A sandbox: `Library` or `Documents` lie in it, as on a device and in the simulator.
    case sandbox
    /// Any other folder.
    case folder
}

/// A key that several preference suites have, with values that differ.
public struct SuiteConflict: Sendable, Codable, Equatable {
    /// The key.
    public var key: String
    /// The files that have it, the one whose value counts first.
    public var files: [String]

    /// A conflict.
    public init(key: String, files: [String]) {
        self.key = key
        self.files = files
    }
}
