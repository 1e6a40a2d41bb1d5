internal import CSystemShim

/// The processors of this computer.
package enum Processors {
    /// How many of them this process may use, at least 1.
    package static var count: Int { max(1, Int(godwit_processor_count())) }
}
