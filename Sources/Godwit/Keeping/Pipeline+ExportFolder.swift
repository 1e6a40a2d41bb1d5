internal import GodwitExport
package import GodwitModel
internal import GodwitStore

extension Pipeline {
    /// Exports the active store into a folder of exports: a new file called by app and time, the link `latest` to it, and a
    /// line in the folder's index.
    ///
    /// Exports into one folder never run at once. The export is put in place first; should the command be stopped then, the
    /// link and the index are one behind until the next one. A failure is noted in the index as well.
    ///
    /// - Throws: 66 where there is no such folder, 75 where another export into it is at work, and what an export throws.
    package func export(
        into folder: String, options export: ExportOptions, cancellation: Cancellation = Cancellation(),
        progress: @escaping @Sendable (Progress) -> Void = { _ in },
        faultPoint: @escaping @Sendable (FaultPoint) throws(GodwitError) -> Void = { _ throws(GodwitError) in }
    ) throws(GodwitError) -> ExportReport {
        let context = makeContext(cancellation, progress, faultPoint)
        try requireFolder(folder)
        let lock = try ContainerLock(folder, mode: .exclusive, context: context)
        if !export.isDryRun { OwnFiles.removeLinks(in: folder) }
        var index = try ExportIndex(of: folder, stage: .export)
        var attempt = ExportAttempt(
            at: context.now, outcome: .failed, app: manifest.app, selection: try selection(of: export))
        let name = ExportName(
            app: manifest.app, selection: attempt.selection, isIncrement: export.since != nil,
            layout: export.lines ? .lines : .document, isPacked: export.gzip)
        do throws(GodwitError) {
            let path = try freePath(name, in: folder, context)
            var report = try self.export(to: path, export, context)
            guard !export.isDryRun else { return report }
            attempt.outcome = report.unchangedSince == nil ? .exported : .unchanged
            if let written = report.file ?? report.unchangedSince {
                try attempt.take(report, try EarlierExport(written, context))
            }
            // Also where nothing new was written: an earlier export may have been stopped before its link.
            if let newest = report.file ?? report.unchangedSince, export.since == nil {
                try link(newest, in: folder, attempt.selection, context, &report)
            }
            try note(attempt, in: &index, context)
            _ = consume lock
            return report
        } catch {
            // The clock's next attempt tells of this one; it must not hide why.
            if !export.isDryRun {
                (attempt.outcome, attempt.code, attempt.message) = (.failed, error.code.rawValue, error.message)
                try? index.record(attempt, identifier: context.makeIdentifier())
            }
            throw error
        }
    }

    private func requireFolder(_ folder: String) throws(GodwitError) {
        guard let status = try FileStatus.of(folder), status.isDirectory else {
            throw GodwitError(
                .export, .noInput, "There is no folder \(folder).",
                hint: "Make it first: a folder that is missing may be a volume that is not mounted.")
        }
        guard try FileStatus.of(location)?.isSameFile(as: status) != true else {
            throw GodwitError(
                .export, .cannotCreate, "\(folder) is the container itself.",
                hint: "Choose a folder beside it: the container is the app's.")
        }
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
            .export, .cannotCreate, "\(folder) has a thousand exports of this second already.",
            hint: "Wait a second, or look what makes them.")
    }

    /// Lets the link `latest` lead to a new export, unless it is not the link of this app's exports.
    private func link(
        _ path: String, in folder: String, _ selection: [String]?, _ context: RunContext,
        _ report: inout ExportReport
    ) throws(GodwitError) {
        let link = PathText.join(folder, ExportName.latest(selection: selection))
        do throws(GodwitError) {
            if try FileStatus.of(link) != nil {
                guard let app = try ExportStage.appOfExport(at: link), app.utf8.elementsEqual(manifest.app.utf8) else {
                    throw GodwitError(
                        .export, .cannotCreate, "\(link) leads to something else than an export of \(manifest.app).",
                        hint: "Give each app a folder of its own.")
                }
            }
            try AtomicFile.link(
                link, to: PathText.lastPart(of: path), identifier: context.makeIdentifier(), stage: .export)
            report.latest = link
        } catch  where error.code == .cannotCreate || error.code == .permission {
            // Some file systems know no links, and what is somebody else's stays.
            report.warnings.append(
                Warning(
                    "latestNotUpdated", "The link to the newest export was not updated: \(error.message)",
                    hint: error.hint))
        } catch {
            throw error.afterExport
        }
    }

    private func note(
        _ attempt: ExportAttempt, in index: inout ExportIndex, _ context: RunContext
    ) throws(GodwitError) {
        do throws(GodwitError) {
            try index.record(attempt, identifier: context.makeIdentifier())
        } catch {
            throw error.afterExport
        }
    }
}

extension GodwitError {
    /// What is left to do is the folder's own books: said, since the export is there.
    fileprivate var afterExport: GodwitError {
        var failure = self
        failure.hint = "The export itself is there, or was there already. Run the same command again."
        return failure
    }
}

extension ExportAttempt {
    /// What was written, or what makes it superfluous.
    fileprivate mutating func take(_ report: ExportReport, _ export: EarlierExport) throws(GodwitError) {
        file = PathText.lastPart(of: export.path)
        exportId = export.header.exportId
        freshness = report.freshness.status
        guard outcome == .exported else { return }
        (bytes, sha256, counts) = (report.bytes, report.sha256, report.counts)
    }
}
