package import GodwitModel
internal import FoundationLite

extension Instant {
    /// The fixed time of all tests: 2026-11-21T06:00:00Z.
    package static let sampleNow = Instant(seconds: 1_795_240_800)
}

extension RunContext {
    /// A context with a fixed clock.
    ///
    /// Identifiers are new by default, because scratch folders of parallel tests are named after them; a test that
    /// checks identifiers passes its own. The lock timeout is short: a test that needs to wait sets its own.
    package static func sample(
        now: Instant = .sampleNow,
        makeIdentifier: @escaping @Sendable () -> String = { UUID().uuidString },
        cancellation: Cancellation = Cancellation(),
        lockTimeoutMilliseconds: Int = 0,
        progress: @escaping @Sendable (RunProgress) -> Void = { _ in },
        faultPoint: @escaping @Sendable (FaultPoint) throws(GodwitError) -> Void = { _ throws(GodwitError) in }
    ) -> RunContext {
        RunContext(
            now: now, makeIdentifier: makeIdentifier, cancellation: cancellation,
            lockTimeoutMilliseconds: lockTimeoutMilliseconds, progress: progress, faultPoint: faultPoint)
    }
}

/// Runs a body that is expected to fail, and returns its `GodwitError`; nil when it succeeds.
package func failure<R>(of body: () throws -> R) -> GodwitError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? GodwitError
    }
}
