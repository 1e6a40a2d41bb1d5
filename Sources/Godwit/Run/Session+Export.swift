internal import GodwitFiles
internal import GodwitModel
internal import GodwitSQLite
internal import GodwitDedupe
internal import GodwitExport

/// An export of a store that was found: first what speaks against it, then the document, then what the folder holds
/// already.
extension Session {
    /// A document that was made, and where it waits for being written to standard output.
    struct Export {
        var report: ExportReport
        /// The file in the scratch directory; nil where there is nothing left to do.
        var waiting: (path: String, scratch: ScratchDirectory)?
    }

    /// Makes the document, checks it and gives it its name; one for standard output waits, since whoever reads there may
    /// take their time, and neither the container's lock nor the store's is to be held for that long.
    func export(
        _ role: StoreRole, _ survey: ContainerSurvey, to path: String?, _ options: ExportOptions,
        _ watch: BackgroundStoreCheck?
    ) throws(GodwitError) -> Export {
        let wanted = try manifest.selected(options)
        let selection = wanted.entities.count < manifest.entities.count ? wanted.entities.map(\.name) : nil
        let source = try ExportSource(self, role)
        let chosen = try source.manifest(of: wanted, isChosen: !options.entities.isEmpty)
        let store = source.snapshot.connection
        let duplicates = try askForDuplicates(source, survey, watch)
        let reading = try ExportReading(
            store, manifest: chosen, context: context, sums: watch?.sums(ofStoreAt: source.snapshot.path),
            threads: ReadingThreads(source.snapshot.soundness))
        let scan = reading.scan
        let environment = survey.environment(of: role, manifest)
        let earlier = try EarlierExports(
            besides: path, options, selection: selection, environment: environment, self)
        let warnings = try requirePlausible(scan, options, earlier)
        let changes = try options.since.map { path throws(GodwitError) in
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
        try watch?.requireSound()
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

    /// How it is found out, beside the reading, whether records share a key.
    private enum DuplicateInquiry {
        case question(BackgroundQuery<Bool>)
        /// The check of the store tells of it on its way.
        case check(BackgroundStoreCheck)

        /// Waits until what there is to know is known.
        func wait() {
            switch self {
            case .question(let question): question.wait()
            case .check(let watch): watch.waitForIndexes()
            }
        }
    }

    /// Begins to look for records that share a key, where only that tells how many wait for the cloud; nil where not.
    ///
    /// What is found is known of the store's state then.
    private func askForDuplicates(
        _ source: borrowing ExportSource, _ survey: ContainerSurvey, _ watch: BackgroundStoreCheck?
    ) throws(GodwitError) -> DuplicateInquiry? {
        guard source.role == .local, source.storeVersion == nil, !survey.hasCloud, survey.cloudFault == nil else {
            return nil
        }
        let (dedupe, known, state) = (dedupe, context.known, source.snapshot.state)
        guard state != nil, !known.isKnown(.deduped, of: state) else { return nil }
        if let watch, try watch.tellsOfKeys(source.snapshot, of: manifest) { return .check(watch) }
        let question = BackgroundQuery(about: source.snapshot) { connection throws(GodwitError) in
            let hasDuplicates = try dedupe.hasWork(connection, in: state)
            if !hasDuplicates { known.note(.deduped, of: state) }
            return hasDuplicates
        }
        return .question(question)
    }

    /// The older export whose place the new one takes; nil where there is none.
    ///
    /// It is looked at once more: the store was read since. Nothing but what was looked at is replaced in the end.
    private func exportToReplace(_ target: String) throws(GodwitError) -> FileStatus? {
        // As it was before it was looked at.
        guard let status = try FileStatus.ofLink(target, unusable: .cannotCreate) else { return nil }
        try requireWritable(target, replacing: true)
        return status
    }

    /// The file that is written, with the rights of the one whose place it takes.
    private func makeFile(_ target: String, inPlaceOf replaced: FileStatus?) throws(GodwitError) -> AtomicFile {
        let file = try AtomicFile(
            target: target, identifier: context.makeIdentifier(), mode: replaced == nil ? 0o644 : 0o600,
            isOutput: true, stage: .export)
        // Before anything is in it.
        if let replaced { try file.takeRights(FileOwnership(target, replaced)) }
        return file
    }

    /// Refuses (65) what looks as if data had been lost; warns where that can't be told.
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

    /// What stands before the records, and what a person should know of the source.
    private func describe(
        _ source: borrowing ExportSource, _ scan: ExportScan, _ survey: ContainerSurvey, _ selection: [String]?,
        _ changes: ExportChanges?
    ) throws(GodwitError) -> (header: ExportHeader, warnings: [Warning]) {
        let mirror = try readMirror(survey)
        let (sync, syncWarnings) = try readSync(survey, mirror)
        let (pending, pendingWarnings) = try pendingChanges(survey, mirror)
        let freshness = assessFreshness(
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

extension ExportReport {
    /// What was written, of which records, by which options.
    fileprivate init(
        file: String?, store: StoreRole, source: String, _ options: ExportOptions, _ scan: ExportScan,
        _ changes: ExportChanges?, _ written: ExportStage.Written, freshness: Freshness, warnings: [Warning]
    ) {
        self.init(
            file: file, store: store, source: source, layout: options.form.layout, compressed: options.gzip,
            counts: changes?.changed ?? scan.counts, bytes: written.bytes, sha256: written.sha256,
            contentVersion: changes?.contentVersion ?? written.sha256, freshness: freshness, dryRun: options.isDryRun,
            warnings: warnings + (written.hasUnreadableRecord() ? [.recordTooLong] : []))
        since = changes.map { changes in
            ExportIncrement(
                file: options.since.map(PathText.followingLink) ?? "", exportId: changes.origin.exportId,
                exportedAt: changes.origin.exportedAt,
                gone: changes.gone)
        }
    }
}

extension GodwitError {
    /// The same with what a person should know besides, in its hint.
    fileprivate func adding(_ warnings: [Warning]) -> GodwitError {
        var error = self
        error.hint = ([hint] + warnings.map(\.message)).compactMap(\.self).joined(separator: " ")
        return error
    }
}

extension ExportOptions {
    /// Throws (64) where the options can't be meant.
    func requireSensible(to path: String?) throws(GodwitError) {
        guard (1...9).contains(level) else {
            throw GodwitError(.export, .usage, "\(level) is no level of gzip.", hint: "Levels go from 1 to 9.")
        }
        guard maxShrinkPercent.map((0...100).contains) ?? true, minRecords.map({ $0 >= 0 }) ?? true else {
            throw GodwitError(
                .export, .usage, "An export can't shrink by that much, or have fewer records than none.",
                hint: "--max-shrink takes 0 to 100 percent, --min-records a whole number.")
        }
        guard path != nil || !skipsUnchanged && maxShrinkPercent == nil else {
            throw GodwitError(
                .export, .usage, "There are no earlier exports beside standard output to compare with.",
                hint: "Name a file with -o: the newest export in its folder is what it is compared with.")
        }
    }

    /// Throws (64) where the export of everything would be replaced by one of what changed since it.
    func requireBaseKept(_ path: String) throws(GodwitError) {
        guard let since, let base = try FileStatus.of(since), let target = try FileStatus.of(path),
            base.isSameFile(as: target)
        else { return }
        throw GodwitError(
            .export, .usage, "\(path) is the export that --since names: what changed is of no use without it.",
            hint: "Give the increment a name of its own.")
    }

    fileprivate var form: ExportForm {
        ExportForm(layout: lines ? .lines : .document, gzipLevel: gzip ? level : nil)
    }
}

extension Warning {
    fileprivate static let nothingToCompareWith = Warning(
        "nothingToCompareWith", "There is no earlier export in the folder, so whether the data shrank is not known.",
        hint: "The next export is compared with this one.")
    fileprivate static let recordTooLong = Warning(
        "recordTooLong", "A record is longer than `godwit import` takes (64 MiB of JSON); other readers may take it.",
        hint: "Keep large blobs in files of their own, and a copy of the store beside this export.")
}

extension Manifest {
    /// The manifest with the entities that were asked for; 64 where one is none of its own.
    func selected(_ options: ExportOptions) throws(GodwitError) -> Manifest {
        guard !options.entities.isEmpty else { return self }
        var chosen: [Entity] = []
        for name in options.entities {
            guard let entity = entity(named: name) else {
                let known = entities.map(\.name).joined(separator: ", ")
                throw GodwitError(
                    .export, .usage, "There is no entity '\(name)' in the manifest.",
                    hint: NearestName.hint(for: name, among: entities.map(\.name)) ?? "There are \(known).")
            }
            chosen.append(entity)
        }
        return selecting(chosen)
    }
}
