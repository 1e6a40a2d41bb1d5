internal import GodwitFiles
internal import GodwitModel

/// Finds the folders that match a pattern of several parts: `backups/*/AppData`, or `**` for folders at any depth.
///
/// A part without wildcards is followed also through links, and `*` may match a link to a folder. `**` matches any
/// number of folders, follows no links and goes 64 folders deep, so the search always ends.
struct GlobSearch {
    private enum Part {
        case plain(String)
        case pattern(Glob)
        case anyDepth
    }

    private struct Position: Hashable {
        let path: [UInt8]
        let part: Int
    }

    static let depth = 64

    private let parts: [Part]
    private let isAbsolute: Bool
    private let cancellation: Cancellation
    private(set) var folders: [String] = []
    /// Folders that could not be read, or whose names are not UTF-8.
    private(set) var unreadable: [(name: String, error: GodwitError)] = []
    private var seen: Set<Position> = []
    /// Positions still to search; the depth is the number of folders that the `**` at that part has descended.
    private var waiting: [(path: String, part: Int, depth: Int)] = []

    /// Searches for everything that a pattern matches.
    init(_ pattern: String, cancellation: Cancellation) throws(GodwitError) {
        isAbsolute = pattern.utf8.first == 0x2F
        self.cancellation = cancellation
        parts = LexicalPath.parts(of: pattern).reduce(into: []) { parts, text in
            guard Glob.isPattern(text) else { return parts.append(.plain(text)) }
            guard text.utf8.elementsEqual("**".utf8) else { return parts.append(.pattern(Glob(text))) }
            // Two adjacent `**` equal one.
            if case .anyDepth = parts.last { return }
            parts.append(.anyDepth)
        }
        go(isAbsolute ? "/" : "", 0)
        while let (path, part, depth) = waiting.popLast() {
            try cancellation.check(.fleet)
            do throws(GodwitError) {
                try search(path, part, depth)
            } catch {
                unreadable.append((path.isEmpty ? "." : path, error.at(.fleet)))
            }
        }
    }

    private mutating func go(_ path: String, _ part: Int, depth: Int = 0) {
        guard seen.insert(Position(path: Array(path.utf8), part: part)).inserted else { return }
        waiting.append((path, part, depth))
    }

    private mutating func search(_ path: String, _ part: Int, _ depth: Int) throws(GodwitError) {
        let folder = path.isEmpty ? "." : path
        guard part < parts.count else {
            if try FileStatus.of(folder)?.isDirectory == true { folders.append(folder) }
            return
        }
        switch parts[part] {
        case .plain(let name): go(join(path, name), part + 1)
        case .pattern(let glob):
            guard try FileStatus.of(folder)?.isDirectory == true else { return }
            for name in try names(in: folder, path, fitting: glob) { go(join(path, name), part + 1) }
        case .anyDepth:
            // At the end, `**` matches the folders inside, not the folder itself.
            let isLast = part + 1 == parts.count
            if !isLast { go(path, part + 1) }
            guard depth < Self.depth, try FileStatus.of(folder)?.isDirectory == true else { return }
            for name in try names(in: folder, path, fitting: Glob("*"))
            where try FileStatus.ofLink(join(path, name))?.isDirectory == true {
                go(join(path, name), part, depth: depth + 1)
                if isLast { go(join(path, name), part + 1) }
            }
        }
    }

    private mutating func names(
        in folder: String, _ path: String, fitting glob: Glob
    ) throws(GodwitError) -> [String] {
        let found = try PathText.textNames(in: folder, stage: .fleet)
            .filter { glob.matches($0) && !PathText.isArchiveResidue($0) }
        for name in PathText.unreadableFolders(in: folder) where glob.matches(name) {
            unreadable.append((join(path, name), .nameWithoutText))
        }
        return found
    }

    private func join(_ path: String, _ name: String) -> String { path.isEmpty ? name : PathText.join(path, name) }
}

extension GodwitError {
    /// A folder whose name is not UTF-8 and therefore has no path as text.
    static var nameWithoutText: GodwitError {
        GodwitError(
            .fleet, .noInput, "the name of this folder is not UTF-8, so Godwit can't search it",
            hint: "Give it another name.")
    }
}
