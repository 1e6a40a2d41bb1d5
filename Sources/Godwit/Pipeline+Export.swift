internal import GodwitExport
internal import GodwitMigrate
package import GodwitModel
internal import GodwitStore

extension Pipeline {
    /// Exports the active store; synchronous, for the command line.
    ///
    /// - Parameter path: the new file; nil for standard output, to which the finished and checked document is then
    ///   written whole.
    package func export(
        to path: String?, options export: ExportOptions, cancellation: Cancellation = Cancellation(),
        progress: @escaping @Sendable (Progress) -> Void = { _ in },
        faultPoint: @escaping @Sendable (FaultPoint) throws(GodwitError) -> Void = { _ throws(GodwitError) in }
    ) throws(GodwitError) -> ExportReport {
        guard (1...9).contains(export.level) else {
            throw GodwitError(.export, .usage, "\(export.level) is no level of gzip.", hint: "Levels go from 1 to 9.")
        }
        let context = makeContext(cancellation, progress, faultPoint)
        let container = try Container(location, groups: options.groupContainers)
        let lock = try ContainerLock(container, mode: .shared, context: context)
        let place = lock.place
        let report = try place.explainingFailures { () throws(GodwitError) in
            let session = try openSession(container, place: place, context)
            ScratchDirectory.removeAbandoned()
            if let path { try session.requireWritable(path, replacing: export.replacesExisting) }
            let survey = try session.survey(checkingIntegrity: true)
            guard let role = survey.activeStore else {
                throw GodwitError(
                    .export, .noInput, "There is no store to export in \(location).",
                    hint: "Neither \(session.files.local.name) nor \(session.files.cloud.name) is there.")
            }
            return try session.export(role, survey, to: path, export)
        }
        _ = consume lock
        return report
    }

    /// A session for commands that only look, which lock nothing.
    func openSession(_ cancellation: Cancellation) throws(GodwitError) -> Session {
        let container = try Container(location, groups: options.groupContainers)
        return try openSession(container, place: .nowhere, makeContext(cancellation, { _ in }))
    }

    private func openSession(
        _ container: Container, place: LockedPlace, _ context: RunContext
    ) throws(GodwitError) -> Session {
        Session(
            manifest: manifest, schemaFiles: schemaFiles, files: try ContainerFiles(manifest, in: container),
            place: place, options: options, context: context, identifier: context.makeIdentifier())
    }
}

extension Session {
    /// Refuses (73) what is there already, unless it is an export and may be replaced.
    func requireWritable(_ path: String, replacing: Bool) throws(GodwitError) {
        try OwnFiles.requireLasting(path, stage: .export)
        try files.requireUnreserved(path, stage: .export)
        guard let status = try FileStatus.ofLink(path, unusable: .cannotCreate) else { return }
        guard replacing else {
            throw GodwitError(
                .export, .cannotCreate, "\(path) is there already.",
                hint: "Choose another name, or replace an older export with --replace.")
        }
        guard status.isRegularFile, try ExportStage.isExport(path) else {
            throw GodwitError(
                .export, .cannotCreate, "\(path) is no export of Godwit; it is not replaced.",
                hint: "Choose another name.")
        }
    }

    func export(
        _ role: StoreRole, _ survey: Survey, to path: String?, _ options: ExportOptions
    ) throws(GodwitError) -> ExportReport {
        let source = try ExportSource(self, role)
        let store = source.snapshot.connection
        let scan = try ExportScan(store, manifest: manifest, context: context)
        let (header, warnings) = try describe(source, scan, survey)
        let scratch = path == nil || options.isDryRun ? try ScratchDirectory(identifier: context.makeIdentifier()) : nil
        let target = scratch.map { $0.path + "/export.json" } ?? path ?? ""
        let file = try AtomicFile(
            target: target, identifier: context.makeIdentifier(), mode: 0o644, isOutput: true, stage: .export)
        let finished = try ExportStage(manifest: manifest, context: context).write(
            store, header: header, scan: scan, into: file, as: options.form)
        let written = finished.written
        try context.faultPoint(.beforeExportRename)
        try finished.commit(replacing: options.replacesExisting)
        if path == nil, !options.isDryRun { try StandardOutput.write(fileAt: target, stage: .export) }
        return withExtendedLifetime(scratch) {
            ExportReport(
                file: path, store: role, source: files[role].name, layout: options.form.layout,
                compressed: options.gzip, counts: scan.counts, bytes: written.bytes, sha256: written.sha256,
                contentVersion: written.sha256, freshness: header.freshness, dryRun: options.isDryRun,
                warnings: warnings + (written.hasUnreadableRecord ? [.recordTooLong] : []))
        }
    }

    /// What stands before the records, and what a person should know of the source.
    private func describe(
        _ source: borrowing ExportSource, _ scan: ExportScan, _ survey: Survey
    ) throws(GodwitError) -> (ExportHeader, [Warning]) {
        let (sync, syncWarnings) = try readSync()
        let (pending, pendingWarnings) = try pendingChanges(survey)
        let freshness = assessFreshness(
            scan, sync: sync, survey: survey, role: source.role, savedAt: source.savedAt,
            pending: pending.values.reduce(0, +), isWALMissing: source.isWALMissing)
        let header = ExportHeader(
            app: manifest.app, schemaVersion: manifest.export.schemaVersion, exportedAt: context.now,
            identifier: options.now == nil ? identifier : nil, store: source.role,
            file: PathText.lastPart(of: files[source.role].name),
            schemaMigration: try source.snapshot.connection.readHistory()?.last?.version, freshness: freshness)
        return (header, source.warnings + syncWarnings + pendingWarnings)
    }
}

extension ExportOptions {
    fileprivate var form: ExportForm {
        ExportForm(layout: lines ? .lines : .document, gzipLevel: gzip ? level : nil)
    }
}

extension Warning {
    fileprivate static let recordTooLong = Warning(
        "recordTooLong", "A record is longer than `godwit import` takes (64 MiB of JSON); other readers may take it.",
        hint: "Keep large blobs in files of their own, and a copy of the store beside this export.")
}
