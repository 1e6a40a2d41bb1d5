internal import GodwitFiles
internal import GodwitLedger
package import GodwitModel
internal import GodwitSQLite
internal import GodwitSchema
internal import GodwitExport

extension Migration {
    /// Restores an export into a new store; synchronous, for the command line.
    ///
    /// Of the container only the names of its files are looked at: none of them is given to the new store.
    ///
    /// - Parameters:
    ///   - document: the export; nil for standard input.
    ///   - increment: an export of what changed since that one, brought in after it; nil for none.
    ///   - target: the new store; nil in a dry run that names none.
    package func restore(
        from document: String?, increment: String? = nil, to target: String?, isDryRun: Bool = false,
        cancellation: Cancellation = Cancellation(),
        progress: @escaping @Sendable (RunProgress) -> Void = { _ in },
        faultPoint: @escaping @Sendable (FaultPoint) throws(GodwitError) -> Void = { _ throws(GodwitError) in }
    ) throws(GodwitError) -> RestoreReport {
        let context = makeContext(cancellation, progress, faultPoint)
        guard target != nil || isDryRun else {
            throw GodwitError(.import, .usage, "an import needs the name of a new store", hint: "Name it with -o.")
        }
        try cancellation.check(.import)
        ScratchDirectory.removeAbandoned()
        if let target { try requireUsable(target) }
        do throws(GodwitError) {
            let input =
                try document.map { path throws(GodwitError) in try ExportInput(path: path, stage: .import) }
                ?? ExportInput(standardInputNamed: "standard input")
            guard isDryRun else {
                return try self.restore(
                    input, (document, increment), to: target ?? "", named: target, context, isDryRun: false)
            }
            let scratch = try ScratchDirectory(identifier: context.makeIdentifier())
            let folder = try scratch.makeSubdirectory("import")
            return try withExtendedLifetime(scratch) { () throws(GodwitError) in
                try self.restore(
                    input, (document, increment), to: folder + "/restored.store", named: target, context,
                    isDryRun: true)
            }
        } catch {
            var failure = error
            // SQLite only knows that it was interrupted, not by which signal.
            if failure.code == .interrupted, let code = cancellation.code { failure.code = code }
            throw failure
        }
    }

    /// Throws if the target can't be made, before the document is read.
    private func requireUsable(_ target: String) throws(GodwitError) {
        try OwnFiles.requireLasting(target, stage: .import)
        let folder = PathText.directory(of: target)
        guard try FileStatus.of(folder)?.isDirectory == true else {
            throw GodwitError(
                .import, .cannotCreate, "can't create `\(target)`: no folder `\(folder)`",
                hint: "Make the folder first, or choose another name.")
        }
        try ImportStage.requireAbsent(target)
        // Whether there is a container or not, its names are the app's; what is wrong with it is not for here.
        if let container = try? Container(location, groups: options.groupContainers),
            let files = try? ContainerFiles(manifest, in: container)
        {
            try files.requireUnreserved(target, isStore: true, stage: .import)
        }
    }

    private func restore(
        _ input: ExportInput, _ names: (document: String?, increment: String?), to path: String,
        named target: String?, _ context: RunContext, isDryRun: Bool
    ) throws(GodwitError) -> RestoreReport {
        let start = ContinuousClock.now
        let folder = PathText.directory(of: path)
        if !isDryRun { try ContainerLock.removeAbandonedRestorations(in: folder) }
        let lock = try ContainerLock(folder, mode: .shared, context: context)
        let identifier = context.makeIdentifier()
        let stage = ImportStage(context: context, neighbours: neighbours(identifier, target ?? "", context, start))
        let restored = try stage.restore(
            input, increment: names.increment, to: path, name: target ?? "the restored store")
        _ = consume lock
        var report = RestoreReport(
            runId: identifier, file: target, document: RestoreReport.Document(restored.summary, names.document),
            increment: restored.increment.map { RestoreReport.Document($0, names.increment) },
            schema: restored.schema, counts: restored.counts, sha256: restored.sha256, bytes: restored.bytes,
            dryRun: isDryRun, durationMilliseconds: start.duration(to: .now).milliseconds,
            warnings: restored.warnings(manifest))
        report.clock = options.clock
        return report
    }

    private func neighbours(
        _ identifier: String, _ file: String, _ context: RunContext, _ start: ContinuousClock.Instant
    ) -> ImportStage.Dependencies {
        let (files, manifest) = (schemaFiles, manifest)
        return ImportStage.Dependencies(
            latestVersion: files.latest, schemaVersion: manifest.export.schemaVersion,
            entities: manifest.entities.map(\.name), environment: manifest.environment,
            buildSchema: { store, version throws(GodwitError) in
                _ = try SchemaStage(files: files.upTo(version), context: context)
                    .bringUpToDate(within: store, role: .local, file: file, created: true)
            },
            bringSchemaUpToDate: { writer throws(GodwitError) in
                let stage = SchemaStage(files: files, context: context)
                if !files.faults.isEmpty {
                    // Those up to the document's were applied where it was made.
                    let plan = try writer.read(.import) { store throws(GodwitError) in try stage.plan(store) }
                    try files.requireSettled(after: plan.from)
                }
                var report = try stage.bringUpToDate(writer, role: .local, file: file, created: true)
                // Neither role: what becomes of the new store is for its owner to say.
                report.store = nil
                return report
            },
            record: { store, counts throws(GodwitError) in
                let records = manifest.entities.compactMap { entity in
                    counts[entity.name].flatMap { $0 > 0 ? "\($0) \(entity.name)" : nil }
                }
                try store.record(
                    HistoryEntry(
                        id: identifier, command: "import", startedAt: context.now,
                        durationMilliseconds: start.duration(to: .now).milliseconds, outcome: .done,
                        summary: records.isEmpty ? "no records" : records.joined(separator: ", "), counts: counts,
                        godwitVersion: GodwitVersion.current), kept: manifest.historyKept)
            })
    }
}

extension RestoreReport.Document {
    fileprivate init(_ summary: DocumentSummary, _ file: String?) {
        let header = summary.header
        self.init(
            file: file, layout: header.layout, compressed: summary.isCompressed, bytes: summary.bytes,
            formatVersion: header.formatVersion, app: header.app, schemaVersion: header.schemaVersion,
            exportedAt: header.exportedAt, exportId: header.exportId)
    }
}
