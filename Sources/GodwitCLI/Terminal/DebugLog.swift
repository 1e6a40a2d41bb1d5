import Logging
import Synchronization

/// The engine's debug messages: on standard error with `--verbose`, otherwise off.
enum DebugLog {
    private static let isStarted = Atomic<Bool>(false)

    /// Takes effect once, because a service makes a new pipeline at every reload.
    static func start(isVerbose: Bool) {
        guard !isStarted.exchange(true, ordering: .relaxed) else { return }
        LoggingSystem.bootstrap { _ in
            guard isVerbose else { return SwiftLogNoOpLogHandler() }
            return StandardErrorLog()
        }
    }
}

/// Writes one line for each event, in the form of the other messages: `godwit: debug: read the stores (copy: done)`.
struct StandardErrorLog: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.debug

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        ProcessSetup.writeError(Array((line(for: event) + "\n").utf8))
    }

    private func line(for event: LogEvent) -> String {
        let facts = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
        let words = facts.isEmpty ? "" : " (\(facts.map { "\($0.key): \($0.value)" }.joined(separator: ", ")))"
        return "godwit: \(event.level): \(event.message)\(words)"
    }
}
