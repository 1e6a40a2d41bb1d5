internal import GodwitCoreData
internal import GodwitFiles
internal import GodwitLegacy
package import GodwitModel
internal import GodwitPropertyList
internal import GodwitBackup
internal import GodwitExport
internal import GodwitInspect

/// Inspects a container, a store or a property list without a manifest: it reads only clones, and changes no byte.
package struct Inspector: Sendable {
    let path: String
    let options: InspectOptions

    /// An inspector of the container, store or property list at a path.
    package init(path: String, options: InspectOptions = .init()) {
        self.path = path
        self.options = options
    }

    /// Inspects what the path names.
    ///
    /// Throws `GodwitError` 66 if there is nothing, 65 if the one file that was named is damaged or nothing that
    /// Godwit reads. In a container such a file does not stop the others.
    package func inspect(
        cancellation: Cancellation = Cancellation(), progress: @escaping @Sendable (RunProgress) -> Void = { _ in }
    ) throws(GodwitError) -> InspectReport {
        let inspected = try look(cancellation: cancellation, progress: progress)
        var report = inspected.report
        if let fault = faultOfDrafting(inspected) {
            // An empty container says so itself.
            if !report.stores.isEmpty || !report.preferences.isEmpty {
                report.risks.append(
                    Warning("noManifest", "no manifest can be drafted: \(fault.message)", hint: fault.hint))
            }
        } else {
            report.nextSteps.append("Write a manifest for it: \(CommandLineText.godwit(["init", path]))")
        }
        return report
    }

    /// The same with all that a draft is made of.
    func look(
        cancellation: Cancellation, progress: @escaping @Sendable (RunProgress) -> Void
    ) throws(GodwitError) -> Inspected {
        let context = RunContext(
            now: options.now ?? SystemEnvironment.now, makeIdentifier: { SystemEnvironment.makeIdentifier() },
            cancellation: cancellation,
            lockTimeoutMilliseconds: options.lockTimeoutMilliseconds, progress: progress)
        guard let status = try FileStatus.of(path) else {
            throw GodwitError(
                .inspect, .noInput, "`\(path)` does not exist",
                hint: PathText.nearestHint(path) ?? "Name a container, a store or a property list.")
        }
        try requireNotMadeByGodwit(status)
        if status.isDirectory { return try InspectedContainer(self, context).look() }
        guard status.isRegularFile else {
            throw GodwitError(
                .inspect, .noInput, "`\(path)` is not a regular file",
                hint: "Name a container, a store or a property list.")
        }
        return try lookAtFile(context)
    }

    /// Throws (65) for an export or a backup of Godwit's own, and for a folder of backups.
    private func requireNotMadeByGodwit(_ status: FileStatus) throws(GodwitError) {
        if status.isRegularFile {
            guard let app = try? ExportStage.appOfExport(at: path) else { return }
            throw GodwitError(
                .inspect, .data, "`\(path)` is an export of \(app), which Godwit wrote",
                hint: "Build a store of it with `godwit import`, or name a container, a store or a property list.")
        }
        let inside = PathText.names(in: path).sorted().map { PathText.join(path, $0) }
        let found = ([path] + inside).lazy.compactMap { try? StoredBackup($0) }.first
        guard let found, !inside.contains(PathText.join(path, "Library")) else { return }
        throw GodwitError(
            .inspect, .data, "`\(found.folder)` is a backup of \(found.document.app), which Godwit made",
            hint: "Put it back with `godwit rollback`, or name a container.")
    }

    private func lookAtFile(_ context: RunContext) throws(GodwitError) -> Inspected {
        let head = ContainerWalk.head(of: path)
        var hasLog = false
        for suffix in ["-wal", "-journal"] where try FileStatus.ofLink(path + suffix) != nil { hasLog = true }
        let isText = head.starts(with: "bplist".utf8) || [0x3C, 0x7B, 0x5B, 0xEF].contains(head.first ?? 0)
        if head.starts(with: "SQLite format 3\0".utf8) || (hasLog && !isText) {
            let store = try storeInspector(context).inspect(path, name: path)
            var report = report(.store, context)
            report.stores = [store.report]
            return Inspected(report: report, stores: [store], files: [], container: nil)
        }
        guard isText || path.lowercased().hasSuffix(".plist") else {
            throw GodwitError(
                .inspect, .data, "`\(path)` is neither a SQLite store nor a property list",
                hint: "Name an SQLite store, a binary or XML property list, or JSON, complete and not encrypted.")
        }
        let (found, file) = try read(path, name: path, isSuite: false)
        var report = report(.preferences, context)
        report.preferences = [found]
        return Inspected(report: report, stores: [], files: [file], container: nil)
    }

    func report(_ kind: InspectedKind, _ context: RunContext) -> InspectReport {
        var report = InspectReport(
            path: path, kind: kind, groupContainers: options.groupContainers, godwitVersion: GodwitVersion.current,
            asOf: context.now)
        report.clock = options.now.map { SetClock(setBy: .now, time: $0) }
        return report
    }

    func storeInspector(_ context: RunContext) -> StoreInspector {
        StoreInspector(
            context: context, showsValues: options.showsValues,
            archives: CoreDataArchives { bytes in try? LegacyDocument(bytes).root })
    }

    /// A property list and its keys.
    func read(
        _ path: String, name: String, isSuite: Bool
    ) throws(GodwitError) -> (InspectedPreferences, LegacyFile) {
        let file = try LegacyFileReader().read(path)
        var found = InspectedPreferences(
            file: name, format: file.format, size: file.size, modifiedAt: file.modified, isSuite: isSuite)
        found.keys = KeyInspection(showsValues: options.showsValues).inspect(file)
        return (found, file)
    }
}

/// The result of an inspection: the report, and the facts that only a draft needs.
struct Inspected {
    var report: InspectReport
    /// In the order of the report's.
    var stores: [StoreInspection]
    /// Those that could be read, in the order of the report's.
    var files: [LegacyFile]
    /// Nil for a single file.
    var container: Container?
    /// Stores in folders that the system may clear.
    var cachedStores: [String] = []
}
