internal import GodwitFiles
package import GodwitModel
internal import GodwitInspect

/// How a manifest is drafted.
package struct InitOptions: Sendable {
    /// The store that is the local one; nil for the one with the most records.
    package var store: String?
    /// Whether nothing is written.
    package var isDryRun = false

    /// A draft that is written.
    package init(store: String? = nil, isDryRun: Bool = false) {
        self.store = store
        self.isDryRun = isDryRun
    }
}

/// A manifest and its first schema file from what an inspection finds.
extension Inspector {
    /// Writes `godwit.yaml` and `Migrations/V0001__….sql` into a folder, for the data at the path; it replaces no file.
    ///
    /// The draft is read back as `godwit plan` would read it, before it is written.
    ///
    /// Throws `GodwitError` 65 if nothing can be made of what is there, 66 if there is nothing, 73 if a file of
    /// that name is there or can't be made.
    package func writeManifest(
        into folder: String, options choices: InitOptions = .init(), cancellation: Cancellation = Cancellation(),
        progress: @escaping @Sendable (RunProgress) -> Void = { _ in }
    ) throws(GodwitError) -> InitReport {
        let target = DraftFolder(folder)
        try target.requireFree()
        let inspected = try look(cancellation: cancellation, progress: progress)
        if let container = inspected.container { try target.requireOutside(container) }
        let place = try DraftPlace(inspected, path: path, store: choices.store)
        var draft = try target.settle(place.subject, place.choice)
        let differences = try target.check(draft, against: place.choice)
        draft.leftOut += differences
        try cancellation.check(.inspect)
        let written = try choices.isDryRun ? target.paths(of: draft) : target.write(draft)
        var report = InitReport(
            path: path, godwitVersion: GodwitVersion.current, dryRun: choices.isDryRun, app: place.subject.app,
            local: place.subject.localPath, layout: place.choice.local?.report.layout ?? .empty,
            cloud: place.subject.cloudPath, container: place.container, written: written, entities: draft.entities,
            leftOut: draft.leftOut, risks: place.risks(of: draft),
            nextSteps: [
                "Read it, then see what a run would do: "
                    + CommandLineText.godwit(
                        ["plan", "-m", target.manifestPath, "-c", place.container]
                            + options.groupContainers.flatMap { ["--group-container", $0] }
                            + (differences.isEmpty ? [] : ["--baseline", "1"]))
            ])
        report.clock = inspected.report.clock
        return report
    }

    /// The reason why no manifest can be drafted; nil if one can.
    ///
    /// It makes the draft to find out, so that an inspection names `init` only if that works.
    func faultOfDrafting(_ inspected: Inspected) -> GodwitError? {
        do throws(GodwitError) {
            let place = try DraftPlace(inspected, path: path, store: nil)
            let target = DraftFolder(".")
            let draft = try target.settle(place.subject, place.choice)
            _ = try target.validate(draft, against: place.choice)
            return nil
        } catch {
            return error
        }
    }
}

/// The container that a manifest is drafted for, and the names of its files in it.
struct DraftPlace {
    let container: String
    let choice: StoreChoice
    let subject: DraftSubject
    /// Files that could not be read or listed, and may be the right ones.
    let unread: [Warning]

    init(_ inspected: Inspected, path: String, store: String?) throws(GodwitError) {
        let isFile = inspected.container == nil
        container = isFile ? PathText.directory(of: path) : path
        var stores = inspected.stores
        if isFile { for index in stores.indices { stores[index].report.file = PathText.lastPart(of: path) } }
        choice = try StoreChoice(stores, wanted: isFile ? nil : store)
        if let local = choice.local, let version = local.report.schemaVersion {
            throw GodwitError(
                .inspect, .data, "Godwit already migrated `\(local.report.file)` to version \(version)",
                hint: "Use the manifest and the schema files of that run: new ones would not fit its history.")
        }
        try choice.requireWritable()
        var files = inspected.report.preferences
        if isFile { for index in files.indices { files[index].file = PathText.lastPart(of: path) } }
        guard choice.local != nil || files.contains(where: { $0.format != nil }) else {
            if let store = stores.first {
                throw GodwitError(
                    .inspect, .data, "`\(store.report.file)` has no tables for a manifest",
                    hint: store.report.risks.first?.hint
                        ?? "Open the app once, so that it makes its tables, or name another folder.")
            }
            throw Self.nothingToDraft(inspected, path)
        }
        let preferences = PreferencesChoice(files, isFile: isFile)
        let app = Self.app(inspected, choice, path)
        let paths = preferences.listed.map(\.file)
        let localPath = choice.local?.report.file ?? Self.newStore(app, inspected)
        let taken = inspected.report.stores.map(\.file) + files.map(\.file) + [localPath]
        let cloudPath = choice.cloud?.report.file ?? StoreChoice.cloudPath(nextTo: localPath, taken: taken)
        var subject = DraftSubject(
            app: app, source: path, preferences: paths.isEmpty ? [Self.newPreferences(app, inspected)] : paths,
            inspected: preferences.listed, localPath: localPath, cloudPath: cloudPath, schemaFolder: "Migrations")
        subject.otherPreferences = preferences.others
        subject.unlistedPreferences = preferences.unlisted
        subject.conflicts = inspected.report.suiteConflicts.filter { conflict in
            Set(conflict.files.filter(paths.contains)).count > 1
        }
        subject.local = choice.local
        subject.cloud = choice.cloud
        subject.otherStores = choice.others
        self.subject = subject
        unread =
            UnreadFiles(inspected, localPath: choice.local?.report.file, files: files).warnings + preferences.warnings
    }

