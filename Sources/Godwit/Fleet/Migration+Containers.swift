internal import GodwitFiles
package import GodwitModel
internal import GodwitSchema

/// The functions that a fleet needs: its containers, the command for each of them, and the settings that change the
/// result.
extension Migration {
    /// The containers below a folder, by paths relative to it, the folders that cannot be read, and the links to
    /// containers elsewhere.
    ///
    /// - Parameter expectations: the folder that has an expectation for each container, at its path with `.json`; an
    ///   expectation without a container is listed with the folders that cannot be read.
    package func containers(
        below folder: String, expecting expectations: String? = nil, cancellation: Cancellation = Cancellation()
    ) throws(GodwitError) -> (names: [String], unreadable: [(name: String, error: GodwitError)], links: [String]) {
        let found = try ContainerSearch(manifest: manifest, cancellation: cancellation)
            .find(below: folder, expecting: expectations)
        if found.containers.isEmpty, found.unreadable.isEmpty, let backup = found.backups.first { throw backup }
        return (found.containers, found.unreadable.map { (name: $0.folder, error: $0.error) }, found.links)
    }

    /// Whether a folder has at least one of the files that the manifest names.
    package func isContainer(_ folder: String) throws(GodwitError) -> Bool {
        try ContainerSearch(manifest: manifest, cancellation: Cancellation()).isContainer(folder)
    }

    /// The path of a container's expectation, relative to the folder of all expectations.
    package static func expectationName(of container: String) -> String {
        ContainerSearch.expectationName(of: container)
    }

    /// The same pipeline over another container.
    package func at(_ path: String) -> Migration {
        var migration = self
        migration.location = path
        return migration
    }

    /// The manifest and the schema files as they were read: name and SHA-256 of each.
    package var definition: [String] {
        ["manifest \(manifest.sha256)"]
            + schemaFiles.files.map { "\($0.title) \(sha256Hex(Array($0.sql.utf8)))" }
    }
}
