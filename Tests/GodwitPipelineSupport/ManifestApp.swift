package import Godwit
package import GodwitModel
package import GodwitTestSupport

/// An app with a folder and a manifest that a test writes again before each command.
package protocol ManifestApp {
    var folder: TemporaryFolder { get }
    /// The text of `godwit.yaml`; the container is `container/` next to it.
    var manifest: String { get }
}

extension ManifestApp {
    package func migration(
        cloud: CloudStore = .file, _ change: (inout MigrationOptions) -> Void = { _ in }
    ) throws -> Migration {
        var options = MigrationOptions()
        (options.now, options.lockTimeoutMilliseconds) = (.sampleNow, 0)
        change(&options)
        return try Migration(
            manifest: .load(path: folder.write(manifest, to: "godwit.yaml")),
            container: .path(folder["container"]), cloud: cloud, options: options)
    }

    @discardableResult
    package func perform(
        _ command: Command = .run, dryRun: Bool = false, _ change: (inout MigrationOptions) -> Void = { _ in },
        faultPoint: @escaping @Sendable (FaultPoint) throws(GodwitError) -> Void = { _ throws(GodwitError) in }
    ) throws -> RunReport {
        try migration(change).perform(command, dryRun: dryRun, faultPoint: faultPoint)
    }

    /// Writes into a store as the app; creates the store if it is missing.
    package func write(_ store: String, _ sql: String) throws {
        let opened = try SampleStore(folder[store])
        try opened.execute(sql)
        try opened.close()
    }
}
