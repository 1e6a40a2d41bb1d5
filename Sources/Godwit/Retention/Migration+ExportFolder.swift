internal import GodwitFiles
package import GodwitModel
internal import GodwitExport

extension Migration {
    /// Exports the active store into a folder of exports: a new file named by app and time, the link `latest` to it,
    /// and a line in the folder's index.
    ///
    /// Exports into one folder never run at once. The export gets its name first. If the command is stopped then, the
    /// link and the index have the earlier export until the next one. A failure is noted in the index as well.
    ///
    /// - Throws: 66 if the folder does not exist, 75 if another export into it is running, and the errors of an export.
    package func export(
        into folder: String, options export: ExportOptions, cancellation: Cancellation = Cancellation(),
        progress: @escaping @Sendable (RunProgress) -> Void = { _ in },
        faultPoint: @escaping @Sendable (FaultPoint) throws(GodwitError) -> Void = { _ throws(GodwitError) in }
    ) throws(GodwitError) -> ExportReport {
        let context = makeContext(cancellation, progress, faultPoint)
        try requireFolder(folder)
        // A mistake on the command line is not an attempt: the index would report it until the next export.
        _ = try manifest.selected(export)
        let lock = try ContainerLock(folder, mode: .exclusive, context: context)
        if !export.isDryRun { OwnFiles.removeLinks(in: folder) }
        var (index, warning) = try readIndex(of: folder)
        let earlier = index?.lastExport(app: manifest.app, selection: try selection(of: export))
        var attempt = ExportAttempt(
            at: context.now, outcome: .failed, app: manifest.app, selection: try selection(of: export))
        let name = ExportName(
            app: manifest.app, selection: attempt.selection, isIncrement: export.sincePath != nil,
            layout: export.lines ? .lines : .document, isPacked: export.gzip)
        do throws(GodwitError) {
            let path = try freePath(name, in: folder, context)
            var report = try self.export(to: path, export, context)
            report.warnings += [warning, storeChange(earlier, in: folder, report, context)].compactMap(\.self)
            guard !export.isDryRun else { return report }
            attempt.outcome = report.unchangedSince == nil ? .exported : .unchanged
            if let written = report.file ?? report.unchangedSince {
                try attempt.take(report, try EarlierExport(written, context))
            }
            // Also where nothing new was written: an earlier export may have been stopped before its link.
            if let newest = report.file ?? report.unchangedSince, export.sincePath == nil {
                try link(newest, in: folder, attempt.selection, index, context, &report)
            }
            try index?.record(attempt, context)
            _ = consume lock
            return report
        } catch {
            // The index keeps the cause for the next scheduled attempt. An attempt that was stopped found nothing
            // wrong: the entry before it stays.
            if !export.isDryRun, error.code != .interrupted, error.code != .terminated {
                (attempt.outcome, attempt.code, attempt.message) = (.failed, error.code.rawValue, error.message)
                try? index?.record(attempt, context)
            }
            throw error
        }
    }

    /// Notes in the folder's index that nothing was to be exported, for a caller who knows that without opening a
    /// store.
    ///
    /// - Parameter path: the complete export in the folder.
    /// - Returns: whether it was noted; false if the index does not have the export, or has a later failure.
    /// - Throws: 66 if the folder does not exist, 75 if an export into it is running, 74 or 77 if the index cannot be
    ///   written.
    package func noteUnchanged(
        since path: String, into folder: String, options export: ExportOptions,
        cancellation: Cancellation = Cancellation()
    ) throws(GodwitError) -> Bool {
        let context = makeContext(cancellation, { _ in })
        try requireFolder(folder)
        let lock = try ContainerLock(folder, mode: .exclusive, context: context)
        guard var index = try readIndex(of: folder).0 else { return false }
        let selection = try selection(of: export)
        let link = PathText.join(folder, ExportName.latest(selection: selection))
        guard var attempt = index.last(app: manifest.app, selection: selection), attempt.outcome != .failed,
            attempt.file == PathText.lastPart(of: path), try FileStatus.ofLink(path)?.isRegularFile == true,
            PathText.destination(of: link) == attempt.file
        else { return false }
        (attempt.at, attempt.outcome) = (context.now, .unchanged)
        (attempt.bytes, attempt.sha256, attempt.counts) = (nil, nil, nil)
        try index.record(attempt, identifier: context.makeIdentifier())
        _ = consume lock
        return true
    }

    /// Throws (66) if there is no such folder, and 73 where it is the container.
    package func requireFolder(_ folder: String) throws(GodwitError) {
        guard let status = try FileStatus.of(folder) else {
            throw GodwitError(
                .export, .noInput, "no folder at `\(folder)`",
                hint: "Make it first, or mount its volume.")
        }
        guard status.isDirectory else {
            throw GodwitError(.export, .noInput, "`\(folder)` is not a folder", hint: "Name a folder of exports.")
        }
        guard try FileStatus.of(location)?.isSameFile(as: status) != true else {
            throw GodwitError(
                .export, .cannotCreate, "`\(folder)` is the container itself",
                hint: "Choose a folder outside of the container.")
        }
    }

