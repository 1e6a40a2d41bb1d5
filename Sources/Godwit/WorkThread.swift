internal import Dispatch

/// Blocking work off the cooperative pool: file and database calls must not starve other tasks.
enum WorkThread {
    static func start(_ body: @escaping @Sendable () -> Void) {
        DispatchQueue.global(qos: .userInitiated).async(execute: body)
    }
}
