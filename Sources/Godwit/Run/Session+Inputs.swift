internal import GodwitFiles
internal import GodwitLedger
internal import GodwitModel
internal import GodwitPropertyList
internal import GodwitSQLite

/// What a manifest names and a container does not have: found ahead of the first write, since a wrong path looks like an app
/// that has stored nothing.
extension Session {
    /// Throws (66) for a folder with none of the manifest's files and none of the folders that these would be in.
    ///
    /// An app's own sandbox is the right one, however empty.
    func requireFilesOrFolders() throws(GodwitError) {
        guard files.container.given != SystemEnvironment.home else { return }
        let entries = files.preferences + [files.local, files.cloud] + [files.syncEvents].compactMap(\.self)
        for entry in entries where try entry.exists() { return }
        let folders = entries.map { PathText.directory(ofRelative: $0.name) }
        for place in files.container.places {
            for folder in folders {
                guard let folder else { return }
                if try FileStatus.of(PathText.join(place, folder))?.isDirectory == true { return }
            }
        }
        let named = Set(folders.compactMap(\.self)).sorted().joined(separator: ", ")
        throw GodwitError(
            .container, .noInput,
            "\(files.container.given) is not a container of \(manifest.app): it has none of the files that the manifest names, "
                + "and none of their folders (\(named)).",
            hint: "Name the container, the folder that has Library in it, with --container.")
    }

    /// Throws (66) if the local store is missing while another store of the container has records of the manifest's entities.
    func requireNoOtherStore(_ survey: ContainerSurvey) throws(GodwitError) {
        guard !survey.hasLocal, [.notDone, .notDoneHere].contains(survey.copyState), !options.allowsEmpty else {
            return
        }
        guard let found = try OtherStores(files, manifest, context).first() else { return }
        throw GodwitError(
            .container, .noInput,
            "\(files.local.name) does not exist, but \(found.store) has \(found.records.counted("record")) of "
                + "\(found.entities.joined(separator: ", ")).",
            hint: "If that is the app's store, correct `local:` in the manifest. If the app has no local store, use "
                + "--allow-empty.")
    }

    /// Throws (66) if a copy is done, the cloud store is missing, and another store has the receipt of a copy.
    func requireNoOtherCloud(_ survey: ContainerSurvey) throws(GodwitError) {
        guard let other = try otherCloud(survey) else { return }
        throw GodwitError(
            .container, .noInput, "\(files.cloud.name) does not exist, but \(other) has the receipt of a copy.",
            hint: "Correct `cloud:` in the manifest.")
    }

    /// A store with the receipt of a copy that the manifest does not name, while the cloud store is missing after the copy.
    func otherCloud(_ survey: ContainerSurvey) throws(GodwitError) -> String? {
        guard survey.copyState == .flagWithoutReceipt, !survey.hasCloud else { return nil }
        return try OtherStores(files, manifest, context).first(isCopied: true)?.store
    }

    /// What to do about a cloud store that is gone after the copy.
    func stepsWithoutCloud(_ survey: ContainerSurvey) -> [String] {
        guard survey.copyState == .flagWithoutReceipt, !survey.hasCloud, survey.hasLocal else { return [] }
        return [
            "If \(files.cloud.name) is gone for good, make its copy pending: \(commandLine("reopen"))",
            "Then copy the local store again: \(commandLine("run"))",
        ]
    }

    /// That the local store is missing after the copy, while another store has records of the manifest's entities.
    func unnamedLocalStore(_ survey: ContainerSurvey) throws(GodwitError) -> [Warning] {
        guard !survey.hasLocal, survey.copyState == .done, !options.allowsEmpty,
            let found = try OtherStores(files, manifest, context).first()
        else { return [] }
        return [
            Warning(
                "localStoreMissing",
                "\(files.local.name) does not exist, but \(found.store) has \(found.records.counted("record")) of "
                    + "\(found.entities.joined(separator: ", ")), so the copy could not be compared.",
                hint: "If that is the app's store, correct `local:` in the manifest.")
        ]
    }

    /// Throws (66) if a copy is done and its flag is set in a preferences file that the manifest does not name.
    ///
    /// Else the flag would be set in a file that the app does not read.
    func requireNoOtherFlag(_ survey: ContainerSurvey) throws(GodwitError) {
        guard let first = files.preferences.first, try !first.exists(), let other = otherFlag(survey) else { return }
        throw GodwitError(
            .container, .noInput,
            "\(first.name) does not exist, but \(other) has the flag '\(manifest.copy.flag)' of a copy that is done.",
            hint: "Correct `preferences:` in the manifest: the file with the flag comes first.")
    }

