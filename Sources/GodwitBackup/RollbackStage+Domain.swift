internal import GodwitFiles
internal import GodwitModel
internal import GodwitPropertyList

/// Preferences that belong to a domain: their keys are set through the system, and their file is left to it.
extension RollbackStage {
    /// Whether a domain has the values of the backup.
    func isUnchanged(
        _ domain: any PreferencesDomain, _ destination: RollbackDestination
    ) throws(GodwitError) -> Bool {
        try domain.keysThatDiffer(from: propertyList(of: destination)).isEmpty
    }

    /// Sets what differs from the backup.
    func setValues(of domain: any PreferencesDomain, _ destination: RollbackDestination) throws(GodwitError) {
        try domain.setValues(from: propertyList(of: destination))
    }

    /// Writes the current values to a file next to the domain's own; returns its name, nil if there are no values.
    func keepValues(
        of domain: any PreferencesDomain, _ destination: RollbackDestination, _ stem: String
    ) throws(GodwitError) -> String? {
        guard let values = try domain.currentPropertyList() else { return nil }
        try PathText.makeDirectories(PathText.directory(of: destination.path), inside: destination.root)
        let target = try freeName(destination.path, stem, [])
        let file = try AtomicFile(target: target, identifier: context.makeIdentifier(), stage: .rollback)
        try file.write(values)
        try file.commit(replacing: false)
        return destination.name(of: target)
    }

    private func propertyList(of destination: RollbackDestination) throws(GodwitError) -> [UInt8]? {
        guard let path = backup.path(of: destination.entry) else { return nil }
        return try readBytes(path, limit: LegacyLimits.standard.bytes, stage: .rollback)
    }
}

extension RollbackDestination {
    /// The name of a file in the same folder, for reports.
    func name(of path: String) -> String {
        PathText.join(PathText.directory(of: entry.name), PathText.lastPart(of: path))
    }
}