    /// Throws what any export with these options would: 64 for an entity that the manifest has not, 65 or 66 for an
    /// earlier export that can't be read.
    package func requireExportable(_ export: ExportOptions) throws(GodwitError) {
        _ = try manifest.selected(export)
        if let since = export.sincePath { _ = try EarlierExport(since, makeContext(Cancellation(), { _ in })) }
    }

    /// The entities that were asked for in the manifest's order; nil for all.
    private func selection(of export: ExportOptions) throws(GodwitError) -> [String]? {
        let wanted = manifest.entities.map(\.name).filter(export.entities.contains)
        return wanted.isEmpty || wanted.count == manifest.entities.count ? nil : wanted
    }

    /// A name that nothing has yet.
    private func freePath(
        _ name: ExportName, in folder: String, _ context: RunContext
    ) throws(GodwitError) -> String {
        for number in 1...1000 {
            let path = PathText.join(folder, name.name(at: context.now, number: number))
            if try FileStatus.ofLink(path, unusable: .cannotCreate) == nil { return path }
        }
        throw GodwitError(
            .export, .cannotCreate, "`\(folder)` already has 1,000 exports of this second",
            hint: "Wait a second, or stop the process that makes them.")
    }

    /// Changes the link `latest` to a new export, except if it is not a link of this app's exports.
    private func link(
        _ path: String, in folder: String, _ selection: [String]?, _ index: ExportIndex?, _ context: RunContext,
        _ report: inout ExportReport
    ) throws(GodwitError) {
        let link = PathText.join(folder, ExportName.latest(selection: selection))
        do throws(GodwitError) {
            if try FileStatus.of(link) != nil, try !isKnown(link, in: folder, index) {
                guard let app = try ExportStage.appOfExport(at: link), app.utf8.elementsEqual(manifest.app.utf8) else {
                    throw GodwitError(
                        .export, .cannotCreate,
                        "`\(link)` is a link to something other than an export of \(manifest.app)",
                        hint: "Give each app its own folder.")
                }
            }
            try AtomicFile.link(
                link, to: PathText.lastPart(of: path), identifier: context.makeIdentifier(), stage: .export)
            report.latest = link
        } catch  where [.cannotCreate, .permission, .noInput].contains(error.code) {
            // Some file systems have no links, and a file of another program stays.
            report.warnings.append(
                Warning(
                    "latestNotUpdated", "the link to the newest export was not updated: \(error.message)",
                    hint: error.hint))
        } catch {
            throw error.afterExport
        }
    }

    /// Whether the target of a link is an export of this app in the folder's index, also if that file does not exist.
    private func isKnown(_ link: String, in folder: String, _ index: ExportIndex?) throws(GodwitError) -> Bool {
        guard let index, try FileStatus.ofLink(link)?.isSymbolicLink == true, let place = PathText.real(link),
            PathText.directory(of: place) == PathText.real(folder)
        else { return false }
        return index.attempts.contains { attempt in
            attempt.app.utf8.elementsEqual(manifest.app.utf8) && attempt.file == PathText.lastPart(of: place)
        }
    }

    /// The folder's index; nil, and a warning, where something else has its name: no export depends on it.
    private func readIndex(of folder: String) throws(GodwitError) -> (ExportIndex?, Warning?) {
        do throws(GodwitError) {
            return (try ExportIndex(of: folder, stage: .export), nil)
        } catch  where error.code == .cannotCreate {
            return (
                nil,
                Warning(
                    "indexNotKept", "\(error.message); attempts are not recorded, and failures can't be reported",
                    hint: "Move this file away.")
            )
        }
    }

    /// Warns that the export before this one was of the other store: readers of the newest one must know.
    private func storeChange(
        _ earlier: String?, in folder: String, _ report: ExportReport, _ context: RunContext
    ) -> Warning? {
        guard let name = earlier, let before = try? EarlierExport(PathText.join(folder, name), context),
            let store = before.header.store, store != report.store
        else { return nil }
        return Warning(
            "storeChanged",
            "this is an export of the \(report.store.rawValue) store, but the one before, `\(name)`, is of "
                + "the \(store.rawValue) store",
            hint: "Keep the earlier export, and see in \(name: .status) why the active store changed.")
    }
}

extension ExportIndex {
    fileprivate mutating func record(_ attempt: ExportAttempt, _ context: RunContext) throws(GodwitError) {
        do throws(GodwitError) {
            try record(attempt, identifier: context.makeIdentifier())
        } catch {
            throw error.afterExport
        }
    }
}

extension GodwitError {
    /// The error of updating the link and the index after the export was written.
    fileprivate var afterExport: GodwitError {
        var failure = self
        failure.hint = "Run the same command again: the export itself exists."
        return failure
    }
}

extension ExportAttempt {
    /// Records the written export, or the equal export that makes it unnecessary.
    fileprivate mutating func take(_ report: ExportReport, _ export: EarlierExport) throws(GodwitError) {
        file = PathText.lastPart(of: export.path)
        exportId = export.header.exportId
        freshness = report.freshness.status
        guard outcome == .exported else { return }
        (bytes, sha256, counts) = (report.bytes, report.sha256, report.counts)
    }
}
