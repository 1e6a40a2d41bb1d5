internal import GodwitCoreData
internal import GodwitFiles
internal import GodwitLegacy
internal import GodwitManifest
internal import GodwitModel
internal import GodwitSchema
internal import GodwitInspect

/// Where a draft is written: nothing in it is ever replaced, and the manifest comes last, so that a folder with a
/// manifest has its schema files as well.
struct DraftFolder {
    let path: String

    init(_ path: String) { self.path = path }

    var manifestPath: String { path == "." ? "godwit.yaml" : PathText.join(path, "godwit.yaml") }

    private var migrations: String { PathText.join(path, "Migrations") }

    /// Throws (73) if a manifest exists, also as a link without a target; schema files are checked when their names are
    /// known.
    func requireFree() throws(GodwitError) {
        try OwnFiles.requireLasting(path, stage: .inspect)
        if let status = try FileStatus.of(path), !status.isDirectory {
            throw GodwitError(.inspect, .cannotCreate, "`\(path)` is not a folder", hint: "Name a folder with -o.")
        }
        guard try FileStatus.ofLink(manifestPath, unusable: .cannotCreate) == nil else {
            throw taken(manifestPath)
        }
        guard let folder = try FileStatus.ofLink(migrations, unusable: .cannotCreate) else { return }
        guard folder.isDirectory else { throw taken(migrations) }
    }

    /// Throws (73) if a schema file is there already, except the files of this draft, which a stopped `init` may have
    /// left.
    private func requireOwnFiles(_ draft: Draft) throws(GodwitError) {
        guard try FileStatus.ofLink(migrations, unusable: .cannotCreate) != nil else { return }
        let files = try PathText.allNames(in: migrations, stage: .inspect)
        for name in files where name.lowercased().hasSuffix(".sql") && !PathText.isArchiveResidue(name) {
            let own = draft.schemaFiles.first { $0.name.utf8.elementsEqual(name.utf8) }
            let path = PathText.join(migrations, name)
            guard let own, try isThere(own.text, at: path) else { throw taken(path) }
        }
    }

    private func isThere(_ text: String, at path: String) throws(GodwitError) -> Bool {
        let bytes = Array(text.utf8)
        guard let status = try FileStatus.ofLink(path), status.isRegularFile, status.size == Int64(bytes.count) else {
            return false
        }
        return try readBytes(path, limit: bytes.count, stage: .inspect) == bytes
    }

    private func taken(_ name: String) -> GodwitError {
        GodwitError(
            .inspect, .cannotCreate, "`\(name)` already exists",
            hint: "Name another folder with -o.")
    }

    /// Throws (73) if the folder is in the app's container: an inspection changes nothing there.
    func requireOutside(_ container: Container) throws(GodwitError) {
        guard container.layout != .folder else { return }
        var folder = path
        while PathText.real(folder) == nil, PathText.directory(of: folder) != folder {
            folder = PathText.directory(of: folder)
        }
        guard let real = PathText.real(folder), PathText.isInside(real, container.root) else { return }
        throw GodwitError(
            .inspect, .cannotCreate, "`\(path)` is in the app's container",
            hint: "Name a folder outside of it with -o.")
    }

    /// Removes entities of a Core Data store that its own reader rejects, each with the reason.
    ///
    /// The columns of an old store may not show which of several entities a name means.
    func settle(_ subject: DraftSubject, _ choice: StoreChoice) throws(GodwitError) -> Draft {
        var subject = subject
        var draft = try subject.draft()
        guard let local = choice.local, let model = local.model else { return draft }
        // Each turn leaves one out; a store with more of them is no store in practice.
        for _ in 0..<draft.entities.count {
            let manifest = try decode(draft)
            do throws(GodwitError) {
                _ = try CoreDataResolver(manifest: manifest, model: model, shape: local.shape).queries()
                return draft
            } catch {
                guard let line = error.position?.line, let name = draft.entity(atLine: line) else { throw error }
                subject.refused[name] = "the store does not say enough to read it: \(error.message)"
                draft = try subject.draft()
            }
        }
        return draft
    }

    private func decode(_ draft: Draft) throws(GodwitError) -> Manifest {
        let bytes = Array(draft.manifest.utf8)
        do throws(GodwitError) {
            return try Manifest.decode(bytes, file: manifestPath, sha256: sha256Hex(bytes))
        } catch {
            throw unusable(error)
        }
    }

    private func unusable(_ error: GodwitError) -> GodwitError {
        GodwitError(
            .inspect, .data, "no manifest can be made of this container",
            hint: "Write one by hand, as docs/manifest.md describes it.",
            underlying: error.message + (error.underlying.map { ": \($0)" } ?? ""))
    }

    /// Reads a draft as a command would, before it is written; 73 if a file of another's is in its way.
    ///
    /// - Returns: in what a store of plain tables would not be adopted; nothing if it would.
    func check(_ draft: Draft, against choice: StoreChoice) throws(GodwitError) -> [Warning] {
        try requireOwnFiles(draft)
        return try validate(draft, against: choice)
    }

    /// The same without regard to what is in the folder.
    func validate(_ draft: Draft, against choice: StoreChoice) throws(GodwitError) -> [Warning] {
        let manifest = try decode(draft)
        let schema: SchemaFiles
        do throws(GodwitError) {
            schema = try SchemaFiles(
                directory: migrations,
                files: draft.schemaFiles.compactMap { file in
                    SchemaFiles.parse(fileName: file.name).map {
                        SchemaFile(version: $0.version, name: $0.name, sql: file.text, fileName: file.name)
                    }
                })
            try manifest.validate(against: schema.shape)
            _ = try manifest.storingValues(as: schema.shape)
        } catch {
            throw unusable(error)
        }
        guard let local = choice.local, local.model == nil else { return [] }
        return schema.shapes[1].differences(from: local.shape).prefix(1).map {
            Warning(
                "notAdopted", "the schema file does not make everything in the store: \($0)",
                hint: "Plan and run with --baseline 1.")
        }
    }

    /// The files that would be written, in that order.
    func paths(of draft: Draft) -> [String] {
        draft.schemaFiles.map { PathText.join(migrations, $0.name) } + [manifestPath]
    }

    /// Makes the folders, with the permissions that the umask leaves: they hold sources, no user's data.
    ///
    /// Their names are then as durable as what is put into them.
    private func makeFolders() throws(GodwitError) {
        var made = [migrations]
        while let next = made.last, PathText.real(next) == nil, PathText.directory(of: next) != next {
            made.append(PathText.directory(of: next))
        }
        try PathText.makeDirectories(migrations, mode: 0o777)
        for folder in made.dropLast() { try AtomicFile.flushDirectory(of: folder) }
    }

    /// Writes the schema files, then the manifest.
    func write(_ draft: Draft) throws(GodwitError) -> [String] {
        try makeFolders()
        let texts = draft.schemaFiles.map(\.text) + [draft.manifest]
        for (path, text) in zip(paths(of: draft), texts) where try !isThere(text, at: path) {
            let file = try AtomicFile(
                target: path, identifier: SystemEnvironment.makeIdentifier(), mode: 0o666, isOutput: true,
                stage: .inspect)
            try file.write(Array(text.utf8))
            try file.commit(replacing: false)
        }
        return paths(of: draft)
    }
}
