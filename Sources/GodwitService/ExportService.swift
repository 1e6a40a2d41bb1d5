// Invariant: one task makes the exports one after another, so never two at once; the folder's lock excludes other
// processes. Stopping the service stops the current export, which leaves no files.

package import Godwit
package import GodwitModel
import Logging
import ServiceLifecycle
import UnixSignals

/// Exports into a folder at intervals, after changes of the stores, and when the network is back, until it is stopped.
package struct ExportService: Service {
    package struct Setup: Sendable {
        package var folder: String
        package var options: ExportOptions
        /// The interval as given.
        package var every: Span
        package var rules: ExportTimetable.Rules
        /// Reads the manifest; at the start and at every reload.
        package var makeMigration: @Sendable () throws -> Migration
        package var observe: @Sendable () throws(GodwitError) -> (Freshness.Account, Freshness.Network)
        package var world: ServiceEnvironment
        package var supervisor: SupervisorSocket
        /// Called with every event, one after another.
        package var log: @Sendable (ServiceEvent) -> Void

        package init(
            folder: String, options: ExportOptions, every: Span, debounce: Int64,
            makeMigration: @escaping @Sendable () throws -> Migration,
            observe: @escaping @Sendable () throws(GodwitError) -> (Freshness.Account, Freshness.Network),
            world: ServiceEnvironment = ServiceEnvironment(), supervisor: SupervisorSocket,
            log: @escaping @Sendable (ServiceEvent) -> Void
        ) {
            (self.folder, self.options, self.every, self.world) = (folder, options, every, world)
            rules = ExportTimetable.Rules(every: every.milliseconds, debounce: debounce)
            (self.makeMigration, self.observe, self.supervisor, self.log) = (makeMigration, observe, supervisor, log)
        }
    }

    /// Clocks and random numbers, which tests can replace.
    package struct ServiceEnvironment: Sendable {
        package var now: @Sendable () -> Instant = { ReportOutput.now }
        package var jitter: @Sendable () -> Double = { Double.random(in: 0...1) }
        /// Milliseconds between two checks of the files.
        package var lookMilliseconds: Int64 = 1_000

        package init() {}
    }

    let setup: Setup
    let heart: ActivityClock

    /// Throws if the manifest, the container or the folder cannot be used.
    package init(_ setup: Setup) throws {
        var setup = setup
        // Unchanged content is not exported again, and neither is an increment that equals the one before it.
        setup.options.skipsUnchanged = true
        self.setup = setup
        heart = ActivityClock()
        first = try setup.makeMigration()
        try first.requireFolder(setup.folder)
        try first.requireContainer()
        try first.requireExportable(setup.options)
        _ = try setup.observe()
    }

    private let first: Migration

    /// A new watch, which checks the files and exports.
    package func makeWatch() -> ExportWatch { ExportWatch(setup: setup, migration: first, heart: heart) }

    package func run() async throws {
        let reload = ReloadRequest()
        let hangUps = await UnixSignalsSequence(trapping: .sighup)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in hangUps { reload.raise() } }
            setup.supervisor.send("READY=1", "STATUS=Waiting for the first export.")
            note("export of \(first.app) into \(setup.folder), every \(setup.every.description) and on changes")
            try? await cancelWhenGracefulShutdown {
                var watch = makeWatch()
                while !Task.isCancelled {
                    if reload.take() { watch.reload() }
                    await watch.lookAndExport()
                    try await Task.sleep(for: .milliseconds(watch.pause))
                }
            }
            setup.supervisor.send("STOPPING=1")
            note("stopped")
            group.cancelAll()
        }
    }

    private func note(_ message: String) {
        setup.log(.note(ServiceNote(at: setup.world.now(), message: message)))
    }
}
