internal import GodwitFiles
public import GodwitModel
public import FoundationLite

/// The options of a run, and facts that it cannot find out itself.
public struct MigrationOptions: Sendable {
    /// Whether orphans are copied unchanged.
    public var allowsOrphans = false
    /// Whether a stage without any input counts as completed.
    public var allowsEmpty = false
    /// The version at which a store without history is adopted, if its tables do not show the version.
    public var baseline: Int?
    /// Whether a run makes a dry run first, and writes nothing if that finds a warning or a value that would stay
    /// behind.
    public var isStrict = false
    /// Whether a store in WAL mode without its log is refused (65); it may have been closed cleanly.
    public var requiresLog = false
    /// The folder in which a run makes a backup, in a folder of its own, before it first writes to a file of the app;
    /// nil for no backup.
    public var backupFolder: URL? {
        get { backupPath.map { URL(filePath: $0) } }
        set { backupPath = newValue?.path }
    }
    /// Whether the cloud account can be used.
    public var account = Freshness.Account.unknown
    /// Whether the network can be reached.
    public var network = Freshness.Network.unknown
    /// The language of the sync status for users of the app: `en` or `ja`.
    public var language = "en"
    /// How long to wait for another run, or for an app that uses a store.
    public var lockTimeout: Duration {
        get { .milliseconds(lockTimeoutMilliseconds) }
        set { lockTimeoutMilliseconds = Int(clamping: newValue.milliseconds) }
    }
    /// The time of the run; nil to use the clock.
    public var now: Instant?

    package var backupPath: String?
    /// Whether `verify` also compares each index with its table.
    package var verifiesDeeply = false
    package var lockTimeoutMilliseconds = 30_000
    /// Further folders with files of the app.
    package var groupContainers: [String] = []
    /// Whether the report of a plan says what decided it, so that it can be saved and a run can follow it.
    package var keepsBasis = false
    /// Whether the lines of the key list have values.
    package var showsValues = false

    /// What set `now`.
    package var clockSource = SetClock.Source.now

    /// The clock, if it was set by hand.
    var clock: SetClock? { now.map { SetClock(setBy: clockSource, time: $0) } }

    /// How long a run takes before `status` shows its progress, in milliseconds: short runs write no file.
    package var silentMilliseconds = 1000

    /// The default options.
    public init() {}

    /// Those that decide what is done, as one types them: a command without them would do something else.
    var decidingWords: [String] {
        let flags = [
            ("--allow-orphans", allowsOrphans), ("--allow-empty", allowsEmpty), ("--strict", isStrict),
            ("--require-wal", requiresLog),
        ]
        var words = flags.filter(\.1).map(\.0)
        if let baseline { words += ["--baseline", "\(baseline)"] }
        if account != .unknown { words += ["--account", account.rawValue] }
        if network != .unknown { words += ["--network", network.rawValue] }
        return words
    }
}

extension MigrationOptions {
    /// The backup that was asked for, as one types it; it decides nothing of what a run does.
    var backupWords: [String] { backupPath.map { ["--backup", $0] } ?? [] }
}
