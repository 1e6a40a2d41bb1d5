import ServiceLifecycle

/// Reports to the supervisor that the service is alive, while there is activity.
///
/// A check of the files or progress of an export is activity. Some steps of an export, such as SQLite's check of a
/// large store, report no progress, so only a long silence counts as dead.
package struct Watchdog: Service {
    /// Milliseconds that an export may run without progress.
    package static let longestSilence: Int64 = 900_000

    private let socket: SupervisorSocket
    private let heart: ActivityClock

    package init(_ service: ExportService) {
        (socket, heart) = (service.setup.supervisor, service.heart)
    }

    /// Runs until the service stops; without a watchdog it only waits.
    package func run() async throws {
        guard let interval = socket.watchdogMilliseconds else {
            return try await gracefulShutdown()
        }
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                if Self.isAlive(silence: heart.silence) { socket.send("WATCHDOG=1") }
                try await Task.sleep(for: .milliseconds(max(1, interval / 2)))
            }
        }
    }

    package static func isAlive(silence: Int64) -> Bool { silence < longestSilence }
}
