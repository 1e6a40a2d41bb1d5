internal import GodwitFiles
internal import GodwitModel
internal import GodwitExport

/// The exports in the folder of the next export, if an option compares with them.
struct EarlierExports {
    /// The newest first, without those that are dated in the future: a wrong clock must not decide until that day.
    private let found: [EarlierExport]
    /// Those that are dated in the future.
    private let ahead: [EarlierExport]

    /// - Parameter selection: the entities that were asked for; nil for all.
    init(
        besides path: String?, _ options: ExportOptions, selection: [String]?, environment: Manifest.Environment?,
        _ scope: RunScope
    ) throws(GodwitError) {
        guard let path, options.skipsUnchanged || options.maxShrinkPercent != nil else {
            (found, ahead) = ([], [])
            return
        }
        let all = try EarlierExport.all(
            in: PathText.directory(of: path), app: scope.manifest.app, selection: selection,
            environment: environment, context: scope.context)
        let now = scope.context.now
        found = all.filter { !$0.header.exportedAt.isAhead(of: now) }
        ahead = all.filter { $0.header.exportedAt.isAhead(of: now) }
    }

    /// That some decide nothing because they are dated in the future.
    var warnings: [Warning] {
        ahead.isEmpty
            ? []
            : [
                Warning(
                    "exportAhead", EarlierExport.wordsForAhead(ahead),
                    hint: "Correct the clock that dated it, and move the file to another folder.")
            ]
    }

    /// Records by entity of the newest that is whole, and its path.
    func newestWhole(
        _ context: RunContext
    ) throws(GodwitError) -> (counts: [String: Int64], name: String)? {
        for export in found where export.header.since == nil {
            if let summary = try export.readWhole(context) { return (summary.counts, export.path) }
        }
        return nil
    }

    /// The facts of the new export that an equal export must also have.
    struct Made {
        let header: ExportHeader
        let contentVersion: String
        let sha256: String
    }

    /// The path of an earlier export with the same content; nil if a new export must be written.
    ///
    /// This is the newest complete export, or for an increment also one with the same base. It must be intact, and no
    /// newer export may have other content.
    func newestWhole(like made: Made, _ context: RunContext) throws(GodwitError) -> String? {
        for export in found {
            guard export.isAsGood(as: made) else {
                guard export.header.contentVersion == made.contentVersion else { return nil }
                continue
            }
            guard export.header.contentVersion == made.contentVersion, export.header.isOfSameShape(as: made.header),
                let read = try export.readWhole(context)
            else { return nil }
            // The hash of a whole export is its content version, unless only its header was edited.
            return read.sha256 == (export.header.since == nil ? made.contentVersion : made.sha256) ? export.path : nil
        }
        return nil
    }
}

extension EarlierExport {
    /// Whether it has the same extent as the new export: complete, or the changes since the same base.
    fileprivate func isAsGood(as made: EarlierExports.Made) -> Bool {
        guard let since = header.since else { return true }
        guard let other = made.header.since else { return false }
        return since.exportId == other.exportId && since.contentVersion == other.contentVersion
    }
}

extension DocumentHeader {
    /// Whether the app's data had the same shape, and its own marks were the same.
    fileprivate func isOfSameShape(as other: ExportHeader) -> Bool {
        schemaVersion == other.schemaVersion && schemaMigration == other.schemaMigration && marks == other.marks
    }
}
