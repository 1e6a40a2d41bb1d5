import Logging

/// What the engine says of its steps: to standard error under `--verbose`, else to nobody.
enum DebugLog {
    static func start(isVerbose: Bool) {
        LoggingSystem.bootstrap { label in
            guard isVerbose else { return SwiftLogNoOpLogHandler() }
            var handler = StreamLogHandler.standardError(label: label)
            handler.logLevel = .debug
            return handler
        }
    }
}
