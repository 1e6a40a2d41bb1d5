import Foundation
import GodwitTestSupport
import Testing

/// Waits until something has happened, at most ``hangGuard``; then the test fails.
///
/// No test depends on how long anything takes.
func wait(
    for what: Comment, sourceLocation: SourceLocation = #_sourceLocation, until hasHappened: () throws -> Bool
) throws {
    let limit = ContinuousClock.now + .hangGuard
    while try !hasHappened() {
        try #require(ContinuousClock.now < limit, what, sourceLocation: sourceLocation)
        Thread.sleep(forTimeInterval: 0.02)
    }
}
