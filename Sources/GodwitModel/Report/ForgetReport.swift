/// The result of applying a retention policy to the exports in a folder.
public struct ForgetReport: Sendable, Codable {
    /// Version of this format.
    public var reportVersion = 1
    /// `forget`.
    public var command = "forget"
    /// Version of Godwit.
    public var godwitVersion: String
    /// The folder as given.
    public var folder: String
    /// Whether this was a plan: nothing was removed.
    public var dryRun: Bool
    /// The clock, if it was set by an option.
    public var clock: SetClock?
    /// The policy as options, such as `--keep-daily 7`; empty for none, which keeps all exports.
    public var policy: [String]
    /// Exports that stay, by app and kind of export, newest first.
    public var kept: [RetainedExport]
    /// Exports that were removed, or would be removed, in the same order.
    public var removed: [RetainedExport]
    /// Files that stay because they are incomplete exports, or because another process changed them during the run.
    public var leftAlone: [String]

    /// A report.
    public init(
        godwitVersion: String, folder: String, dryRun: Bool, policy: [String], kept: [RetainedExport],
        removed: [RetainedExport], leftAlone: [String]
    ) {
        (self.godwitVersion, self.folder, self.dryRun, self.policy) = (godwitVersion, folder, dryRun, policy)
        (self.kept, self.removed, self.leftAlone) = (kept, removed, leftAlone)
    }
}

/// An export on which a retention policy decided.
public struct RetainedExport: Sendable, Codable, Hashable {
    /// Its name in the folder.
    public var file: String
    /// The app of the export.
    public var app: String
    /// The exported entities; nil for all.
    public var selection: [String]?
    /// Whether it is an increment.
    public var isIncrement: Bool
    /// When it was exported.
    public var exportedAt: Instant
    /// Its size on disk in bytes.
    public var bytes: Int64
    /// Why it stays; empty for an export that is removed.
    public var reasons: [String]

    /// An export.
    public init(
        file: String, app: String, selection: [String]?, isIncrement: Bool, exportedAt: Instant, bytes: Int64,
        reasons: [String]
    ) {
        (self.file, self.app, self.selection, self.isIncrement) = (file, app, selection, isIncrement)
        (self.exportedAt, self.bytes, self.reasons) = (exportedAt, bytes, reasons)
    }
}
