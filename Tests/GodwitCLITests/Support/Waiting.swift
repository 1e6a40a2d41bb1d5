import Foundation
import GodwitTestSupport
import Testing

/// Waits until something has happened, however long that takes on a slow machine; gives up, and fails, after ``hangGuard``.
///
/// No test goes by how long anything takes: this only says that it comes.
func wait(
    for what: Comment, sourceLocation: SourceLocation = #_sourceLocation, until hasHappened: () throws -> Bool
) throws {
    let limit = ContinuousClock.now + .hangGuard
    while try !hasHappened() {
        try #require(ContinuousClock.now < limit, what, sourceLocation: sourceLocation)
        Thread.sleep(forTimeInterval: 0.02)
    }
}
