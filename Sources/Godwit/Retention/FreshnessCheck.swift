internal import GodwitFiles
package import GodwitModel
internal import GodwitExport
internal import GodwitSync

/// Judges how stale exports are as of now, from what they hold: files one by one, and of a folder the newest of each
/// series.
///
/// Needs no manifest and changes nothing. A series is the exports of one app with one selection of entities; an
/// increment belongs to it as long as the export is there that it only says the differences from.
package struct FreshnessCheck: Sendable {
    private let paths: [String]
    private let options: FreshnessOptions

    /// A check of files and folders.
    package init(paths: [String], options: FreshnessOptions = .init()) {
        self.paths = paths
        self.options = options
    }

    /// The results, in the order of the paths.
    ///
    /// Missing or damaged exports are findings, and do not stop the check. Throws `GodwitError` 77 if a folder may not
    /// be read, and 130 or 143 when it is cancelled.
    package func check(
        cancellation: Cancellation = Cancellation(), progress: @escaping @Sendable (RunProgress) -> Void = { _ in }
    ) throws(GodwitError) -> FreshnessReport {
        let context = RunContext(
            now: options.now ?? SystemEnvironment.now, makeIdentifier: { SystemEnvironment.makeIdentifier() },
            cancellation: cancellation,
            lockTimeoutMilliseconds: 0, progress: progress)
        let recheck = FreshnessRecheck(
            now: context.now, warnAfter: options.warnAfter, errorAfter: options.errorAfter)
        var entries: [ExportFreshness] = []
        for (number, path) in paths.enumerated() {
            progress(RunProgress(stage: .freshness, completed: Int64(number), total: Int64(paths.count)))
            entries += try entriesOf(path, recheck, context)
        }
        var report = FreshnessReport(godwitVersion: GodwitVersion.current, asOf: context.now, exports: entries)
        report.clock = options.now.map { SetClock(setBy: .now, time: $0) }
        return report
    }

    private func entriesOf(
        _ path: String, _ recheck: FreshnessRecheck, _ context: RunContext
    ) throws(GodwitError) -> [ExportFreshness] {
        guard let status = try FileStatus.of(path) else {
            return [recheck.judge(path: path, without: FreshnessFinding(.missing, "The path does not exist."))]
        }
        guard status.isDirectory else { return [try judge(file: path, recheck, context)] }
        let found = try EarlierExport.all(in: path, context: context)
        // Ignores a file of that name that is not an index, or that cannot be read.
        let index = try? ExportIndex(of: path, stage: .freshness)
        guard !found.isEmpty else {
            return [
                recheck.judge(path: path, without: FreshnessFinding(.missing, "There is no export in this folder."))
            ]
        }
        var entries: [ExportFreshness] = []
        for series in ExportSeries.all(found) {
            try context.cancellation.check(.freshness)
            entries.append(try judge(series, in: path, index, recheck, context))
        }
        return entries
    }

    private func judge(
        file path: String, _ recheck: FreshnessRecheck, _ context: RunContext
    ) throws(GodwitError) -> ExportFreshness {
        let export: EarlierExport
        do throws(GodwitError) {
            export = try EarlierExport(path, context)
        } catch {
            try context.cancellation.check(.freshness)
            return recheck.judge(path: path, without: FreshnessFinding(.unreadable, error.message))
        }
        let isWhole = try export.readWhole(context) != nil
        var entry = recheck.judge(
            path: path, exportedAt: export.header.exportedAt, recorded: export.header.freshness,
            further: isWhole ? [] : [.notWhole(path)])
        entry.name(export)
        entry.lastSuccessAt = isWhole ? export.header.exportedAt : nil
        return entry
    }

    /// Judges the newest export that can be restored; newer exports that cannot are findings.
    ///
    /// An export that is dated in the future decides only if there is no other.
    private func judge(
        _ series: ExportSeries, in folder: String, _ index: ExportIndex?, _ recheck: FreshnessRecheck,
        _ context: RunContext
    ) throws(GodwitError) -> ExportFreshness {
        let attempt = index?.last(app: series.app, selection: series.selection)
        var further = attempt.flatMap { $0.outcome == .failed ? FreshnessFinding(failed: $0) : nil }.map { [$0] } ?? []
        let ahead = series.exports.filter { $0.header.exportedAt.isAhead(of: context.now) }
        let timely = series.exports.filter { !$0.header.exportedAt.isAhead(of: context.now) }
        if !timely.isEmpty, !ahead.isEmpty { further.append(.passedOver(ahead)) }
        for export in timely + ahead {
            try context.cancellation.check(.freshness)
            let name = PathText.lastPart(of: export.path)
            if let since = export.header.since {
                guard let base = series.base(since), try base.readWhole(context) != nil else {
                    further.append(.baseMissing(name))
                    continue
                }
            }
            guard try export.readWhole(context) != nil else {
                further.append(.notWhole(name))
                continue
            }
            var entry = recheck.judge(
                path: folder, exportedAt: export.header.exportedAt, recorded: export.header.freshness,
                further: further)
            entry.name(export)
            entry.lastSuccessAt = export.header.exportedAt
            entry.lastAttemptAt = attempt?.at
            return entry
        }
        var entry = recheck.judge(
            path: folder, without: FreshnessFinding(.missing, "No export of the series is whole."))
        entry.findings = (entry.findings + further).inOrder
        (entry.app, entry.selection, entry.lastAttemptAt) = (series.app, series.selection, attempt?.at)
        return entry
    }
}

