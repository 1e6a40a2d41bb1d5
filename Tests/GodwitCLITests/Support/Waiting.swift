import Foundation
import Testing

/// Waits until something has happened, however long that takes on a slow machine; gives up, and fails, after two minutes.
///
/// No test goes by how long anything takes: this only says that it comes.
func wait(
    for what: Comment, sourceLocation: SourceLocation = #_sourceLocation, until hasHappened: () throws -> Bool
) throws {
    let limit = ContinuousClock.now + .seconds(120)
    while try !hasHappened() {
        try #require(ContinuousClock.now < limit, what, sourceLocation: sourceLocation)
        Thread.sleep(forTimeInterval: 0.02)
    }
}
