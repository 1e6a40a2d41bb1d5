internal import GodwitFiles
internal import GodwitModel
internal import GodwitExport

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
                .export, .usage, "An export to standard output has no earlier exports to compare with.",
                hint: "Name a file with -o: the newest export in its folder is what it is compared with.")
        }
    }

    /// Throws (64) where the export of everything would be replaced by one of what changed since it.
    func requireBaseKept(_ path: String) throws(GodwitError) {
        guard let sincePath, let base = try FileStatus.of(sincePath), let target = try FileStatus.of(path),
            base.isSameFile(as: target)
        else { return }
        throw GodwitError(
            .export, .usage, "\(path) is the export that --since names: what changed is of no use without it.",
            hint: "Give the increment a name of its own.")
    }

    var form: ExportForm {
        ExportForm(layout: lines ? .lines : .document, gzipLevel: gzip ? level : nil)
    }
}

extension Warning {
    static let nothingToCompareWith = Warning(
        "nothingToCompareWith", "There is no earlier export in the folder, so whether the data shrank is not known.",
        hint: "The next export is compared with this one.")
    static let recordTooLong = Warning(
        "recordTooLong", "A record is longer than `godwit import` takes (64 MiB of JSON); other readers may take it.",
        hint: "Keep large blobs in files of their own, and keep a copy of the store with this export.")
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

extension ExportReport {
    /// What was written, of which records, by which options.
    init(
        file: String?, store: StoreRole, source: String, _ options: ExportOptions, _ scan: ExportScan,
        _ changes: ExportChanges?, _ written: ExportStage.Written, freshness: Freshness, warnings: [Warning]
    ) {
        self.init(
            file: file, store: store, source: source, layout: options.form.layout, compressed: options.gzip,
            counts: changes?.changed ?? scan.counts, bytes: written.bytes, sha256: written.sha256,
            contentVersion: changes?.contentVersion ?? written.sha256, freshness: freshness, dryRun: options.isDryRun,
            warnings: warnings + (written.hasUnreadableRecord() ? [.recordTooLong] : []))
        since = changes.map { changes in
            ExportReport.Increment(
                file: options.sincePath.map(PathText.followingLink) ?? "", exportId: changes.origin.exportId,
                exportedAt: changes.origin.exportedAt,
                gone: changes.gone)
        }
    }
}

extension GodwitError {
    /// The same with what a person should know besides, in its hint.
    func adding(_ warnings: [Warning]) -> GodwitError {
        var error = self
        error.hint = ([hint] + warnings.map(\.message)).compactMap(\.self).joined(separator: " ")
        return error
    }
}
