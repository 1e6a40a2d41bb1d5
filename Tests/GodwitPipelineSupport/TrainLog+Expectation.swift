package import Godwit
package import GodwitModel
import GodwitTestSupport

extension TrainLog {
    /// The file that a test keeps its expectation in, beside the container.
    package static let expectation = "expected.json"

    /// Compares with the expectation, or writes it.
    @discardableResult
    package func verify(
        updating: Bool = false, _ name: String = expectation,
        options change: (inout PipelineOptions) -> Void = { _ in }
    ) throws -> RunReport {
        try pipeline(change).verify(expecting: folder[name], updating: updating)
    }
}
