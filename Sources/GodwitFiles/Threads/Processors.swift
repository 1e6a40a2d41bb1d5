internal import CSystemShim

package enum Processors {
    /// The number of processors that this process may use, at least 1.
    package static var count: Int { max(1, Int(godwit_processor_count())) }
}
