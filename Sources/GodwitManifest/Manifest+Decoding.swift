public import GodwitModel

/// Reads a manifest in steps: bytes, checked text, safe YAML, tree, values; each step rejects what the next must not
/// get.
extension Manifest {
    /// The format that this version reads.
    package static let format = 1

    /// Reads the bytes of a `godwit.yaml`; pure, it opens no file.
    ///
    /// The schema folder is the manifest's `schema` appended to the folder of `file`, unchanged: the file system
    /// resolves `..`, because only it knows links. The folder may be outside the container on purpose.
    ///
    /// - Parameters:
    ///   - bytes: The file's bytes: YAML or JSON in UTF-8, at most 1 MiB.
    ///   - file: The file's path as given; part of every message.
    ///   - sha256: SHA-256 of the bytes, lower-case hex.
    /// - Throws: Code `manifest`, with `file:line:column` at the start of the message.
    public static func decode(_ bytes: [UInt8], file: String, sha256: String) throws(GodwitError) -> Manifest {
        let text = try ManifestText(bytes, file: file)
        try ManifestScan.check(text)
        let root = try ManifestNode(composing: text)
        return try ManifestReader(root, file: file).manifest(sha256: sha256)
    }
}

/// Converts the tree of a manifest to values, and rejects values without a meaning.
///
/// Each section of the file has an extension in `ManifestReader+….swift`.
struct ManifestReader: Sendable {
    let file: String
    let root: ManifestNode
    let top: ManifestSection

    /// Checks the format first: this version cannot judge the other keys of a newer format.
    init(_ root: ManifestNode, file: String) throws(GodwitError) {
        try Self.checkFormat(ManifestSection(root, at: "", file: file))
        (self.file, self.root) = (file, root)
        self.top = try ManifestSection(
            root, at: "", file: file, required: ["godwit", "app", "container", "schema", "entities"],
            optional: ["environment", "legacy", "copy", "sync", "export", "history", "ignore"])
    }

    private static func checkFormat(_ top: ManifestSection) throws(GodwitError) {
        guard let node = top["godwit"] else {
            throw .manifest(
                top.file, top.position, "missing key `godwit`, which states the format of the manifest",
                hint: "Begin the file with `godwit: \(Manifest.format)`.")
        }
        guard case .scalar(.integer(let number)) = node.content, number >= 1 else {
            throw top.refusal(
                node, "`godwit` must be a format number", hint: "Write `godwit: \(Manifest.format)`.")
        }
        guard number == Int64(Manifest.format) else {
            throw top.refusal(
                node, "format \(number) is not supported: this Godwit reads format \(Manifest.format)",
                hint: "Install a newer Godwit.")
        }
    }

    func manifest(sha256: String) throws(GodwitError) -> Manifest {
        let app = try required(top, "app")
        let environment = try top.word("environment", Manifest.Environment.self)
        let container = try container()
        let schema = try required(top, "schema")
        let entities = try entities(from: container.localLayout)
        let legacy = try legacy(into: entities)
        let copy = try copy(besides: legacy)
        let sync = try sync(besides: legacy, copy)
        let export = try export()
        let ignore = try ignore(besides: entities, legacy, container)
        let historyKept = try top.section("history", optional: ["keep"])?.integer("keep", in: 1...10_000) ?? 10
        var positions: [String: SourcePosition] = [:]
        root.collectPositions(into: &positions)
        return Manifest(
            app: app, file: file, sha256: sha256, container: container, schemaDirectory: resolved(schema),
            entities: entities, legacy: legacy, copy: copy, export: export, historyKept: historyKept,
            sync: sync, environment: environment, ignore: ignore, positions: positions)
    }

    func required(_ section: ManifestSection, _ key: String) throws(GodwitError) -> String {
        guard let text = try section.text(key) else {
            throw .manifest(file, section.position, "missing key `\(key)` in \(section.title)")
        }
        return text
    }

    /// A path relative to the manifest's folder.
    private func resolved(_ path: String) -> String {
        guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
        return file[...slash] + path
    }
}
