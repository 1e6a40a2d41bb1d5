/// The result of applying a retention policy to the exports in a folder.
package struct ForgetReport: Sendable, Codable {
    /// Version of this format.
    package var reportVersion = 1
    /// `forget`.
    package var command = "forget"
    /// Version of Godwit.
    package var godwitVersion: String
    /// The folder as given.
    package var folder: String
    /// Whether this was a plan: nothing was removed.
    package var dryRun: Bool
    /// The clock, if it was set by an option.
    package var clock: SetClock?
    /// The policy as options, such as `--keep-daily 7`; empty for none, which keeps all exports.
    package var policy: [String]
    /// Exports that stay, by app and kind of export, newest first.
    package var kept: [RetainedExport]
    /// Exports that were removed, or would be removed, in the same order.
    package var removed: [RetainedExport]
    /// Files that stay because they are incomplete exports, or because another process changed them during the run.
    package var leftAlone: [String]

    /// A report.
    package init(
        godwitVersion: String, folder: String, dryRun: Bool, policy: [String], kept: [RetainedExport],
        removed: [RetainedExport], leftAlone: [String]
    ) {
        (self.godwitVersion, self.folder, self.dryRun, self.policy) = (godwitVersion, folder, dryRun, policy)
        (self.kept, self.removed, self.leftAlone) = (kept, removed, leftAlone)
    }
}

/// An export on which a retention policy decided.
package struct RetainedExport: Sendable, Codable, Hashable {
    /// Its name in the folder.
    package var file: String
    /// The app of the export.
    package var app: String
    /// The exported entities; nil for all.
    package var selection: [String]?
    /// Whether it is an increment.
    package var isIncrement: Bool
    /// When it was exported.
    package var exportedAt: Instant
    /// Its size on disk in bytes.
    package var bytes: Int64
    /// Why it stays; empty for an export that is removed.
    package var reasons: [String]

    /// An export.
    package init(
        file: String, app: String, selection: [String]?, isIncrement: Bool, exportedAt: Instant, bytes: Int64,
        reasons: [String]
    ) {
        (self.file, self.app, self.selection, self.isIncrement) = (file, app, selection, isIncrement)
        (self.exportedAt, self.bytes, self.reasons) = (exportedAt, bytes, reasons)
    }
}
