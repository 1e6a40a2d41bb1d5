package import GodwitModel

/// Files whose paths differ from a named one only by letter case, by Unicode form, or as a placeholder of iCloud Drive.
///
/// Where the file system tells such names apart, the named file looks missing: a new store would be made in its place, and
/// the records in the other one would never be copied.
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

    /// Throws (66) if iCloud Drive keeps the place of a named file, even if a file of that name exists: an app that did not
    /// find its store may have made an empty one.
    package func requireNoPlaceholder(of relative: String) throws(GodwitError) {
        let name = Self.placeholder(of: PathText.lastPart(of: relative))
        // A file whose own name leaves no room for it has no placeholder.
        guard name.utf8.count <= PathText.maxNameBytes else { return }
        let path = relative.contains("/") ? PathText.join(PathText.directory(of: relative), name) : name
        for base in [root] + groups where try FileStatus.ofLink(PathText.join(base, path)) != nil {
            throw Self.misnamed(relative, path)
        }
    }

    /// Other files with a path similar to that of a named file; none if the named file does not exist.
    ///
    /// Where the file system does not tell the names apart, both lead to one file.
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

    /// Whether a folder has a file with a path similar to one of these; one that has not is listed only once.
    package static func hasSimilarFile(to paths: [String], in base: String) -> Bool {
        let names = Set(((try? PathText.textNames(in: base, stage: .container)) ?? []).map(folded))
        return paths.contains { path in
            let first = path.split(separator: "/").first.map(String.init) ?? path
            let isBegun = names.contains(folded(first)) || names.contains(folded(placeholder(of: first)))
            return isBegun && !similarFiles(to: path, in: base).isEmpty
        }
    }

    /// Paths in a folder that are similar to a relative one and lead to something that is not a folder; sorted by bytes.
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
                // A folder that can't be read is reported where the command needs it.
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

    /// The name under which iCloud Drive keeps the place of a file that it has not downloaded.
    private static func placeholder(of name: String) -> String { ".\(name).icloud" }

    /// Swift compares strings by canonical equivalence, so only case has to go; in two steps, as `ß` and `SS` need.
    private static func folded(_ name: String) -> String { name.uppercased().lowercased() }

    private static func misnamed(_ relative: String, _ found: String) -> GodwitError {
        if PathText.lastPart(of: found).lowercased().hasSuffix(".icloud") {
            return .notDownloaded(relative, placeholder: found, stage: .container)
        }
        let difference = relative == found ? "the Unicode form of letters" : "upper and lower case"
        return GodwitError(
            .container, .noInput,
            "\(relative) is not there, but \(found) is. The two differ only in \(difference).",
            hint: "Write the path in the manifest exactly as the file has it.")
    }
}

extension GodwitError {
    /// That iCloud Drive only keeps the place of a file (66).
    package static func notDownloaded(_ name: String, placeholder: String, stage: Stage) -> GodwitError {
        GodwitError(
            stage, .noInput,
            "\(placeholder) only keeps the place of \(name): iCloud Drive has not downloaded the file.",
            hint: "Download it in Finder or the Files app, then run the same command again.")
    }
}
