package import GodwitModel

/// Does the work in one container after another; each thread of a fleet has one of its own.
package protocol FleetWorker: AnyObject {
    /// Does it; what goes wrong in the container is its result. Throws where no further container can be done either.
    ///
    /// - Parameter since: when the first pass began, where this one goes on.
    func perform(_ name: String, at path: String, since: Instant?) throws(GodwitError) -> ContainerResult
}

/// A worker in this very process, for hosts that can't start another: a crash is that of all.
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
