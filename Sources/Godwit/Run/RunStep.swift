internal import GodwitFiles
internal import GodwitLegacy
internal import GodwitModel
internal import GodwitSchema
internal import GodwitCopy
internal import GodwitDedupe

/// A part of a run: it has the stores of the run, and short names for the scope's properties.
protocol RunStep {
    var stores: StoreOpener { get }

    init(stores: StoreOpener)
}

extension RunStep {
    init(_ stores: StoreOpener) { self.init(stores: stores) }

    var scope: RunScope { stores.scope }
    var manifest: Manifest { scope.manifest }
    var schemaFiles: SchemaFiles { scope.schemaFiles }
    var files: ContainerFiles { scope.files }
    var folders: LockedFolders { scope.folders }
    var options: MigrationOptions { scope.options }
    var context: RunContext { scope.context }
    var identifier: String { scope.identifier }
    var plan: PlanGuard? { scope.plan }
    var isCoreData: Bool { scope.isCoreData }
    var isLocalWritable: Bool { scope.isLocalWritable }
    var schema: SchemaStage { scope.schema }
    var dedupe: DedupeStage { scope.dedupe }
    var proof: CopyProof { scope.proof }
    var flag: CompletionFlag { scope.flag }

    /// Reads what the container has now; changes nothing.
    func survey(checkingIntegrity: Bool) throws(GodwitError) -> ContainerSurvey {
        try SurveyReading(stores).read(checkingIntegrity: checkingIntegrity)
    }

    /// The legacy stage over preferences that were read.
    ///
    /// - Parameters:
    ///   - rules: the rules to import by; nil for those of the manifest.
    ///   - isBeforeCopy: whether the records of a local store that is never written are still to be copied.
    func legacy(
        _ inputs: [LegacyPlanner.Input], by rules: LegacyRules? = nil, isBeforeCopy: Bool = false
    ) -> LegacyStage {
        var manifest = manifest
        if let rules { manifest.legacy = rules }
        let planner = LegacyPlanner(manifest: manifest, now: context.now, showsValues: options.showsValues)
        return LegacyStage(
            manifest: manifest, context: context, runIdentifier: identifier, allowsEmpty: options.allowsEmpty,
            keysElsewhere: isBeforeCopy && isCoreData ? stores.readConvertedKeys : nil,
            decide: { targets in planner.plan(inputs, targets: targets) })
    }
}
