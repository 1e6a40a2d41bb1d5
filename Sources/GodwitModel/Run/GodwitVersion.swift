/// The version of Godwit, by semantic versioning.
package enum GodwitVersion {
    /// The version in `godwit --version`, exports, receipts and the history.
    package static let current = "0.1.0"
}
