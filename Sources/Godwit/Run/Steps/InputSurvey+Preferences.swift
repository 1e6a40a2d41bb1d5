internal import GodwitFiles
internal import GodwitModel
internal import GodwitPropertyList

/// Preferences files that are missing, the folder of the cloud store, and preferences files that the manifest does not name.
extension InputSurvey {
    /// Preferences files that do not exist.
    ///
    /// - Parameter sources: the preferences files of an import that is not done yet.
    func missingPreferences(_ sources: [RunReport.Legacy.Source]) -> [Warning] {
        guard !manifest.legacy.mappedKeys.isEmpty else { return [] }
        return sources.filter { $0.format == nil && !manifest.container.isOptional($0.path) }.map { source in
            Warning(
                "legacyMissing", "the preferences file `\(source.path)` does not exist",
                hint: "Check `preferences:` in the manifest: no key of this file is imported. If some users do not "
                    + "have it, write `{ path: …, optional: true }` there.")
        }
    }

    /// Whether no folder of the container is that of the cloud store.
    func lacksCloudFolder() throws(GodwitError) -> Bool {
        guard let folder = PathText.directory(ofRelative: files.cloud.name) else { return false }
        for place in files.container.places
        where try FileStatus.of(PathText.join(place, folder))?.isDirectory == true { return false }
        return true
    }

    /// That the copy makes, or made, the folder of the cloud store: the app may open another one.
    func missingCloudFolder(_ before: ContainerSurvey) -> [Warning] {
        guard before.lacksCloudFolder, before.hasLocal, before.copyState == .notDone,
            let folder = PathText.directory(ofRelative: files.cloud.name)
        else { return [] }
        return [
            Warning(
                "cloudFolderMissing", "the folder of the cloud store did not exist before: `\(folder)`",
                hint: "Check `cloud:` in the manifest: it must be the path that the app opens.")
        ]
    }

    /// Preferences files that the manifest does not name, with keys that it maps.
    ///
    /// Next to the named files the value of such a key is left behind also if a named file has the key: which of the two
    /// the app uses is not known. In other folders, and in files of other endings, only keys that no named file has
    /// count, because caches have copies.
    ///
    /// - Parameters:
    ///   - sources: the named files as they were read.
    ///   - absent: mapped keys that no named file has.
    func unnamedPreferences(
        _ sources: [RunReport.Legacy.Source], absent: [String]
    ) throws(GodwitError) -> [Warning] {
        guard !manifest.legacy.mappedKeys.isEmpty else { return [] }
        let folders = Set(manifest.container.preferences.compactMap(PathText.directory(ofRelative:)) + [Self.usual])
        let wanted = Set(absent.map { Array($0.utf8) })
        var warnings = preferences(besideNamed: sources, in: folders.sorted(), absent: wanted)
        guard !absent.isEmpty else { return warnings }
        let missing = sources.first { $0.format == nil }?.path
        for file in try stores.walk().preferences where file.status.size <= Self.maxSize {
            let isBesideNamed = PathText.directory(ofRelative: file.name).map { folders.contains($0) } ?? false
            if isBesideNamed, Self.isCalledLikePreferences(file.name) || Self.original(of: file.name, sources) != nil {
                continue
            }
            let keys = unnamedKeys(of: file.name, at: file.path, among: wanted)
            if !keys.isEmpty { warnings.append(.unnamedPreferences(file.name, keys, missing)) }
        }
        return warnings
    }

    /// Property lists and JSON files next to the named ones, and named ones that were set aside: `app.plist.bak`.
    private func preferences(
        besideNamed sources: [RunReport.Legacy.Source], in folders: [String], absent: Set<[UInt8]>
    ) -> [Warning] {
        let mapped = Set(manifest.legacy.mappedKeys.map { Array($0.utf8) })
        let missing = sources.first { $0.format == nil }?.path
        var warnings: [Warning] = []
        for place in files.container.places {
            for folder in folders {
                let full = PathText.join(place, folder)
                for name in (try? PathText.textNames(in: full, stage: .container)) ?? [] {
                    let (inside, path) = ("\(folder)/\(name)", PathText.join(full, name))
                    if Self.isCalledLikePreferences(name) {
                        let keys = unnamedKeys(of: inside, at: path, among: mapped)
                        if !keys.isEmpty { warnings.append(.unnamedPreferences(inside, keys, missing)) }
                    } else if let named = Self.original(of: inside, sources), Self.isSmall(path) {
                        // Of a file that is in use, an older copy counts only for keys that are nowhere else.
                        let keys = unnamedKeys(of: inside, at: path, among: named.keyCount == 0 ? mapped : absent)
                        if !keys.isEmpty { warnings.append(.setAsidePreferences(inside, keys, named)) }
                    }
                }
            }
        }
        return warnings
    }

