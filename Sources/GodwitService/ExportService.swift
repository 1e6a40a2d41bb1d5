// Invariant: exports are made one after the other in one task, so never two at once; the folder's own lock keeps those of
// other processes out. Whatever stops the service stops the export at work, which leaves nothing behind.

package import Godwit
package import GodwitModel
import Logging
import ServiceLifecycle
import UnixSignals

/// Exports into a folder at intervals, when stores were written and when the network is back, until it is told to stop.
package struct ExportService: Service {
    /// What the service is told by whoever starts it.
    package struct Setup: Sendable {
        package var folder: String
        package var options: ExportOptions
        /// The interval as it was given.
        package var every: Span
        package var rules: ExportTimetable.Rules
        /// Reads the manifest; at the start and whenever the service is told to reload.
        package var makePipeline: @Sendable () throws -> Pipeline
        /// Asks how account and network are.
        package var observe: @Sendable () throws(GodwitError) -> (AccountAvailability, NetworkState)
        package var world: ServiceEnvironment
        package var supervisor: SupervisorSocket
        /// Told of everything that happens, one event after the other.
        package var log: @Sendable (ServiceEvent) -> Void

        package init(
            folder: String, options: ExportOptions, every: Span, debounce: Int64,
            makePipeline: @escaping @Sendable () throws -> Pipeline,
            observe: @escaping @Sendable () throws(GodwitError) -> (AccountAvailability, NetworkState),
            world: ServiceEnvironment = ServiceEnvironment(), supervisor: SupervisorSocket,
            log: @escaping @Sendable (ServiceEvent) -> Void
        ) {
            (self.folder, self.options, self.every, self.world) = (folder, options, every, world)
            rules = ExportTimetable.Rules(every: every.milliseconds, debounce: debounce)
            (self.makePipeline, self.observe, self.supervisor, self.log) = (makePipeline, observe, supervisor, log)
        }
    }

    /// Clocks and chance, injected so that tests can fix them.
    package struct ServiceEnvironment: Sendable {
        package var now: @Sendable () -> Instant = { ReportOutput.now }
        package var jitter: @Sendable () -> Double = { Double.random(in: 0...1) }
        /// Between two looks at the files.
        package var lookMilliseconds: Int64 = 1_000

        package init() {}
    }

    let setup: Setup
    let heart: ActivityClock

    /// A service; throws what is wrong with the manifest, the container or the folder before it begins.
    package init(_ setup: Setup) throws {
        var setup = setup
        // What did not change is not exported again, an increment that equals the one before it included.
        setup.options.skipsUnchanged = true
        self.setup = setup
        heart = ActivityClock()
        first = try setup.makePipeline()
        try first.requireFolder(setup.folder)
        try first.requireContainer()
        try first.requireExportable(setup.options)
        _ = try setup.observe()
    }

    private let first: Pipeline

    /// What looks at the files and exports, at its beginning.
    package func makeWatch() -> ExportWatch { ExportWatch(setup: setup, pipeline: first, heart: heart) }

    /// Runs until it is told to stop.
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
