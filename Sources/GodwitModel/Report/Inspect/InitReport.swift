/// What `init` wrote, and what it left out.
public struct InitReport: Sendable, Codable {
    /// Version of this format.
    public var reportVersion = 1
    /// What was inspected, as given.
    public var path: String
    /// Version of Godwit.
    public var godwitVersion: String
    /// Whether nothing was written.
    public var dryRun: Bool
    /// The clock, if it was set by hand.
    public var clock: SetClock?
    /// The manifest's app.
    public var app: String
    /// The local store's path inside the container.
    public var local: String
    /// How the local store is laid out: `tables`, `coreData`, or `empty` where there is none yet.
    public var layout: InspectedStoreLayout
    /// The cloud store's path inside the container.
    public var cloud: String
    /// The container that the manifest is for.
    public var container: String
    /// The files that were written, as paths.
    public var written: [String]
    /// The manifest's entities.
    public var entities: [DraftedEntity]
    /// What the manifest leaves out, and why.
    public var leftOut: [Warning]
    /// What of the stores would be risky, as `inspect` says it: what plan and run would meet.
    public var risks: [Warning]
    /// What to do next.
    public var nextSteps: [String]

    /// A report.
    public init(
        path: String, godwitVersion: String, dryRun: Bool, app: String, local: String, layout: InspectedStoreLayout,
        cloud: String, container: String, written: [String], entities: [DraftedEntity], leftOut: [Warning],
        risks: [Warning] = [], nextSteps: [String]
    ) {
        self.path = path
        self.godwitVersion = godwitVersion
        self.dryRun = dryRun
        self.app = app
        self.local = local
        self.layout = layout
        self.cloud = cloud
        self.container = container
        self.written = written
        self.entities = entities
        self.leftOut = leftOut
        self.risks = risks
        self.nextSteps = nextSteps
    }
}

/// One entity of a drafted manifest.
public struct DraftedEntity: Sendable, Codable, Equatable {
    /// Its name.
    public var name: String
    /// Records that were found of it.
    public var count: Int64
    /// Its key.
    public var key: String
    /// What speaks for that key.
    public var keyEvidence: KeyEvidence

    /// An entity.
    public init(name: String, count: Int64, key: String, keyEvidence: KeyEvidence) {
        self.name = name
        self.count = count
        self.key = key
        self.keyEvidence = keyEvidence
    }
}
