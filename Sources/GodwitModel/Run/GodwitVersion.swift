/// The version of this Godwit, by semantic versioning.
public enum GodwitVersion {
    /// As `godwit --version` prints it and exports, receipts and history carry it.
    public static let current = "0.1.0"
}
