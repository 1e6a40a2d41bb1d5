package import GodwitModel
internal import FoundationLite

extension Instant {
    /// The clock of all tests: 2026-11-21T06:00:00Z.
    package static let sampleNow = Instant(seconds: 1_795_240_800)
}

extension RunContext {
    /// A context with a fixed clock.
    ///
    /// Identifiers are new ones by default, since scratch folders of tests that run side by side are named after them;
    /// a test that looks at identifiers gives its own. The lock timeout is short: a test that has to wait says so.
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

/// Runs a body that must fail with Godwit's own error, and hands that error back; nil when it did not fail.
package func failure<R>(of body: () throws -> R) -> GodwitError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? GodwitError
    }
}
