internal import GodwitCopy
internal import GodwitFiles
internal import GodwitModel
internal import GodwitPropertyList

extension ContainerFiles.Entry {
    /// The legacy values of a preferences file, or of the domain that it belongs to; nil if there are none.
    ///
    /// - Parameter now: the date of a domain whose file was not written yet.
    func readPreferences(now: Instant) throws(GodwitError) -> LegacyFile? {
        guard let domain else { return try exists() ? LegacyFileReader().read(path, mayBeEmpty: isOptional) : nil }
        return try domain.read(at: path, modified: FileStatus.of(path)?.modified ?? now)
    }

    /// Where the completion flag is kept, if this is the first of the preferences.
    ///
    /// - Parameter root: the container, below which folders may be made.
    func flagStore(root: String) -> any FlagStore {
        if let domain { return FlagDomain(domain, path: path) }
        return FlagFile(path, name: name, root: root, mayBeEmpty: isOptional)
    }
}

extension ContainerPaths {
    /// The same paths with the files of domains before those of other preferences.
    func placingFirst(_ domains: [any PreferencesDomain]) -> ContainerPaths {
        let first = domains.map(\.file)
        let others = preferences.filter { name in !first.contains { $0.utf8.elementsEqual(name.utf8) } }
        return ContainerPaths(
            preferences: first + others, optionalPreferences: optionalPreferences, local: local,
            localLayout: localLayout, cloud: cloud, syncEvents: syncEvents)
    }
}
