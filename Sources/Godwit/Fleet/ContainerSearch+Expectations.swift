internal import GodwitFiles
internal import GodwitModel

/// Finds expectations without a container, so that a lost container is reported.
extension ContainerSearch {
    /// Where a container's expectation is, below the folder of all.
    static func expectationName(of container: String) -> String {
        container == "." ? "container.json" : container + ".json"
    }

    /// Finds the containers in a folder, the missing containers of expectations, and folders that only look like
    /// containers.
    func find(below folder: String, expecting expectations: String?) throws(GodwitError) -> Found {
        var found = try find(below: folder)
        if let expectations, let status = try FileStatus.of(expectations), !status.isDirectory {
            throw GodwitError(
                .verify, .noInput, "`\(expectations)` is not a folder",
                hint: "Name the folder that has an expectation for each container.")
        }
        if let expectations { try found.addExpected(by: expectations, in: folder) }
        try addStrays(to: &found, below: folder)
        return found
    }

    /// The paths of all expectations below a folder; files that are none don't count, and links are not followed.
    fileprivate static func expectations(below root: String) throws(GodwitError) -> [String] {
        var found: [String] = []
        var waiting = [(path: "", depth: 0)]
        while let (path, depth) = waiting.popLast() {
            for name in PathText.names(in: path.isEmpty ? root : PathText.join(root, path)) {
                guard !PathText.isArchiveResidue(name) else { continue }
                let inside = path.isEmpty ? name : "\(path)/\(name)"
                let whole = PathText.join(root, inside)
                guard let status = try FileStatus.ofLink(whole) else { continue }
                if status.isDirectory, depth < Self.depth { waiting.append((inside, depth + 1)) }
                guard status.isRegularFile, name.hasSuffix(".json"),
                    (try? ExpectationFile(path: whole).read()) != nil
                else { continue }
                found.append(inside)
            }
        }
        return found
    }
}

extension ContainerSearch.Found {
    /// Adds what an expectation speaks of and the search did not take for a container: a folder, which may have lost all
    /// of the app's files or never had one, or nothing at all.
    fileprivate mutating func addExpected(by expectations: String, in folder: String) throws(GodwitError) {
        let known = Set(containers.map { Array(ContainerSearch.expectationName(of: $0).utf8) })
        for path in try ContainerSearch.expectations(below: expectations) where !known.contains(Array(path.utf8)) {
            let name = path == "container.json" ? "." : String(path.dropLast(".json".count))
            let place = name == "." ? folder : PathText.join(folder, name)
            if try FileStatus.of(place)?.isDirectory == true {
                containers.append(name)
            } else if name != "." {
                unreadable.append(
                    (
                        name,
                        GodwitError(
                            .container, .noInput,
                            "no container at `\(place)`, but the expectation "
                                + "`\(PathText.join(expectations, path))` exists",
                            hint: "Put the container back, or remove the expectation.")
                    ))
            }
        }
        containers.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
