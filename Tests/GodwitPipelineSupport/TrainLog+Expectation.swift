package import Godwit
package import GodwitModel
import GodwitTestSupport

extension TrainLog {
    /// The name of a test's expectation file, next to the container.
    package static let expectation = "expected.json"

    /// Compares with the expectation, or writes it.
    @discardableResult
    package func verify(
        updating: Bool = false, _ name: String = expectation,
        options change: (inout MigrationOptions) -> Void = { _ in }
    ) throws -> RunReport {
        try migration(change).verify(expecting: folder[name], updating: updating)
    }
}
