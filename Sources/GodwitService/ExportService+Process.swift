import Dispatch
package import Logging
import ServiceLifecycle
import Synchronization
import UnixSignals

extension ExportService {
    /// Runs until SIGTERM or SIGINT; the calling thread waits.
    ///
    /// - Throws: An error of the service itself; failed exports are logged and tried again.
    package func runUntilStopped(logger: Logger) throws {
        let group = ServiceGroup(
            configuration: .init(
                services: [.init(service: self), .init(service: Watchdog(self))],
                gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
        let failure = Mutex<(any Error)?>(nil)
        let end = DispatchSemaphore(value: 0)
        Task.detached {
            do { try await group.run() } catch { failure.withLock { $0 = error } }
            end.signal()
        }
        end.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }
}
