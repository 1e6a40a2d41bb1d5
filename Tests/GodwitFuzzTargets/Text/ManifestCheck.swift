import GodwitManifest
import GodwitModel

/// Manifests: the scan and the parser see the same text, and an accepted manifest meets its documented limits.
enum ManifestCheck {
    private static let file = "fuzz.yaml"

    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        let manifest: Manifest
        do throws(GodwitError) {
            manifest = try Manifest.decode(bytes, file: file, sha256: "0")
        } catch {
            return try check(error, lines: lines(in: bytes))
        }
        try check(manifest)
        try checkPositions(manifest, lines: lines(in: bytes))
        try checkLineEnds(bytes, manifest)
    }

    private static func lines(in bytes: [UInt8]) -> Int {
        bytes.count { $0 == 0x0A || $0 == 0x0D } + 1
    }

    /// Checks the form `file:line:column: …`, with a line of the file.
    private static func check(_ error: GodwitError, lines: Int) throws(FuzzFinding) {
        try FuzzFinding.check(error, codes: [.manifest])
        let parts = error.message.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == file, let line = Int(parts[1]), let column = Int(parts[2]) else {
            throw FuzzFinding("no place in the message: \(error.message)")
        }
        // libyaml's mark for the end of the text is on the line after the last.
        try require((1...(lines + 1)).contains(line) && column >= 1, "a place outside of the file: \(error.message)")
        // A second check after the scan: what it finds, the scan missed.
        let net = "a YAML anchor or alias is not allowed"
        try require(!error.message.hasSuffix(net), "the scan missed an anchor or alias")
    }

    private static func check(_ manifest: Manifest) throws(FuzzFinding) {
        let names = Set(manifest.entities.map { Array($0.name.utf8) })
        try require(names.count == manifest.entities.count, "an entity twice")
        try require(!manifest.app.isEmpty, "no app")
        let ordered = manifest.entitiesParentsFirst
        try require(ordered.count == manifest.entities.count, "entities lost")
        var placed: Set<[UInt8]> = []
        for entity in ordered {
            for reference in entity.belongsTo {
                let parent = Array(reference.parent.utf8)
                let isThere = placed.contains(parent) || parent == Array(entity.name.utf8)
                try require(isThere, "an entity before its parent")
            }
            placed.insert(Array(entity.name.utf8))
        }
        let container = manifest.container
        var paths = container.preferences + [container.local, container.cloud]
        if let events = container.syncEvents { paths.append(events) }
        for path in paths {
            let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            let isInside = parts.allSatisfy { !$0.isEmpty && !$0.elementsEqual("..".utf8) && !$0.contains(0) }
            try require(isInside, "a path that leaves the container")
        }
        try require(Set(paths.map { Array($0.utf8) }).count == paths.count, "a path twice")
        try require((1...10_000).contains(manifest.historyKept), "a history without bounds")
    }

    private static func checkPositions(_ manifest: Manifest, lines: Int) throws(FuzzFinding) {
        let areInside = manifest.positions.values.allSatisfy { $0.line >= 1 && $0.line <= lines + 1 && $0.column >= 1 }
        try require(areInside, "a position outside of the file")
    }

    /// Checks that an added comment, and CR LF instead of LF, give the same manifest.
    private static func checkLineEnds(_ bytes: [UInt8], _ manifest: Manifest) throws(FuzzFinding) {
        guard !bytes.contains(0x0D) else { return }
        let windows = bytes.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] } + Array("\r\n# the end\r\n".utf8)
        let again = try accepting("refused with CR LF") { () throws(GodwitError) in
            try Manifest.decode(windows, file: file, sha256: "0")
        }
        try require(summary(of: again) == summary(of: manifest), "with CR LF it is another manifest")
    }

    private static func summary(of manifest: Manifest) -> String {
        "\(manifest.app) \(manifest.container) \(manifest.schemaDirectory) \(manifest.entities) \(manifest.legacy) "
            + "\(manifest.copy) \(manifest.export) \(manifest.historyKept)"
    }
}
