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

    /// Preferences files that the manifest does not name, next to those that it names, with keys that it maps.
    ///
    /// The value of such a key is left behind, also if a named file has the key: which of the two the app uses is not known.
    ///
    /// - Parameter sources: the named files as they were read.
    func unnamedPreferences(_ sources: [RunReport.Legacy.Source]) throws(GodwitError) -> [Warning] {
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
            "`\(file)` has \(keys.count.counted("key")) that the manifest maps (\(shown)), but "
                + "`preferences:` does not name it",
            hint: "If the app keeps settings there, "
                + (missing.map { "write this name instead of \($0) in `preferences:`." }
                    ?? "add the file to `preferences:`."))
    }
}
