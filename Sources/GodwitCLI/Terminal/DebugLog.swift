import Logging
import Synchronization

/// The engine's debug messages: on standard error with `--verbose`, otherwise off.
enum DebugLog {
    private static let isStarted = Atomic<Bool>(false)

    /// Takes effect once, because a service makes a new pipeline at every reload.
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
