internal import GodwitFiles
internal import GodwitModel
internal import GodwitPropertyList

/// Preferences files that are missing, or that the manifest does not name.
extension InputSurvey {
    /// Preferences files and folders that do not exist.
    ///
    /// - Parameter sources: the preferences files of an import that is not done yet.
    func missingInputs(_ sources: [RunReport.Legacy.Source], _ survey: ContainerSurvey) throws(GodwitError) -> [Warning]
    {
        var warnings: [Warning] = []
        for source in manifest.legacy.mappedKeys.isEmpty ? [] : sources where source.format == nil {
            warnings.append(
                Warning(
                    "legacyMissing", "the preferences file `\(source.path)` does not exist",
                    hint: "Check `preferences:` in the manifest: no key of this file is imported."))
        }
        guard !survey.hasCloud, survey.hasLocal, survey.copyState == .notDone,
            let folder = PathText.directory(ofRelative: files.cloud.name)
        else { return warnings }
        for place in files.container.places
        where try FileStatus.of(PathText.join(place, folder))?.isDirectory == true { return warnings }
        warnings.append(
            Warning(
                "cloudFolderMissing", "the folder of the cloud store does not exist: `\(folder)`",
                hint: "Check `cloud:` in the manifest: it must be the path that the app opens."))
        return warnings
    }

    /// Preferences files that the manifest does not name, with keys that it maps.
    ///
    /// Next to the named files the value of such a key is left behind also if a named file has the key: which of the two
    /// the app uses is not known. In other folders only keys that no named file has count, because caches have copies.
    ///
    /// - Parameters:
    ///   - sources: the named files as they were read.
    ///   - absent: mapped keys that no named file has.
    func unnamedPreferences(
        _ sources: [RunReport.Legacy.Source], absent: [String]
    ) throws(GodwitError) -> [Warning] {
        let mapped = Set(manifest.legacy.mappedKeys.map { Array($0.utf8) })
        guard !mapped.isEmpty else { return [] }
        let folders = Set(manifest.container.preferences.compactMap(PathText.directory(ofRelative:)) + [Self.usual])
        var warnings: [Warning] = []
        let missing = sources.first { $0.format == nil }?.path
        for place in files.container.places {
            for folder in folders.sorted() {
                let full = PathText.join(place, folder)
                for name in (try? PathText.textNames(in: full, stage: .container)) ?? [] {
                    let inside = "\(folder)/\(name)"
                    guard [".plist", ".json"].contains(where: { name.lowercased().hasSuffix($0) }) else { continue }
                    let keys = unnamedKeys(of: inside, at: PathText.join(full, name), among: mapped)
                    if !keys.isEmpty { warnings.append(.unnamedPreferences(inside, keys, missing)) }
                }
            }
        }
        guard !absent.isEmpty else { return warnings }
        let wanted = Set(absent.map { Array($0.utf8) })
        for file in try stores.walk().preferences where file.status.size <= Self.maxSize {
            if PathText.directory(ofRelative: file.name).map({ folders.contains($0) }) == true { continue }
            let keys = unnamedKeys(of: file.name, at: file.path, among: wanted)
            if !keys.isEmpty { warnings.append(.unnamedPreferences(file.name, keys, missing)) }
        }
        return warnings
    }

    /// The folder in which the system keeps an app's preferences.
    private static let usual = "Library/Preferences"
    /// Bytes of a file in any other folder that is read.
    private static let maxSize: Int64 = 4 << 20

    /// Those of some keys that a file has; none for a file that the manifest names or a rollback renamed.
    private func unnamedKeys(of name: String, at path: String, among keys: Set<[UInt8]>) -> [String] {
        guard !manifest.container.preferences.contains(where: { $0.utf8.elementsEqual(name.utf8) }),
            !name.contains(OwnFiles.rollbackEnding), let file = try? LegacyFileReader().read(path)
        else { return [] }
        return file.root.map(\.key).filter { keys.contains(Array($0.utf8)) }
    }
}

extension Warning {
    fileprivate static func unnamedPreferences(_ file: String, _ keys: [String], _ missing: String?) -> Warning {
        let shown = keys.prefix(3).map { "'\($0)'" }.joined(separator: ", ") + (keys.count > 3 ? " …" : "")
        return Warning(
            "preferencesNotNamed",
            "`\(file)` has \(keys.count.counted("key")) that the manifest maps (\(shown)), but "
                + "`preferences:` does not name it",
            hint: "If the app keeps settings there, "
                + (missing.map { "write this name instead of \($0) in `preferences:`." }
                    ?? "add the file to `preferences:`."))
    }
}
