internal import GodwitFiles
internal import GodwitManifest
public import GodwitModel
public import FoundationLite

extension Manifest {
    /// Reads a manifest; 66 if there is none, 78 with file, line and column if it is not valid.
    public init(contentsOf url: URL) throws { self = try .load(path: url.path) }

    /// The same by path.
    package static func load(path: String) throws(GodwitError) -> Manifest {
        let bytes: [UInt8]
        do throws(GodwitError) {
            bytes = try readBytes(path, limit: 1 << 20, stage: .manifest)
        } catch {
            var failure = error
            if failure.code == .data {
                failure.code = .manifest
                throw failure
            }
            failure.hint = Self.hint(forMissing: path)
            throw failure
        }
        return try decode(bytes, file: path, sha256: sha256Hex(bytes))
    }

    /// What to do about a manifest that can't be read: a near name in its folder, or another path.
    private static func hint(forMissing path: String) -> String {
        if (try? FileStatus.of(path))?.isDirectory == true {
            let inside = PathText.join(path, "godwit.yaml")
            return (try? FileStatus.of(inside)) == nil ? "Name the manifest in it." : "Did you mean `\(inside)`?"
        }
        let folder = PathText.directory(of: path)
        let names = (try? PathText.textNames(in: folder, stage: .manifest)) ?? []
        let manifests = names.filter { [".yaml", ".yml", ".json"].contains(where: $0.lowercased().hasSuffix) }
        let name = PathText.lastPart(of: path)
        if let near = NearestName.nearest(to: name, among: manifests.filter { $0 != name }) {
            return "Did you mean `\(folder == "." ? near : PathText.join(folder, near))`?"
        }
        return name == "godwit.yaml" && folder == "."
            ? Wording.text(
                commandLine: "Name the manifest with --manifest FILE, or make one with `godwit init CONTAINER`.",
                library: "Check the path of the manifest.")
            : "Check the path of the manifest."
    }
}
