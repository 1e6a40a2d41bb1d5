/// What a retention policy made of the exports in a folder.
public struct ForgetReport: Sendable, Codable {
    /// Version of this format.
    public var reportVersion = 1
    /// `forget`.
    public var command = "forget"
    /// Version of Godwit.
    public var godwitVersion: String
    /// The folder as given.
    public var folder: String
    /// Whether nothing was removed because this was a rehearsal.
    public var dryRun: Bool
    /// The clock, if it was set by hand.
    public var clock: SetClock?
    /// The policy, as options: `--keep-daily 7`; empty for none, which keeps all.
    public var policy: [String]
    /// What stays, by app and kind of export, each the newest first.
    public var kept: [RetainedExport]
    /// What was removed, or would be, likewise.
    public var removed: [RetainedExport]
    /// What looks like an export and is not whole, so that it counts for nothing, or was changed meanwhile: it stays.
    public var leftAlone: [String]

    /// A report.
    public init(
        godwitVersion: String, folder: String, dryRun: Bool, policy: [String], kept: [RetainedExport],
        removed: [RetainedExport], leftAlone: [String]
    ) {
        self.godwitVersion = godwitVersion
        self.folder = folder
        self.dryRun = dryRun
        self.policy = policy
        self.kept = kept
        self.removed = removed
        self.leftAlone = leftAlone
    }
}

/// An export that a retention policy decided on.
public struct RetainedExport: Sendable, Codable, Hashable {
    /// Its name in the folder.
    public var file: String
    /// The app it is of.
    public var app: String
    /// The entities it is a selection of; nil for all.
    public var selection: [String]?
    /// Whether it only says what changed since another one.
    public var isIncrement: Bool
    /// When it was made.
    public var exportedAt: Instant
    /// Its size on disk.
    public var bytes: Int64
    /// Why it stays; empty for what goes.
    public var reasons: [String]

    /// An export.
    public init(
        file: String, app: String, selection: [String]?, isIncrement: Bool, exportedAt: Instant, bytes: Int64,
        reasons: [String]
    ) {
        self.file = file
        self.app = app
        self.selection = selection
        self.isIncrement = isIncrement
        self.exportedAt = exportedAt
        self.bytes = bytes
        self.reasons = reasons
    }
}
