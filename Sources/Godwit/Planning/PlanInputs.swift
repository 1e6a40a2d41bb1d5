internal import GodwitCoreData
internal import GodwitFiles
internal import GodwitModel
internal import GodwitPropertyList
internal import GodwitSQLite
internal import GodwitSchema

/// Finds out what decides a run: every file with its hash, and every option.
///
/// A dry run is measured on the private copy that it is made on, a run on the container itself, under its lock: what
/// is hashed is what is then worked with. Manifest and schema files are hashed as they were read.
struct PlanInputs {
    let manifest: Manifest
    let schemaFiles: SchemaFiles
    let options: MigrationOptions
    let context: RunContext

    /// All inputs in their order, hashed.
    func measure(_ files: ContainerFiles) throws(GodwitError) -> PlanBasis {
        var inputs = [
            PlanInput(.manifest, PathText.lastPart(of: manifest.file), exists: true, sha256: manifest.sha256)
        ]
        for file in schemaFiles.files {
            let bytes = Array(file.sql.utf8)
            inputs.append(
                PlanInput(
                    .schema, file.title + ".sql", exists: true, size: Int64(bytes.count), sha256: sha256Hex(bytes)))
        }
        for entry in files.preferences {
            inputs.append(
                try entry.domain == nil
                    ? measure(.preferences, entry.name, at: entry.path) : measureDomain(of: entry))
        }
        for (kind, entry) in [(PlanInputKind.local, files.local), (.cloud, files.cloud)] {
            for suffix in ["", "-wal", "-journal"] {
                inputs.append(try measure(kind, entry.name + suffix, at: entry.path + suffix))
            }
        }
        if manifest.container.localLayout == .coreData { inputs.append(try measureExternalData(files.local)) }
        inputs += chosenOptions
        inputs.append(PlanInput(.program, "godwit", value: GodwitVersion.current))
        return PlanBasis(inputs: inputs, inputsSha256: Self.hash(of: inputs))
    }

    /// One hash over all inputs.
    static func hash(of inputs: [PlanInput]) -> String { sha256Hex(inputs.flatMap(\.canonicalBytes)) }

    /// The files that Core Data keeps next to a store: each has a name of its own, so names, sizes and dates are enough.
    private func measureExternalData(_ entry: ContainerFiles.Entry) throws(GodwitError) -> PlanInput {
        let name = entry.name + " (external data)"
        guard let found = try ExternalData.inventory(besideStore: PathText.real(entry.path) ?? entry.path) else {
            return PlanInput(.local, name, exists: false)
        }
        let text = found.lines.joined(separator: "\n")
        return PlanInput(.local, name, exists: true, size: found.size, sha256: sha256Hex(Array(text.utf8)))
    }

    private func measureDomain(of entry: ContainerFiles.Entry) throws(GodwitError) -> PlanInput {
        let file = try entry.readPreferences(now: context.now)
        return PlanInput(
            .preferences, entry.name, exists: file != nil, size: file?.size, sha256: file?.sha256,
            modifiedAt: file?.modified)
    }

    private func measure(_ kind: PlanInputKind, _ name: String, at path: String) throws(GodwitError) -> PlanInput {
        guard let status = try FileStatus.of(path) else { return PlanInput(kind, name, exists: false) }
        let isJournal = name.hasSuffix("-journal")
        guard status.isRegularFile,
            let digest = try FileDigest(of: path, isJournal: isJournal, stage: .container, context: context)
        else { return PlanInput(kind, name, exists: true) }
        return PlanInput(
            kind, name, exists: true, size: digest.size, sha256: digest.sha256,
            modifiedAt: kind == .preferences ? status.modified : nil)
    }

    private var chosenOptions: [PlanInput] {
        let groups = options.groupContainers.joined(separator: ", ")
        return [
            PlanInput(.option, "--allow-orphans", value: "\(options.allowsOrphans)"),
            PlanInput(.option, "--allow-empty", value: "\(options.allowsEmpty)"),
            PlanInput(.option, "--baseline", value: options.baseline.map { "\($0)" }),
            PlanInput(.option, "--group-container", value: groups.isEmpty ? nil : groups),
            PlanInput(.option, "--account", value: options.account.rawValue),
            PlanInput(.option, "--network", value: options.network.rawValue),
        ]
    }
}