    /// The named file that a file's name begins with, with or without its ending; of several the longest.
    private static func original(
        of name: String, _ sources: [RunReport.Legacy.Source]
    ) -> RunReport.Legacy.Source? {
        let found = sources.filter { source in
            let last = PathText.lastPart(of: source.path)
            let ending = last.lastIndex(of: ".").map { last.distance(from: $0, to: last.endIndex) } ?? 0
            return ending < last.count && name.hasPrefix(String(source.path.dropLast(ending)))
        }
        return found.max { $0.path.utf8.count < $1.path.utf8.count }
    }

    private static func isCalledLikePreferences(_ name: String) -> Bool {
        [".plist", ".json"].contains { name.lowercased().hasSuffix($0) }
    }

    private static func isSmall(_ path: String) -> Bool {
        guard let status = try? FileStatus.of(path) else { return false }
        return status.isRegularFile && status.size <= maxSize
    }

    /// Named files that are empty while mapped keys are in no file: probably not the files that the app uses.
    ///
    /// Preferences of the system may be empty as long as the app sets nothing in them.
    func emptyPreferences(_ sources: [RunReport.Legacy.Source], absent: [String]) -> [Warning] {
        guard !absent.isEmpty, absent.count < manifest.legacy.mappedKeys.count else { return [] }
        let names = absent.prefix(3).map { "'\($0)'" }.joined(separator: ", ") + (absent.count > 3 ? " …" : "")
        return sources.filter { source in
            source.format != nil && source.keyCount == 0 && !manifest.container.isOptional(source.path)
                && files.preferences.contains { $0.name.utf8.elementsEqual(source.path.utf8) && $0.domain == nil }
        }.map { source in
            Warning(
                "legacyEmpty",
                "the preferences file `\(source.path)` is empty, and \(absent.count.counted("key")) that the manifest "
                    + "maps (\(names)) \(absent.count == 1 ? "is" : "are") in no file",
                hint:
                    "Check `preferences:`, and put the app's file back if this is not the one. If it may be empty, write "
                    + "`{ path: …, optional: true }` there.")
        }
    }

    /// The folder in which the system keeps an app's preferences.
    private static let usual = "Library/Preferences"
    /// Bytes of a file in any other folder that is read.
    private static let maxSize: Int64 = 4 << 20

    /// Those of some keys that a file has; none for a file that the manifest names or a rollback renamed.
    private func unnamedKeys(of name: String, at path: String, among keys: Set<[UInt8]>) -> [String] {
        guard !keys.isEmpty, !manifest.container.preferences.contains(where: { $0.utf8.elementsEqual(name.utf8) }),
            !name.contains(OwnFiles.rollbackEnding), let file = try? LegacyFileReader().read(path)
        else { return [] }
        return file.root.map(\.key).filter { keys.contains(Array($0.utf8)) }
    }
}

extension Warning {
    fileprivate static func unnamedPreferences(_ file: String, _ keys: [String], _ missing: String?) -> Warning {
        unnamedPreferences(
            file, keys,
            hint: "If the app keeps settings there, "
                + (missing.map { "write this name instead of \($0) in `preferences:`." }
                    ?? "add the file to `preferences:`."))
    }

    /// - Parameter named: the file that it seems to be a copy of.
    fileprivate static func setAsidePreferences(
        _ file: String, _ keys: [String], _ named: RunReport.Legacy.Source
    ) -> Warning {
        let action =
            if named.format == nil {
                "give it the name `\(PathText.lastPart(of: named.path))` again."
            } else if named.keyCount == 0 {
                "put it in the place of `\(named.path)`, which is empty."
            } else {
                "add it to `preferences:` after `\(named.path)`."
            }
        return unnamedPreferences(file, keys, hint: "If the app's settings are in it, " + action)
    }

    private static func unnamedPreferences(_ file: String, _ keys: [String], hint: String) -> Warning {
        let shown = keys.prefix(3).map { "'\($0)'" }.joined(separator: ", ") + (keys.count > 3 ? " …" : "")
        return Warning(
            "preferencesNotNamed",
            "`\(file)` has \(keys.count.counted("key")) that the manifest maps (\(shown)), but "
                + "`preferences:` does not name it",
            hint: hint)
    }
}
