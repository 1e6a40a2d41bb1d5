/// The version of Godwit, by semantic versioning.
public enum GodwitVersion {
    /// The version in `godwit --version`, exports, receipts and the history.
    public static let current = "0.1.0"
}
