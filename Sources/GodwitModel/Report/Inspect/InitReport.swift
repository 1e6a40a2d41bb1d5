/// The result of `init`.
public struct InitReport: Sendable, Codable {
    /// Version of this format.
    public var reportVersion = 1
    /// The inspected path, as given.
    public var path: String
    /// Version of Godwit.
    public var godwitVersion: String
    /// Whether this was a plan: nothing was written.
    public var dryRun: Bool
    /// The clock, if it was set by an option.
    public var clock: SetClock?
    /// The manifest's app.
    public var app: String
    /// The local store's path inside the container.
    public var local: String
    /// The layout of the local store: `tables`, `coreData`, or `empty` if it does not exist yet.
    public var layout: InspectedStoreLayout
    /// The cloud store's path inside the container.
    public var cloud: String
    /// The container of the manifest.
    public var container: String
    /// The paths of the written files.
    public var written: [String]
    /// The manifest's entities.
    public var entities: [DraftedEntity]
    /// Data that the manifest leaves out, with the reasons.
    public var leftOut: [Warning]
    /// Risks of the stores, as `inspect` reports them; plan and run would meet them.
    public var risks: [Warning]
    /// What to do next.
    public var nextSteps: [String]

    /// A report.
    public init(
        path: String, godwitVersion: String, dryRun: Bool, app: String, local: String, layout: InspectedStoreLayout,
        cloud: String, container: String, written: [String], entities: [DraftedEntity], leftOut: [Warning],
        risks: [Warning] = [], nextSteps: [String]
    ) {
        (self.path, self.godwitVersion, self.dryRun, self.app) = (path, godwitVersion, dryRun, app)
        (self.local, self.layout, self.cloud, self.container) = (local, layout, cloud, container)
        (self.written, self.entities, self.leftOut, self.risks) = (written, entities, leftOut, risks)
        self.nextSteps = nextSteps
    }
}

/// One entity of a generated manifest.
public struct DraftedEntity: Sendable, Codable, Equatable {
    /// Its name.
    public var name: String
    /// Number of records found.
    public var count: Int64
    /// Its key.
    public var key: String
    /// Why this column was chosen as the key.
    public var keyEvidence: KeyEvidence

    /// An entity.
    public init(name: String, count: Int64, key: String, keyEvidence: KeyEvidence) {
        (self.name, self.count, self.key, self.keyEvidence) = (name, count, key, keyEvidence)
    }
}
