internal import GodwitFiles
internal import GodwitModel
internal import GodwitPropertyList

/// Finds the files that a manifest names and a container lacks: a wrong path looks like an app that has stored nothing.
///
/// `require…` throws before the first write; the others are warnings for the report.
struct InputSurvey: RunStep {
    let stores: StoreOpener

    /// Throws (66) for a folder without any file of the manifest, and without their folders.
    ///
    /// An app's own sandbox is always accepted, also if it is empty.
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
        throw GodwitError.noContainer(
            files.container.given, of: manifest,
            hint: "Name the container, the folder that contains `Library`, with \(name: .container).")
    }

    /// Throws (66) if the local store is missing while another store of the container has records of the manifest's entities.
    func requireNoOtherStore(_ survey: ContainerSurvey) throws(GodwitError) {
        guard !survey.hasLocal, [.notDone, .notDoneHere].contains(survey.copyState), !options.allowsEmpty else {
            return
        }
        guard let found = try OtherStores(stores).first() else { return try requireNoOtherApp() }
        throw GodwitError(
            .container, .noInput,
            "`\(files.local.name)` does not exist, but `\(found.store)` has "
                + "\(found.records.counted("record")) of \(found.entities.map { "`\($0)`" }.joined(separator: ", "))",
            hint:
                "If it is the app's store, correct `local:` in the manifest; if the app has no local "
                + "store, use \(name: .allowEmpty).")
    }

    /// Throws (66) if no file of the manifest is there, and a store of something else is.
    private func requireNoOtherApp() throws(GodwitError) {
        for entry in files.preferences + [files.local, files.cloud] where try entry.exists() { return }
        guard let other = try OtherStores(stores).withRecords().first else { return }
        throw GodwitError(
            .container, .noInput,
            "`\(files.container.given)` has none of the manifest's files, but `\(other.store)`, which has records",
            hint:
                "Check \(name: .container) and the manifest: this may be the container of another app. If it is that of "
                + "\(manifest.app), list that store under `ignore: { stores: … }`.")
    }

    /// Throws (66) if a copy is done, the cloud store is missing, and another store has the receipt of a copy.
    func requireNoOtherCloud(_ survey: ContainerSurvey) throws(GodwitError) {
        guard let other = try otherCloud(survey) else { return }
        throw GodwitError(
            .container, .noInput, "`\(files.cloud.name)` does not exist, but `\(other)` has the receipt of a copy",
            hint: "If the app uses it, correct `cloud:` in the manifest"
                + (survey.hasLocal
                    ? "; if not: \(scope.commandLine("reopen")), then \(scope.commandLine("run"))." : "."))
    }

    /// The same as steps: a misspelt `cloud:` made the other store, or is misspelt now.
    func stepsBesideOtherCloud(_ other: String, _ survey: ContainerSurvey) -> [String] {
        ["\(other) has the receipt of a copy: if the app uses it, correct `cloud:` in the manifest."]
            + (survey.hasLocal
                ? [
                    "If not, make the copy pending: \(scope.commandLine("reopen"))",
                    "Then copy the local store again: \(scope.commandLine("run"))",
                ] : [])
    }

    /// A store with the receipt of a copy that the manifest does not name, while the cloud store is missing after the copy.
    func otherCloud(_ survey: ContainerSurvey) throws(GodwitError) -> String? {
        guard survey.copyState == .flagWithoutReceipt, !survey.hasCloud else { return nil }
        return try OtherStores(stores).first(isCopied: true)?.store
    }

    /// The next steps if the cloud store does not exist after the copy.
    func stepsWithoutCloud(_ survey: ContainerSurvey) -> [String] {
        guard survey.copyState == .flagWithoutReceipt, !survey.hasCloud, survey.hasLocal else { return [] }
        return [
            "If \(files.cloud.name) is gone for good, make its copy pending: \(scope.commandLine("reopen"))",
            "Then copy the local store again: \(scope.commandLine("run"))",
        ]
    }

    /// That the local store is missing after the copy, while another store has records of the manifest's entities.
    func unnamedLocalStore(_ survey: ContainerSurvey) throws(GodwitError) -> [Warning] {
        guard !survey.hasLocal, survey.copyState == .done, !options.allowsEmpty,
            let found = try OtherStores(stores).first()
        else { return [] }
        return [
            Warning(
                "localStoreMissing",
                "`\(files.local.name)` does not exist, but `\(found.store)` has "
                    + "\(found.records.counted("record")) of \(found.entities.map { "`\($0)`" }.joined(separator: ", ")), so the "
                    + "copy could not be compared",
                hint: "If it is the app's store, correct `local:` in the manifest.")
        ]
    }

    /// Throws (66) if a copy is done and its flag is set in a preferences file that the manifest does not name.
    ///
    /// Else the flag would be set in a file that the app does not read.
    func requireNoOtherFlag(_ survey: ContainerSurvey) throws(GodwitError) {
        guard let first = files.preferences.first, try !first.exists(), let other = otherFlag(survey) else { return }
        throw GodwitError(
            .container, .noInput,
            "`\(first.name)` does not exist, but `\(other)` has the completion flag "
                + "'\(manifest.copy.flag)' of a complete copy",
            hint: "Correct `preferences:` in the manifest: the file with the flag comes first.")
    }

    /// That the flag of a copy that is done was set in a file that is not the first one: the app may not read it there.
    func flagElsewhere(_ survey: ContainerSurvey) -> [Warning] {
        guard let other = otherFlag(survey) else { return [] }
        return [
            Warning(
                "flagElsewhere",
                "`\(other)` also has the completion flag '\(manifest.copy.flag)' of this copy, but "
                    + "`\(files.preferences[0].name)` comes first in `preferences:`",
                hint:
                    "If the app does not read the flag in that file, correct the order of `preferences:`. If it does, "
                    + "set the flag there: \(scope.commandLine("run"))")
        ]
    }

    /// That the first preferences file has the flag and nothing else, while another one has the mapped keys: a run with a
    /// wrong name in the manifest makes such a file.
    ///
    /// Only if it had the flag before this run: else this run set it, in a file that may be the app's.
    func flagApart(_ legacy: RunReport.Legacy, _ before: ContainerSurvey) throws(GodwitError) -> [Warning] {
        let first = files.preferences[0]
        guard before.isFlagSet, files.preferences.count > 1, try first.exists() else { return [] }
        guard let root = try? first.readPreferences(now: context.now)?.root, root.count == 1,
            root[0].hasKey(manifest.copy.flag),
            let other = legacy.ledger.first(where: { $0.into != nil && ($0.source ?? first.name) != first.name })?
                .source
        else { return [] }
        return [
            Warning(
                "flagApart",
                "`\(first.name)` has only the completion flag '\(manifest.copy.flag)', and the mapped keys "
                    + "are in `\(other)`",
                hint: "If the app does not read the first file, remove it from `preferences:`, then run again.")
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
}

extension GodwitError {
    /// That a folder is not a container of the app (66).
    static func noContainer(_ folder: String, of manifest: Manifest, hint: String) -> GodwitError {
        let paths = manifest.container
        let files = paths.preferences + [paths.local, paths.cloud] + [paths.syncEvents].compactMap(\.self)
        let folders = Set(files.map { PathText.directory(ofRelative: $0) ?? "." })
        return GodwitError(
            .container, .noInput,
            "`\(folder)` is not a container of \(manifest.app): it has none of the manifest's files "
                + "(in \(folders.sorted().joined(separator: ", ")))",
            hint: hint)
    }
}
