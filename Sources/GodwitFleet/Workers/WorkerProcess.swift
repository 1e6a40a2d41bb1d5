internal import Godwit
package import GodwitModel
internal import FoundationLite

/// A worker in its own process: a crash or a lack of memory costs one container.
///
/// It starts with the first container, and again after it died. It runs this program with the same options and one
/// hidden flag; `WorkerLoop` is the other side.
package final class WorkerProcess: FleetWorker {
    package struct Launch: Sendable {
        package var program: String
        /// The program's name, then its arguments.
        package var words: [String]
        package var command: FleetCommand
        /// The digest of the settings; a worker with another digest, for example after a change of the manifest, does
        /// nothing.
        package var settings: String

        package init(program: String, words: [String], command: FleetCommand, settings: String) {
            (self.program, self.words, self.command, self.settings) = (program, words, command, settings)
        }
    }

    private let launch: Launch
    private let cancellation: Cancellation
    private var child: ChildProcess?

    package init(_ launch: Launch, cancellation: Cancellation) {
        (self.launch, self.cancellation) = (launch, cancellation)
    }

    package func perform(
        _ name: String, at path: String, since: Instant?
    ) throws(GodwitError) -> ContainerResult {
        let start = ContinuousClock.now
        var result = try attempt(name, path, since)
        // Another process asked the worker to end, and it ended before it began this container.
        if result == nil, !cancellation.isCancelled { result = try attempt(name, path, since) }
        guard var result else {
            return failed(
                name, GodwitError(.fleet, cancellation.code ?? .terminated, "the worker was asked to end"), start)
        }
        if result.entry.durationMilliseconds == nil {
            result.entry.durationMilliseconds = start.duration(to: .now).milliseconds
        }
        return result
    }

    /// Sends a container to the child; nil if the child ended before it began.
    private func attempt(
        _ name: String, _ path: String, _ since: Instant?
    ) throws(GodwitError) -> ContainerResult? {
        if child == nil, let words = try begin() { return died(name, path, words) }
        let order = ContainerResult.json(WorkerOrder(container: name, path: path, since: since)) + [0x0A]
        if child?.write(order) == true, let entry = readLine(), let report = readLine(),
            let decoded = try? JSONDecoder().decode(FleetEntry.self, from: Data(entry))
        {
            return ContainerResult(entry: decoded, report: report)
        }
        let ending = end()
        return ending?.code == 0 ? nil : died(name, path, ending?.words ?? "ended")
    }

    /// Starts a child; nil if it is ready, otherwise the signal that ended it.
    private func begin() throws(GodwitError) -> String? {
        child = try ChildProcess(launch.program, launch.words)
        guard let words = readLine() else {
            let ending = end()
            guard ending?.code != nil, !cancellation.isCancelled else { return ending?.words ?? "ended" }
            throw GodwitError(
                .fleet, ending?.code.flatMap(GodwitError.Code.init) ?? .bug,
                "a worker \(ending?.words ?? "ended") before it started",
                hint: "Run the same command again: it repeats nothing that is complete.")
        }
        guard words == Array(launch.settings.utf8) else {
            child = nil
            throw GodwitError(
                .fleet, .data, "the manifest or a schema file was changed during the run of the fleet",
                hint: "Run the command again when they no longer change.")
        }
        return nil
    }

    private func died(_ name: String, _ path: String, _ words: String) -> ContainerResult {
        // It was asked to end, as this process was.
        if let code = cancellation.code { return failed(name, GodwitError(.fleet, code, "cancelled")) }
        return failed(
            name,
            GodwitError(
                .fleet, .bug, "the worker \(words) at this container",
                hint:
                    "Run it for this container: `godwit \(launch.command.rawValue) -c \(path)`; if memory "
                    + "is short, use fewer --jobs."))
    }

    private func failed(
        _ name: String, _ error: GodwitError, _ start: ContinuousClock.Instant? = nil
    ) -> ContainerResult {
        var entry = FleetEntry(container: name, command: launch.command, error: error)
        entry.durationMilliseconds = start?.duration(to: .now).milliseconds
        return ContainerResult(entry: entry, report: [])
    }

    /// Reads the child's next line; a request to stop this process is passed to the child.
    private func readLine() -> [UInt8]? {
        child?.readLine { [cancellation] in cancellation.isCancelled }
    }

    /// Waits for the end of the child; the next container starts a new one.
    private func end() -> (words: String, code: Int32?)? {
        defer { child = nil }
        return child?.end()
    }
}

/// The container that a worker should process.
struct WorkerOrder: Codable {
    var container: String
    var path: String
    /// When the first run began, for a resumed run.
    var since: Instant?
}
