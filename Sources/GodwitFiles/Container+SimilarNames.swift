package import GodwitModel

/// Files whose paths differ from a named one only by letter case, by Unicode form, or as a placeholder of iCloud Drive.
///
/// If the file system distinguishes such names, the named file seems to be missing. Godwit would create a new store,
/// and would never copy the records in the other one.
extension Container {
    /// Throws (66) if a named file is missing and one with a similar path exists.
    package func requireNoSimilarFile(to relative: String) throws(GodwitError) {
        let bases = [root] + groups
        for base in bases where try FileStatus.ofLink(PathText.join(base, relative)) != nil { return }
        for base in bases {
            guard let found = Self.similarFiles(to: relative, in: base).first else { continue }
            throw Self.misnamed(relative, found)
        }
    }

    /// Throws (66) if iCloud Drive has a placeholder of a named file.
    ///
    /// Also if a file of that name exists: an app that did not find its store may have created an empty one.
    package func requireNoPlaceholder(of relative: String) throws(GodwitError) {
        let name = Self.placeholder(of: PathText.lastPart(of: relative))
        // A name that is too long for the affixes has no placeholder.
        guard name.utf8.count <= PathText.maxNameBytes else { return }
        let path = relative.contains("/") ? PathText.join(PathText.directory(of: relative), name) : name
        for base in [root] + groups where try FileStatus.ofLink(PathText.join(base, path)) != nil {
            throw Self.misnamed(relative, path)
        }
    }

    /// Other files with a path similar to that of a named file; empty if the named file does not exist.
    ///
    /// On a file system that does not distinguish the names, both paths refer to one file, which is not returned.
    package func namesakes(of relative: String) throws(GodwitError) -> [String] {
        var named: FileStatus?
        for place in places where named == nil { named = try FileStatus.of(PathText.join(place, relative)) }
        guard let named else { return [] }
        return places.flatMap { place in
            Self.similarFiles(to: relative, in: place).filter {
                (try? FileStatus.of(PathText.join(place, $0)))?.isSameFile(as: named) == false
            }
        }
    }

    /// Whether a folder has a file with a path similar to one of these.
    ///
    /// The folder is listed once, and further folders only if a first part matches.
    package static func hasSimilarFile(to paths: [String], in base: String) -> Bool {
        let names = Set(((try? PathText.textNames(in: base, stage: .container)) ?? []).map(folded))
        return paths.contains { path in
            let first = path.split(separator: "/").first.map(String.init) ?? path
            let isBegun = names.contains(folded(first)) || names.contains(folded(placeholder(of: first)))
            return isBegun && !similarFiles(to: path, in: base).isEmpty
        }
    }

    /// Paths in a folder that are similar to a relative one and are not folders; sorted by bytes.
    package static func similarFiles(to relative: String, in base: String) -> [String] {
        let parts = relative.split(separator: "/").map(String.init).filter { $0 != "." }
        guard !parts.contains("..") else { return [] }
        var paths = [""]
        var placeholders: [String] = []
        for part in parts {
            let (name, placeholder) = (folded(part), folded(Self.placeholder(of: part)))
            var next: [String] = []
            for folder in paths {
                let full = folder.isEmpty ? base : PathText.join(base, folder)
                // A folder that cannot be read is reported by the code that needs it.
                for found in (try? PathText.textNames(in: full, stage: .container)) ?? [] {
                    let path = folder.isEmpty ? found : PathText.join(folder, found)
                    if folded(found) == name { next.append(path) }
                    if folded(found) == placeholder { placeholders.append(path) }
                }
            }
            paths = next
        }
        let files = paths.filter { (try? FileStatus.ofLink(PathText.join(base, $0)))?.isDirectory == false }
        return (files + placeholders).filter { !$0.utf8.elementsEqual(relative.utf8) }
    }

    /// The name of the placeholder that iCloud Drive keeps for a file that it has not downloaded.
    private static func placeholder(of name: String) -> String { ".\(name).icloud" }

    // Removes case, in two steps because of `ß` and `SS`. Swift already compares strings by canonical equivalence.
    private static func folded(_ name: String) -> String { name.uppercased().lowercased() }

    private static func misnamed(_ relative: String, _ found: String) -> GodwitError {
        if PathText.lastPart(of: found).lowercased().hasSuffix(".icloud") {
            return .notDownloaded(relative, placeholder: found, stage: .container)
        }
        let difference = relative == found ? "the Unicode form of letters" : "letter case"
        return GodwitError(
            .container, .noInput,
            "`\(relative)` does not exist, but `\(found)` does; the two differ only in \(difference)",
            hint: "Write the path in the manifest exactly as the file has it. If the app opens the manifest's path, "
                + "move the file there, with its `-wal`.")
    }
}

extension GodwitError {
    /// iCloud Drive has only a placeholder of the file (66).
    package static func notDownloaded(_ name: String, placeholder: String, stage: GodwitError.Stage) -> GodwitError {
        GodwitError(
            stage, .noInput,
            "`\(placeholder)` is the placeholder of `\(name)`, which iCloud Drive has not downloaded",
            hint: "Download the file in Finder or the Files app, then run the same command again.")
    }
}