    /// Why there is nothing to draft from: the stores can't be read, or the system may remove them.
    private static func nothingToDraft(_ inspected: Inspected, _ path: String) -> GodwitError {
        if let backup = inspected.report.risks.first(where: { $0.code == "deviceBackup" }) {
            return GodwitError(.inspect, .noInput, backup.message, hint: backup.hint)
        }
        if let unread = inspected.report.preferences.first {
            let risk = unread.risks.first
            return GodwitError(
                .inspect, .data, risk?.message ?? "`\(unread.file)` could not be read",
                hint: risk?.hint ?? "Restore the file from a backup.")
        }
        if let cached = inspected.cachedStores.first {
            let count = inspected.cachedStores.count
            return GodwitError(
                .inspect, .noInput,
                "`\(path)` has only \(count == 1 ? "one store" : "\(count.grouped) stores") in caches or "
                    + "temporary folders: \(cached)\(count == 1 ? "" : " and others")",
                hint: "Name the store itself, if it has the app's data.")
        }
        return GodwitError(
            .inspect, .noInput, "no store and no property list in `\(path)`",
            hint: "Name the app's container: the folder that contains `Library/`.")
    }

    /// The risks for a plan or a run: of the stores in the manifest, and of their tables that are entities.
    func risks(of draft: Draft) -> [Warning] {
        let ofStores = ["walMissing", "walDamaged", "walTruncated", "secondName", "triggers", "valuesNotRead"]
        let left = choice.local.map { store in
            store.report.entities.map(\.name).filter { name in !draft.entities.contains { $0.name == name } }
        }
        return unread + choice.warnings
            + [choice.local, choice.cloud].compactMap(\.self).flatMap { store in
                store.report.risks.filter { risk in
                    if ofStores.contains(risk.code) { return true }
                    return risk.code == "keyNotUnique"
                        && left?.contains { risk.message.hasPrefix("\($0).") } != true
                }
            }
    }

    private static func app(_ inspected: Inspected, _ choice: StoreChoice, _ path: String) -> String {
        let given = PathText.lastPart(of: inspected.container?.root ?? path)
        let candidates = [
            inspected.report.bundleIdentifier.map { String($0.split(separator: ".").last ?? "") },
            choice.local.map { NamedFile($0.report.file).stem },
            inspected.report.preferences.first { $0.isSuite && $0.format != nil }.flatMap { suite in
                NamedFile(suite.file).stem.split(separator: ".").last.map(String.init)
            },
            NamedFile(given).stem,
        ]
        let name = candidates.compactMap(\.self).first { name in
            !name.isEmpty && !name.unicodeScalars.contains { $0.properties.generalCategory == .control }
        }
        return name ?? "App"
    }

    private static func isSandbox(_ inspected: Inspected) -> Bool {
        inspected.container.map { $0.layout != .folder } ?? false
    }

    private static func newStore(_ app: String, _ inspected: Inspected) -> String {
        (isSandbox(inspected) ? "Library/Application Support/" : "") + plain(app) + ".store"
    }

    private static func newPreferences(_ app: String, _ inspected: Inspected) -> String {
        guard isSandbox(inspected) else { return plain(app) + ".plist" }
        return "Library/Preferences/" + (inspected.report.bundleIdentifier ?? plain(app)) + ".plist"
    }

    /// A name as a part of a path may be.
    private static func plain(_ name: String) -> String {
        // By scalars: with a mark behind it a slash is another character, but parts a path all the same. 60 of them
        // leave room for an ending in the 255 bytes that a part may have.
        let most = 60
        let digest = name.unicodeScalars.count > most ? "-" + sha256Hex(Array(name.utf8)).prefix(8) : ""
        var safe = ""
        for scalar in name.unicodeScalars.prefix(most - digest.count) {
            safe.unicodeScalars.append(scalar == "/" || scalar == "\\" ? "-" : scalar)
        }
        // Of two names that begin alike, what is left is still different.
        safe += digest
        let isReserved = safe.lowercased().utf8.starts(with: ".godwit-".utf8)
        return [".", "..", "~"].contains(safe) || isReserved ? "App" : safe
    }
}
