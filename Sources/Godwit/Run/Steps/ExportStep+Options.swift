internal import GodwitFiles
internal import GodwitModel
internal import GodwitExport

extension ExportOptions {
    /// Throws (64) if the options can't be meant.
    func requireSensible(to path: String?) throws(GodwitError) {
        guard (1...9).contains(level) else {
            throw GodwitError(.export, .usage, "\(level) is not a level of gzip", hint: "Choose a level from 1 to 9.")
        }
        guard maxShrinkPercent.map((0...100).contains) ?? true, minRecords.map({ $0 >= 0 }) ?? true else {
            throw GodwitError(
                .export, .usage, "the limits of an export are out of range",
                hint: Wording.text(
                    commandLine: "Give --max-shrink 0 to 100 percent, and --min-records a whole number.",
                    library: "Give `ExportOptions.minRecords` a number that is not negative."))
        }
        guard path != nil || !skipsUnchanged && maxShrinkPercent == nil else {
            throw GodwitError(
                .export, .usage, "an export to standard output has no earlier export to compare with",
                hint: "Name a file with -o: the export is compared with the newest export in its folder.")
        }
    }

    /// Throws (64) if an increment would replace its base.
    func requireBaseKept(_ path: String) throws(GodwitError) {
        guard let sincePath, let base = try FileStatus.of(sincePath), let target = try FileStatus.of(path),
            base.isSameFile(as: target)
        else { return }
        throw GodwitError(
            .export, .usage,
            "`\(path)` is the export that \(name: .since) names; the increment would be of no use without it",
            hint: "Give the increment another name.")
    }

    var form: ExportForm {
        ExportForm(layout: lines ? .lines : .document, gzipLevel: gzip ? level : nil)
    }
}

extension Warning {
    static let nothingToCompareWith = Warning(
        "nothingToCompareWith", "no earlier export in the folder, so whether the data shrank is not known",
        hint: "Keep this export: the next one is compared with it.")
    static var recordTooLong: Warning {
        Warning(
            "recordTooLong",
            "a record is longer than \(name: .restore) takes (64 MiB of JSON); other readers may take it",
            hint: "Store large blobs in files, and keep a copy of the store with this export.")
    }
}

extension Manifest {
    /// The manifest with the selected entities; 64 if it does not have one of them.
    func selected(_ options: ExportOptions) throws(GodwitError) -> Manifest {
        guard !options.entities.isEmpty else { return self }
        var chosen: [Entity] = []
        for name in options.entities {
            guard let entity = entity(named: name) else {
                let known = entities.map(\.name).joined(separator: ", ")
                throw GodwitError(
                    .export, .usage, "unknown entity '\(name)'",
                    hint: NearestName.hint(for: name, among: entities.map(\.name)) ?? "Use one of \(known).")
            }
            chosen.append(entity)
        }
        return selecting(chosen)
    }
}

extension ExportReport {
    /// The report of the written records and the options.
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
    /// Returns the error with the messages of warnings after its own.
    func adding(_ warnings: [Warning]) -> GodwitError {
        var error = self
        error.message = ([message] + warnings.map(\.message)).joined(separator: "; ")
        return error
    }
}
