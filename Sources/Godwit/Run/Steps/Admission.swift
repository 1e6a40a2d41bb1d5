internal import GodwitFiles
internal import GodwitModel
internal import GodwitSQLite
internal import GodwitSchema

/// Throws before the first write if a command cannot or must not run.
struct Admission: RunStep {
    let stores: StoreOpener

    /// Throws if a command cannot or must not run, before it writes.
    func requireReady(for command: Command, _ survey: ContainerSurvey) throws(GodwitError) {
        try requireInput(for: command, survey)
        if command.writes { try InputSurvey(stores).requireNoOtherStore(survey) }
        if command.copies || command == .verify { try CopyOrigin(stores).requireCopiedStore(survey) }
        if command.copies || command == .verify {
            try InputSurvey(stores).requireNoOtherFlag(survey)
            try InputSurvey(stores).requireNoOtherCloud(survey)
        }
        try requireOneEnvironment(for: command, survey)
        try requireLogs(survey)
        try requireSettledFiles(for: command, survey)
        try requireCopyable(for: command, survey)
        try requireWritable(for: command, survey)
    }

    /// `dedupe` without any store has no input (66), and neither has `verify` without preferences.
    ///
    /// `run`, `migrate` and `copy` accept an app that has stored nothing yet.
    func requireInput(for command: Command, _ survey: ContainerSurvey) throws(GodwitError) {
        try InputSurvey(stores).requireFilesOrFolders()
        guard command == .dedupe || command == .verify, !survey.hasLocal, !survey.hasCloud else { return }
        if command == .verify {
            for preferences in files.preferences where try preferences.exists() { return }
        }
        throw GodwitError(
            .container, .noInput,
            "no store to \(command.rawValue) in `\(files.container.given)`: `\(files.local.name)` and "
                + "`\(files.cloud.name)` do not exist",
            hint: "Check \(name: .container), or `local:` and `cloud:` in the manifest.")
    }

    /// Throws (65) if a store is missing its required `-wal` file, before the first write: its newest records may be
    /// missing, and a later check cannot notice it.
    func requireLogs(_ survey: ContainerSurvey) throws(GodwitError) {
        guard options.requiresLog, let warning = survey.warnings.first(where: { $0.logGap == .missing }) else { return }
        throw GodwitError(.container, .data, warning.message, hint: warning.hint)
    }

    /// Throws (77) if the copy could not set its flag or write its store in the end, before anything is written.
    func requireWritable(for command: Command, _ survey: ContainerSurvey) throws(GodwitError) {
        guard command.copies, !survey.isFlagSet, !survey.isSyncOff,
            survey.hasLocal || survey.copyReceipt != nil
        else { return }
        let flagFile = files.preferences[0].domain == nil ? [files.preferences[0].path] : []
        for path in flagFile + [files.cloud.path] {
            let folder = PathText.directory(of: path)
            guard PathText.isWritable(folder) == false else { continue }
            let name = PathText.lastPart(of: path)
            throw GodwitError(
                .container, .permission, "can't write in the folder of `\(name)`: `\(folder)`",
                hint:
                    "Check the owner and the mode of the folder, and whether its file system is mounted "
                    + "read-only.")
        }
    }

    /// Refuses a cloud store that the copy would refuse, before the stages ahead of it have written anything.
    func requireCopyable(for command: Command, _ survey: ContainerSurvey) throws(GodwitError) {
        guard command.copies, !survey.isFlagSet, !survey.isSyncOff else { return }
        if survey.hasLocal { try requireUsableReferences(isNew: !survey.hasCloud) }
        if survey.hasCloud { try requireCopyableStore() }
    }

    /// Throws for schema files with a foreign key that SQLite cannot check: SQLite writes nothing to a table that has
    /// one, and a file that was applied to the local store can't be corrected any more.
    ///
    /// - Parameter isNew: whether a cloud store is made of them, which has no table with one; in one that is there
    ///   already only the tables that are copied matter.
    private func requireUsableReferences(isNew: Bool) throws(GodwitError) {
        for (table, state) in schemaFiles.unusableReferences {
            let isCopied = manifest.entities.contains { $0.name.isSameName(as: table) }
            let parent = schemaFiles.shape.table(named: state.parent)
            // SQLite accepts a reference to a missing table until it writes a record.
            guard isCopied || isNew && parent != nil else { continue }
            throw GodwitError(
                .schema, .data,
                "in the schema files `\(table)` refers to `\(state.parent)` by "
                    + "\(state.columns.map { "`\($0)`" }.joined(separator: ", ")), but "
                    + (parent == nil ? "no such table is made" : "the referenced columns are not unique"),
                hint: "In a new schema file, "
                    + (parent == nil ? "make the table" : "make these columns unique (CREATE UNIQUE INDEX)")
                    + ", or make `\(table)` again without the foreign key."
            ).placed(in: schemaFiles.directory)
        }
    }

    /// Throws for schema files that change the settings of later files, before the first write; a file that was applied
    /// to a store of this container cannot be edited any more, and is accepted.
    func requireSettledFiles(for command: Command, _ survey: ContainerSurvey) throws(GodwitError) {
        guard command.structuredStages.schema || command.copies, !schemaFiles.faults.isEmpty else { return }
        var applied = 0
        for (role, isThere) in [(.local, survey.hasLocal && isLocalWritable), (.cloud, survey.hasCloud)]
            as [(StoreRole, Bool)] where isThere
        {
            // Of a store that fits no version the stages say more.
            guard let plan = try schema.readablePlan(stores.snapshot(role, .schema).connection) else { return }
            applied = max(applied, plan.from)
        }
        try schemaFiles.requireSettled(after: applied)
    }

    /// Refuses a cloud store that nothing can be written to: mirrored, linked, of another schema.
    func requireCopyableStore() throws(GodwitError) {
        try StoreWriter.requireWritable(files.cloud.path, name: files.cloud.name, stage: .copy, context: context)
        let cloud = try stores.snapshot(.cloud, .copy)
        try cloud.connection.refuseMirrored()
        _ = try schema.plan(cloud.connection)
    }
}
