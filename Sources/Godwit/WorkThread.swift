internal import GodwitModel
#if canImport(Darwin) && !os(macOS)
    internal import FoundationLite
#else
    internal import Dispatch
#endif

/// Blocking work off the cooperative pool: file and database calls must not starve other tasks.
enum WorkThread {
    /// - Parameter cancellation: cancelled when the system is about to suspend the app.
    static func start(_ cancellation: Cancellation, _ body: @escaping @Sendable () -> Void) {
        #if canImport(Darwin) && !os(macOS)
            let work = ExpiringWork(cancellation, body)
            ProcessInfo.processInfo.performExpiringActivity(withReason: "Godwit") { work.call(isExpired: $0) }
        #else
            DispatchQueue.global(qos: .userInitiated).async(execute: body)
        #endif
    }
}