/// The options of a freshness check.
package struct FreshnessOptions: Sendable {
    /// The time that ages are counted to; nil for the clock.
    package var now: Instant?
    /// The age from which data may be stale; nil to use the limit in each export.
    package var warnAfter: Span?
    /// The age from which data is stale; nil to use the limit in each export.
    package var errorAfter: Span?

    /// The clock's time, and each export's own criteria.
    package init() {}
}

/// The exports of one app with one selection of entities, the newest first.
struct ExportSeries {
    let app: String
    let selection: [String]?
    private(set) var exports: [EarlierExport]

    /// By app, then by selection, all before a part.
    static func all(_ found: [EarlierExport]) -> [ExportSeries] {
        var series: [ExportSeries] = []
        for export in found {
            let header = export.header
            if let place = series.firstIndex(where: {
                $0.app.utf8.elementsEqual(header.app.utf8) && $0.selection == header.selection
            }) {
                series[place].exports.append(export)
            } else {
                series.append(ExportSeries(app: header.app, selection: header.selection, exports: [export]))
            }
        }
        return series.sorted { a, b in
            guard a.app.utf8.elementsEqual(b.app.utf8) else { return a.app < b.app }
            return (a.selection ?? []).lexicographicallyPrecedes(b.selection ?? [])
        }
    }

    /// The export that an increment only says the differences from.
    func base(_ origin: DocumentOrigin) -> EarlierExport? {
        exports.first {
            $0.header.since == nil && $0.header.exportId == origin.exportId
                && $0.header.contentVersion == origin.contentVersion
        }
    }
}

extension ExportFreshness {
    fileprivate mutating func name(_ export: EarlierExport) {
        file = export.path
        app = export.header.app
        selection = export.header.selection
        exportId = export.header.exportId
    }
}

extension FreshnessFinding {
    fileprivate init(failed attempt: ExportAttempt) {
        let code = attempt.code.map { " (exit \($0))" } ?? ""
        self.init(
            .attemptFailed, "The last attempt to export failed\(code): \(attempt.message ?? "the cause is not known").")
    }

    fileprivate static func notWhole(_ name: String) -> FreshnessFinding {
        FreshnessFinding(.notWhole, "\(name) is not whole: it was cut, edited, or never finished.")
    }

    fileprivate static func passedOver(_ ahead: [EarlierExport]) -> FreshnessFinding {
        FreshnessFinding(.exportedInFuture, EarlierExport.wordsForAhead(ahead))
    }

    fileprivate static func baseMissing(_ name: String) -> FreshnessFinding {
        FreshnessFinding(
            .baseMissing, "\(name) only says what changed since an export that is not here whole; nothing restores it.")
    }
}