    /// That the flag of a copy that is done was set in a file that is not the first one: the app may not read it there.
    func flagElsewhere(_ survey: ContainerSurvey) -> [Warning] {
        guard let other = otherFlag(survey) else { return [] }
        return [
            Warning(
                "flagElsewhere",
                "\(other) has the flag '\(manifest.copy.flag)' of this copy too, and \(files.preferences[0].name) comes first "
                    + "in `preferences:`.",
                hint: "Check which of the two files the app reads, and write that one first.")
        ]
    }

    /// That the first preferences file has the flag and nothing else, while another one has the mapped keys: a run with a
    /// wrong name in the manifest makes such a file.
    func flagApart(_ legacy: LegacyReport) throws(GodwitError) -> [Warning] {
        let first = files.preferences[0]
        guard files.preferences.count > 1, try first.exists() else { return [] }
        guard let root = try? first.readPreferences(now: context.now)?.root, root.count == 1,
            root[0].hasKey(manifest.copy.flag),
            let other = legacy.ledger.first(where: { $0.into != nil && ($0.source ?? first.name) != first.name })?
                .source
        else { return [] }
        return [
            Warning(
                "flagApart",
                "\(first.name) has only the flag '\(manifest.copy.flag)', and the mapped keys are in \(other).",
                hint: "If the app does not read the first file, take its name out of `preferences:`, then run again.")
        ]
    }

    /// A file next to the first preferences file that has the flag of a copy that is done, while the first one has not.
    private func otherFlag(_ survey: ContainerSurvey) -> String? {
        guard !survey.isFlagSet, survey.copyReceipt != nil, let first = files.preferences.first,
            let folder = PathText.directory(ofRelative: first.name)
        else { return nil }
        for place in files.container.places {
            let path = PathText.join(place, folder)
            for name in (try? PathText.textNames(in: path, stage: .container)) ?? [] where name.hasSuffix(".plist") {
                guard !"\(folder)/\(name)".utf8.elementsEqual(first.name.utf8),
                    let bytes = try? readBytes(PathText.join(path, name), limit: 64 << 20, stage: .container),
                    let root = try? LegacyDocument(bytes).root,
                    (try? PropertyListEditor.readFlag(root, manifest.copy.flag)) == true
                else { continue }
                return "\(folder)/\(name)"
            }
        }
        return nil
    }

    /// Preferences files and folders that do not exist.
    ///
    /// - Parameter sources: the preferences files of an import that is not done yet.
    func missingInputs(_ sources: [LegacySource], _ survey: ContainerSurvey) throws(GodwitError) -> [Warning] {
        var warnings: [Warning] = []
        for source in manifest.legacy.mappedKeys.isEmpty ? [] : sources where source.format == nil {
            warnings.append(
                Warning(
                    "legacyMissing", "The preferences file \(source.path) does not exist.",
                    hint: "Check `preferences:` in the manifest: no key of that file is imported."))
        }
        guard !survey.hasCloud, survey.hasLocal, survey.copyState == .notDone,
            let folder = PathText.directory(ofRelative: files.cloud.name)
        else { return warnings }
        for place in files.container.places
        where try FileStatus.of(PathText.join(place, folder))?.isDirectory == true { return warnings }
        warnings.append(
            Warning(
                "cloudFolderMissing", "The folder of the cloud store does not exist: \(folder).",
                hint: "Check `cloud:` in the manifest: the app must look for its store there."))
        return warnings
    }
}

extension Session {
    /// Preferences files that the manifest does not name, next to those that it names, with keys that it maps.
    ///
    /// The value of such a key is left behind, also if a named file has the key: which of the two the app uses is not known.
    ///
    /// - Parameter sources: the named files as they were read.
    func unnamedPreferences(_ sources: [LegacySource]) throws(GodwitError) -> [Warning] {
        let mapped = Set(manifest.legacy.mappedKeys.map { Array($0.utf8) })
        guard !mapped.isEmpty else { return [] }
        let named = manifest.container.preferences
        let folders = Set(named.compactMap(PathText.directory(ofRelative:)) + ["Library/Preferences"])
        let reader = LegacyFileReader()
        var warnings: [Warning] = []
        let missing = sources.first { $0.format == nil }?.path
        for place in files.container.places {
            for folder in folders.sorted() {
                let full = PathText.join(place, folder)
                for name in (try? PathText.textNames(in: full, stage: .container)) ?? [] {
                    let inside = "\(folder)/\(name)"
                    let isCandidate = [".plist", ".json"].contains { name.lowercased().hasSuffix($0) }
                    guard isCandidate, !named.contains(where: { $0.utf8.elementsEqual(inside.utf8) }),
                        let file = try? reader.read(PathText.join(full, name))
                    else { continue }
                    let keys = file.root.map(\.key).filter { mapped.contains(Array($0.utf8)) }
                    if !keys.isEmpty { warnings.append(.unnamedPreferences(inside, keys, missing)) }
                }
            }
        }
        return warnings
    }
}

