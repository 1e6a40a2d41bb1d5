package import GodwitModel

/// Works on one container after another; each thread of a fleet has its own worker.
package protocol FleetWorker: AnyObject {
    /// Works on a container; an error of the container is its result.
    ///
    /// Throws if no further container can be processed either.
    ///
    /// - Parameter since: When the first run began, for a resumed run.
    func perform(_ name: String, at path: String, since: Instant?) throws(GodwitError) -> ContainerResult
}

/// A worker in this process, for hosts that cannot start another process; a crash ends the whole fleet.
package final class LocalWorker: FleetWorker {
    private let work: ContainerWork
    private let cancellation: Cancellation

    package init(_ work: ContainerWork, cancellation: Cancellation) {
        (self.work, self.cancellation) = (work, cancellation)
    }

    package func perform(
        _ name: String, at path: String, since: Instant?
    ) throws(GodwitError) -> ContainerResult {
        work.perform(name, at: path, since: since, cancellation: cancellation)
    }
}
