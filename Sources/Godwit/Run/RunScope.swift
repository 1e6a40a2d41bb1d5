internal import GodwitFiles
internal import GodwitLegacy
internal import GodwitModel
internal import GodwitPropertyList
internal import GodwitSQLite
internal import GodwitSchema
internal import GodwitCopy
internal import GodwitDedupe

/// The inputs of one command: manifest, schema files, the files of the container, options.
///
/// They do not change during the run. `StoreOpener` has the state that changes.
struct RunScope: Sendable {
    let manifest: Manifest
    let schemaFiles: SchemaFiles
    let files: ContainerFiles
    /// The folders that this run has locked; none for commands that only read.
    let folders: LockedFolders
    let options: MigrationOptions
    var context: RunContext
    let identifier: String
    /// Compares the run with its saved plan; nil without one.
    let plan: PlanGuard?

    /// Whether the local store is one of Core Data's.
    var isCoreData: Bool { manifest.container.localLayout == .coreData }

    /// Whether the local store may be written: a Core Data store is read only.
    var isLocalWritable: Bool { manifest.container.localLayout == .sqlite }

    // MARK: Stages

    var schema: SchemaStage { SchemaStage(files: schemaFiles, context: context, baseline: options.baseline) }

    var dedupe: DedupeStage { DedupeStage(manifest: manifest, context: context, runIdentifier: identifier) }

    var proof: CopyProof { CopyProof(manifest: manifest, context: context) }

    /// The completion flag in the first preferences.
    var flag: CompletionFlag {
        CompletionFlag(
            in: files.preferences[0].flagStore(root: files.container.root), name: files.preferences[0].name,
            key: manifest.copy.flag)
    }

    // MARK: Files

    /// The preferences files, read; missing ones are nil, damaged ones an error (65).
    ///
    /// - Parameter isAhead: whether they are read to be imported, and not read again after the import.
    func readPreferences(isAhead: Bool = false) throws(GodwitError) -> [LegacyPlanner.Input] {
        var inputs: [LegacyPlanner.Input] = []
        for entry in files.preferences {
            let file = try entry.readPreferences(now: context.now)
            // Later changes of the app stay: the flag is set in the file with these changes.
            if isAhead { try plan?.requireSame(entry.name, sha256: file?.sha256) }
            inputs.append(.init(name: entry.name, file: file))
        }
        return inputs
    }

    /// A local store as it is compared with the cloud store: its references name parents as those of the cloud store do.
    func translated(_ local: ComparedStore, to cloud: SQLiteConnection) throws(GodwitError) -> ComparedStore {
        let translation = ReferenceTranslation(manifest: manifest, context: context)
        let made = try translation.translated(local.connection, within: local.whole, to: cloud)
        return made.map { ComparedStore($0) } ?? local
    }

    /// Removes the temporary files of runs that were killed: this run holds the lock, so no other run needs them.
    func removeLeftovers() {
        for folder in files.writtenFolders { OwnFiles.removeTemporaries(in: folder) }
        ScratchDirectory.removeAbandoned()
    }

    /// A command on this manifest and container, as one types it.
    func commandLine(_ words: String...) -> String { commandLine(words) }

    func commandLine(_ words: [String]) -> String {
        let groups = options.groupContainers.flatMap { ["--group-container", $0] }
        return CommandLineText.godwit(words + ["-m", manifest.file, "-c", files.container.given] + groups)
    }
}