extension Warning {
    fileprivate static func unnamedPreferences(_ file: String, _ keys: [String], _ missing: String?) -> Warning {
        let shown = keys.prefix(3).map { "'\($0)'" }.joined(separator: ", ") + (keys.count > 3 ? " …" : "")
        return Warning(
            "preferencesNotNamed",
            "\(file) has \(keys.count.counted("key")) that the manifest maps (\(shown)), and `preferences:` does not name the file.",
            hint: "If the app keeps settings there, "
                + (missing.map { "write this name instead of \($0) in `preferences:`." }
                    ?? "add the file to `preferences:`."))
    }
}

/// Stores of a container that the manifest does not name.
struct OtherStores {
    private let files: ContainerFiles
    private let context: RunContext
    /// Names of entities and of Core Data's entities, as SQLite compares names.
    private let names: [[UInt8]: String]

    init(_ files: ContainerFiles, _ manifest: Manifest, _ context: RunContext) {
        (self.files, self.context) = (files, context)
        let pairs = manifest.entities.flatMap { entity in
            [entity.name, entity.source?.origin.entity].compactMap(\.self).map { ($0.foldedName, entity.name) }
        }
        names = Dictionary(pairs) { first, _ in first }
    }

    struct Found {
        let store: String
        let entities: [String]
        let records: Int64
        /// Whether it has the receipt of a copy.
        let isCopied: Bool
    }

    /// The first store with records in tables, or in entities of Core Data, that are called like the manifest's.
    ///
    /// - Parameter isCopied: whether only one with the receipt of a copy counts.
    func first(isCopied: Bool = false) throws(GodwitError) -> Found? {
        for place in files.container.places {
            var walk = ContainerWalk(cancellation: context.cancellation)
            try walk.walk(place)
            for store in walk.result.stores where try isUnnamed(store) {
                if let found = try read(store), found.isCopied || !isCopied { return found }
            }
        }
        return nil
    }

    /// Whether it is neither named in the manifest nor a copy that Godwit made on the way back.
    private func isUnnamed(_ store: ContainerWalk.Found) throws(GodwitError) -> Bool {
        if store.name.contains(OwnFiles.rollbackEnding) { return false }
        for named in [files.local, files.cloud]
        where try FileStatus.of(named.path)?.isSameFile(as: store.status) == true {
            return false
        }
        // A rehearsal has copies of the named ones, under the same names.
        return ![files.local.name, files.cloud.name].contains { $0.utf8.elementsEqual(store.name.utf8) }
    }

    /// What it has of the app; nil also for one that can't be read, which is none of the app's as far as can be told.
    private func read(_ store: ContainerWalk.Found) throws(GodwitError) -> Found? {
        do throws(GodwitError) {
            let snapshot = try StoreSnapshot(
                of: store.path, name: store.name, stage: .container, context: context, checkingIntegrity: false)
            return try count(in: snapshot.connection, store.name)
        } catch {
            try context.cancellation.check(.container)
            return nil
        }
    }

    private func count(in store: SQLiteConnection, _ name: String) throws(GodwitError) -> Found? {
        let shape = try store.readShape()
        var tables = shape.tables.compactMap { table in names[table.name.foldedName].map { (table.name, $0) } }
        if shape.table(named: "Z_PRIMARYKEY") != nil {
            for row in try store.rows("SELECT Z_NAME FROM Z_PRIMARYKEY") {
                guard let entity = names[row[0].readable.foldedName],
                    let table = shape.table(named: "Z" + row[0].readable.uppercased())
                else { continue }
                tables.append((table.name, entity))
            }
        }
        var (entities, records) = ([String](), Int64(0))
        for (table, entity) in tables {
            let count = try store.countRecords(of: table)
            guard count > 0 else { continue }
            if !entities.contains(entity) { entities.append(entity) }
            records += count
        }
        let isCopied = try store.readReceipt(.copy) != nil
        return records > 0 ? Found(store: name, entities: entities, records: records, isCopied: isCopied) : nil
    }
}
