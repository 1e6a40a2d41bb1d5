internal import GodwitFiles
internal import GodwitModel
internal import GodwitSQLite
internal import GodwitDedupe
internal import GodwitExport

/// Exports a store: first the checks, then the export, then the comparison with the folder.
struct ExportStep: RunStep {
    let stores: StoreOpener

    /// A finished export, and the file from which it goes to standard output.
    struct Export {
        var report: ExportReport
        /// The file in the scratch directory; nil if there is nothing left to do.
        var waiting: (path: String, scratch: ScratchDirectory)?
    }

    /// Makes the document, checks it and gives it its name.
    ///
    /// A document for standard output is written later: its reader may be slow, and the locks of the container and the
    /// store are not held for that long.
    func export(
        _ role: StoreRole, _ survey: ContainerSurvey, to path: String?, _ options: ExportOptions
    ) throws(GodwitError) -> Export {
        let wanted = try manifest.selected(options)
        let selection = wanted.entities.count < manifest.entities.count ? wanted.entities.map(\.name) : nil
        let source = try ExportSource(stores, role)
        let chosen = try source.manifest(of: wanted, isChosen: !options.entities.isEmpty)
        let store = source.snapshot.connection
        let duplicates = try askForDuplicates(source, survey)
        let reading = try ExportReading(
            store, manifest: chosen, context: context, threads: ReadingThreads(source.snapshot.readers))
        let scan = reading.scan
        let environment = survey.environment(of: role, manifest)
        let earlier = try EarlierExports(
            besides: path, options, selection: selection, environment: environment, scope)
        let warnings = try requirePlausible(scan, options, earlier)
        let changes = try options.sincePath.map { path throws(GodwitError) in
            try ExportChanges(
                since: path, reading, manifest: chosen, selection: selection, schemaMigration: source.schemaVersion,
                environment: environment, context: context)
        }
        duplicates?.wait()
        let header = try describe(source, scan, survey, selection, changes)
        let scratch = path == nil || options.isDryRun ? try ScratchDirectory(identifier: context.makeIdentifier()) : nil
        let target = scratch.map { $0.path + "/export.json" } ?? path ?? ""
        let replaced = scratch == nil && options.replacesExisting ? try exportToReplace(target) : nil
        let finished = try ExportStage(context: context).write(
            reading, header: header.header, changes: changes, into: makeFile(target, inPlaceOf: replaced),
            as: options.form)
        try stores.watch?.requireSound()
        var report = ExportReport(
            file: path, store: role, source: files[role].name, options, scan, changes, finished.written,
            freshness: header.header.freshness, warnings: header.warnings + warnings + earlier.warnings)
        report.clock = self.options.clock
        let made = EarlierExports.Made(
            header: header.header, contentVersion: report.contentVersion, sha256: report.sha256)
        if options.skipsUnchanged, let same = try earlier.newestWhole(like: made, context) {
            (report.file, report.unchangedSince) = (nil, same)
            return Export(report: report)
        }
        try context.faultPoint(.beforeExportRename)
        try finished.commit(inPlaceOf: replaced)
        return withExtendedLifetime(scratch) {
            Export(report: report, waiting: path == nil && !options.isDryRun ? scratch.map { (target, $0) } : nil)
        }
    }

    /// Begins to search for records that share a key, if the number of pending records depends on it; else nil.
    ///
    /// The result is stored for this state of the store.
    private func askForDuplicates(
        _ source: borrowing ExportSource, _ survey: ContainerSurvey
    ) throws(GodwitError) -> BackgroundQuery<Bool>? {
        guard source.role == .local, source.storeVersion == nil, !survey.hasCloud, survey.cloudFault == nil else {
            return nil
        }
        let (dedupe, known, state) = (dedupe, context.known, source.snapshot.state)
        guard state != nil, !known.isKnown(.deduped, of: state) else { return nil }
        return BackgroundQuery(about: source.snapshot) { connection throws(GodwitError) in
            let hasDuplicates = try dedupe.hasWork(connection)
            if !hasDuplicates { known.note(.deduped, of: state) }
            return hasDuplicates
        }
    }

    /// The older export that the new export replaces; nil if there is none.
    ///
    /// It is checked again, because the store was read since. Only the checked file is replaced at the end.
    private func exportToReplace(_ target: String) throws(GodwitError) -> FileStatus? {
        // As it was before it was looked at.
        guard let status = try FileStatus.ofLink(target, unusable: .cannotCreate) else { return nil }
        try requireWritable(target, replacing: true)
        return status
    }

    /// Creates the file, with the permissions of the replaced file.
    private func makeFile(_ target: String, inPlaceOf replaced: FileStatus?) throws(GodwitError) -> AtomicFile {
        let file = try AtomicFile(
            target: target, identifier: context.makeIdentifier(), mode: replaced == nil ? 0o644 : 0o600,
            isOutput: true, stage: .export)
        // Before anything is in it.
        if let replaced { try file.takeRights(FileOwnership(target, replaced)) }
        return file
    }

    /// Throws (65) if data seems to be lost since the last export; warns if there is nothing to compare with.
    private func requirePlausible(
        _ scan: ExportScan, _ options: ExportOptions, _ earlier: EarlierExports
    ) throws(GodwitError) -> [Warning] {
        let limits = ExportLimits(minRecords: options.minRecords, maxShrinkPercent: options.maxShrinkPercent)
        guard options.maxShrinkPercent != nil else {
            try limits.check(scan.counts, against: nil)
            return []
        }
        let last = try earlier.newestWhole(context)
        do throws(GodwitError) {
            try limits.check(scan.counts, against: last)
        } catch {
            // A refusal carries no warnings.
            throw error.adding(earlier.warnings)
        }
        return last == nil ? [.nothingToCompareWith] : []
    }

    /// The header of the export, and warnings about the source.
    private func describe(
        _ source: borrowing ExportSource, _ scan: ExportScan, _ survey: ContainerSurvey, _ selection: [String]?,
        _ changes: ExportChanges?
    ) throws(GodwitError) -> (header: ExportHeader, warnings: [Warning]) {
        let mirror = try SyncReading(stores).readMirror(survey)
        let (sync, syncWarnings) = try SyncReading(stores).readSync(survey, mirror)
        let (pending, pendingWarnings) = try SyncReading(stores).pendingChanges(survey, mirror)
        let freshness = SyncReading(stores).assessFreshness(
            scan, sync: sync, survey: survey, role: source.role, savedAt: source.savedAt,
            pending: pending?.values.reduce(0, +), logGap: source.logGap)
        let header = ExportHeader(
            app: manifest.app, schemaVersion: manifest.export.schemaVersion, exportedAt: context.now,
            identifier: self.options.now == nil ? identifier : nil, store: source.role,
            file: PathText.lastPart(of: files[source.role].name),
            schemaMigration: source.schemaVersion, storeMigration: source.storeVersion,
            marks: try source.snapshot.connection.readMarks(), freshness: freshness,
            environment: survey.environment(of: source.role, manifest), selection: selection, since: changes?.origin)
        return (
            header,
            survey.faultOfLocal + source.warnings + survey.environmentWarnings(manifest) + syncWarnings
                + pendingWarnings
        )
    }
}
