/// The result of `init`.
package struct InitReport: Sendable, Codable {
    /// Version of this format.
    package var reportVersion = 1
    /// The inspected path, as given.
    package var path: String
    /// Version of Godwit.
    package var godwitVersion: String
    /// Whether this was a plan: nothing was written.
    package var dryRun: Bool
    /// The clock, if it was set by an option.
    package var clock: SetClock?
    /// The manifest's app.
    package var app: String
    /// The local store's path inside the container.
    package var local: String
    /// The layout of the local store: `tables`, `coreData`, or `empty` if it does not exist yet.
    package var layout: InspectedStoreLayout
    /// The cloud store's path inside the container.
    package var cloud: String
    /// The container of the manifest.
    package var container: String
    /// The paths of the written files.
    package var written: [String]
    /// The manifest's entities.
    package var entities: [DraftedEntity]
    /// Data that the manifest leaves out, with the reasons.
    package var leftOut: [Warning]
    /// Risks of the stores, as `inspect` reports them; plan and run would meet them.
    package var risks: [Warning]
    /// What to do next.
    package var nextSteps: [String]

    /// A report.
    package init(
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
package struct DraftedEntity: Sendable, Codable, Equatable {
    /// Its name.
    package var name: String
    /// Number of records found.
    package var count: Int64
    /// Its key.
    package var key: String
    /// Why this column was chosen as the key.
    package var keyEvidence: KeyEvidence

    /// An entity.
    package init(name: String, count: Int64, key: String, keyEvidence: KeyEvidence) {
        (self.name, self.count, self.key, self.keyEvidence) = (name, count, key, keyEvidence)
    }
}
