internal import GodwitFiles
package import GodwitModel
internal import GodwitSchema

/// What a fleet asks of the pipeline: its containers, itself over each of them, and what decides what is done.
extension Migration {
    /// The containers below a folder, by paths relative to it, the folders that can't be looked into, and the links to
    /// containers elsewhere.
    ///
    /// - Parameter expectations: the folder that has an expectation for each container, at its path with `.json`; one whose
    ///   container is gone is among what can't be looked into.
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
