import ServiceLifecycle

/// Tells the supervisor that the service lives, as long as it does something.
///
/// A look at the files, or progress of an export, counts as life. Some steps of an export, such as SQLite's check of a large
/// store, show no progress; so it takes long silence to be taken for dead.
package struct Watchdog: Service {
    /// How long an export may go on without any progress.
    package static let longestSilence: Int64 = 900_000

    private let socket: SupervisorSocket
    private let heart: ActivityClock

    package init(_ service: ExportService) {
        (socket, heart) = (service.setup.supervisor, service.heart)
    }

    /// Runs until the service stops; at once where nobody watches.
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
