internal import Dispatch
package import GodwitModel
internal import GodwitStore
internal import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The same command for every container below a folder.
extension Pipeline {
    /// Verifies every container below a folder, on all cores; one that can't be read does not stop the others.
    ///
    /// No more containers are at work at a time than there are cores, and of each only what its entry says is kept.
    ///
    /// - Parameters:
    ///   - expectations: the folder that has an expectation for each container, at its path with `.json`; nil for none.
    ///   - updating: whether the expectations are written anew.
    ///   - output: where the report will go: never under the name of one of the apps' own files (73).
    ///
    /// Throws `GodwitError` 66 where there is no such folder, or no container below it.
    package func verifyAll(
        below folder: String, expecting expectations: String? = nil, updating: Bool = false, output: String? = nil,
        cancellation: Cancellation = Cancellation(), progress: @escaping @Sendable (Progress) -> Void = { _ in }
    ) throws(GodwitError) -> FleetReport {
        let (start, now) = (ContinuousClock.now, options.now ?? World.now)
        guard let status = try FileStatus.of(folder), status.isDirectory else {
            throw GodwitError(
                .verify, .noInput, "There is no folder \(folder).", hint: "Name the folder that holds the containers.")
        }
        let found = try ContainerSearch(manifest: manifest, cancellation: cancellation)
            .find(below: folder, expecting: expectations)
        guard !found.containers.isEmpty || !found.unreadable.isEmpty else {
            throw GodwitError(
                .verify, .noInput, "There is no container of \(manifest.app) below \(folder).",
                hint: "A container is a folder in which a file is that the manifest names; check the manifest's paths.")
        }
        if let output {
            for name in found.containers { try at(name, in: folder).requireUnreserved(output: output) }
        }
        if let expectations, updating { try PathText.makeDirectories(expectations) }
        let entries = Mutex<[FleetEntry]>(found.unreadable.map { FleetEntry(container: $0.folder, error: $0.error) })
        let next = Atomic(0)
        let total = found.containers.count
        DispatchQueue.concurrentPerform(iterations: min(total, Self.cores)) { _ in
            while !cancellation.isCancelled {
                let index = next.add(1, ordering: .relaxed).oldValue
                guard index < total else { return }
                let name = found.containers[index]
                let entry = entry(of: name, in: folder, expectations, updating, cancellation)
                let done = entries.withLock { entries in
                    entries.append(entry)
                    return entries.count
                }
                progress(Progress(stage: .verify, completed: Int64(done), total: Int64(total)))
            }
        }
        try cancellation.check(.verify)
        return FleetReport(
            command: Command.verify.rawValue, app: manifest.app, folder: folder, godwitVersion: GodwitVersion.current,
            startedAt: now, durationMilliseconds: start.duration(to: .now).milliseconds,
            containers: entries.withLock { $0 }.sorted {
                $0.container.utf8.lexicographicallyPrecedes($1.container.utf8)
            })
    }

    private func entry(
        of name: String, in folder: String, _ expectations: String?, _ updating: Bool, _ cancellation: Cancellation
    ) -> FleetEntry {
        let one = at(name, in: folder)
        do throws(GodwitError) {
            guard let expectations else {
                let report = try one.perform(.verify, dryRun: false, cancellation: cancellation)
                return FleetEntry(container: name, report: report)
            }
            let path = PathText.join(expectations, ContainerSearch.expectationName(of: name))
            if updating { try PathText.makeDirectories(PathText.directory(of: path), inside: expectations) }
            let report = try one.verify(expecting: path, updating: updating, cancellation: cancellation)
            return FleetEntry(container: name, report: report)
        } catch {
            return FleetEntry(container: name, error: error)
        }
    }

    /// The same pipeline over another container.
    private func at(_ name: String, in folder: String) -> Pipeline {
        var one = self
        one.location = name == "." ? folder : PathText.join(folder, name)
        return one
    }

    private static var cores: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }
}
