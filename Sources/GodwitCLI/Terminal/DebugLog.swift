import Logging
import Synchronization

/// What the engine says of its steps: to standard error under `--verbose`, else to nobody.
enum DebugLog {
    private static let isStarted = Atomic<Bool>(false)

    /// Takes effect once: a service makes its pipeline anew whenever it is told to reload.
    static func start(isVerbose: Bool) {
        guard !isStarted.exchange(true, ordering: .relaxed) else { return }
        LoggingSystem.bootstrap { label in
            guard isVerbose else { return SwiftLogNoOpLogHandler() }
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = .debug
            return handler
        }
    }
}
