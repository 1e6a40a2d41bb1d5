internal import GodwitFiles
package import GodwitModel
internal import GodwitExport

/// Applies a retention policy to the exports in a folder.
///
/// Invariant: a file is removed only after it was read to its end as an export of Godwit, and only if it is still the
/// very same file then. Other files stay under every name; links stay, and their targets. Increments go before what
/// they are made from, so that one that is stopped leaves no increment without its base.
package struct ExportRetention: Sendable {
    private let folder: String
    private let options: RetentionOptions

    package init(folder: String, options: RetentionOptions) {
        self.folder = folder
        self.options = options
    }

    /// Applies the policy, and removes the exports that no rule keeps.
    ///
    /// - Throws: 66 if the folder does not exist, 75 if an export into it does not end, 77 or 74 if a file cannot be
    ///   removed; earlier files stay removed.
    package func apply(
        cancellation: Cancellation = Cancellation(), progress: @escaping @Sendable (RunProgress) -> Void = { _ in }
    ) throws(GodwitError) -> ForgetReport {
        let context = RunContext(
            now: options.now ?? SystemEnvironment.now, makeIdentifier: { SystemEnvironment.makeIdentifier() },
            cancellation: cancellation,
            lockTimeoutMilliseconds: options.lockTimeoutMilliseconds, progress: progress)
        guard try FileStatus.of(folder)?.isDirectory == true else {
            throw GodwitError(
                .forget, .noInput, "no folder at `\(folder)`",
                hint: PathText.nearestHint(folder) ?? "Name a folder of exports.")
        }
        // No export into the folder runs at the same time.
        let lock = try ContainerLock(folder, mode: options.isDryRun ? .shared : .exclusive, context: context)
        defer { _ = lock.place }
        var (whole, leftAlone) = (try read(context), [String]())
        leftAlone = whole.filter { !$0.isWhole }.map(\.name)
        whole.removeAll { !$0.isWhole }
        let byName = Dictionary(whole.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let plan = RetentionPlan(
            whole.map(\.candidate), options.policy, now: context.now, latest: try latest())
        func entries(_ decisions: [RetentionPlan.Decision]) -> [RetainedExport] {
            decisions.compactMap { decision in byName[decision.export.name]?.entry(decision.reasons) }
        }
        var going = plan.decisions.filter { !$0.isKept }
        if !options.isDryRun {
            let ordered = going.filter { $0.export.baseId != nil } + going.filter { $0.export.baseId == nil }
            let changed = try removeAll(ordered.compactMap { byName[$0.export.name] }, context)
            leftAlone += changed
            going.removeAll { changed.contains($0.export.name) }
        }
        var report = ForgetReport(
            godwitVersion: GodwitVersion.current, folder: folder, dryRun: options.isDryRun,
            policy: options.policy.words, kept: entries(plan.decisions.filter(\.isKept)), removed: entries(going),
            leftAlone: leftAlone.sorted())
        report.clock = options.now.map { SetClock(setBy: .now, time: $0) }
        return report
    }

    /// All exports of the folder, each read to its end.
    private func read(_ context: RunContext) throws(GodwitError) -> [Found] {
        let exports = try EarlierExport.all(in: folder, context: context)
        var found: [Found] = []
        for (number, export) in exports.enumerated() {
            context.progress(RunProgress(stage: .forget, completed: Int64(number), total: Int64(exports.count)))
            try context.cancellation.check(.forget)
            // Its state before it was read: a file that changes later is not the one that was read.
            guard let status = try FileStatus.ofLink(export.path) else { continue }
            let isWhole = try export.readWhole(context) != nil
            found.append(
                Found(
                    name: PathText.lastPart(of: export.path), header: export.header, status: status, isWhole: isWhole))
        }
        return found
    }

    /// Removes what was decided on, in this order.
    ///
    /// - Returns: the names of those that were changed since they were read, and stay.
    private func removeAll(_ exports: [Found], _ context: RunContext) throws(GodwitError) -> [String] {
        var changed: [String] = []
        for export in exports {
            try context.cancellation.check(.forget)
            let path = PathText.join(folder, export.name)
            if try !OwnFiles.removeExport(path, export.status) { changed.append(export.name) }
        }
        if !exports.isEmpty { try AtomicFile.flushDirectory(of: PathText.join(folder, "x")) }
        return changed
    }

    /// The targets of the folder's links `latest…`.
    private func latest() throws(GodwitError) -> Set<String> {
        var names: Set<String> = []
        guard let own = PathText.real(folder) else { return names }
        for name in try PathText.allNames(in: folder, stage: .forget) where name.hasPrefix("latest") {
            let path = PathText.join(folder, name)
            guard try FileStatus.ofLink(path)?.isSymbolicLink == true, let place = PathText.real(path),
                PathText.directory(of: place) == own
            else { continue }
            names.insert(PathText.lastPart(of: place))
        }
        return names
    }

    /// An export of the folder.
    private struct Found {
        let name: String
        let header: DocumentHeader
        let status: FileStatus
        let isWhole: Bool

        var candidate: RetentionCandidate {
            RetentionCandidate(
                name: name, app: header.app, exportId: header.exportId, exportedAt: header.exportedAt,
                baseId: header.since?.exportId, selection: (header.selection ?? []).joined(separator: "\u{0}"),
                source: (header.store?.rawValue ?? "") + " " + (header.environment?.rawValue ?? ""))
        }

        func entry(_ reasons: [String]) -> RetainedExport {
            RetainedExport(
                file: name, app: header.app, selection: header.selection, isIncrement: header.since != nil,
                exportedAt: header.exportedAt, bytes: status.size, reasons: reasons)
        }
    }
}

/// How a retention policy is applied.
package struct RetentionOptions: Sendable {
    /// Which exports stay.
    package var policy: RetentionPolicy
    /// Whether nothing is removed.
    package var isDryRun = false
    /// How long to wait for an export into the folder, in milliseconds.
    package var lockTimeoutMilliseconds = 30_000
    /// The time to go by; nil for the clock.
    package var now: Instant?

    package init(policy: RetentionPolicy) { self.policy = policy }
}
