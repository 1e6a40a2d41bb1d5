import Godwit

/// Checks the files of a status four times a second, without opening them, and makes a new status after a change.
struct StatusWatch {
    /// Time between two checks of the files.
    private static let interval = Duration.milliseconds(250)
    /// Time until the next attempt after a failure, even if no file changed: a released lock changes no file.
    private static let retryDelay = Duration.seconds(1)
    /// Seconds without sync events after which the sync counts as settled.
    private static let quiet: Int64 = 3

    private let migration: Migration
    private let account: StateSource<Freshness.Account>
    private let network: StateSource<Freshness.Network>
    /// The inputs of the last status; nil before the first.
    private var basis: Basis?
    /// The last status, with the present run.
    private var last: StatusReport?
    /// When to make a new status without a change; nil if that is not needed.
    private var due: ContinuousClock.Instant?
    /// The earliest time of the next status, so that an app that keeps writing to a large store does not cost a whole
    /// processor.
    private var notBefore = ContinuousClock.now

    private struct Basis {
        let stamp: ContainerStamp
        let account: Freshness.Account
        let network: Freshness.Network

        func isSame(as other: Basis) -> Bool {
            stamp == other.stamp && stamp.isSettled && account == other.account && network == other.network
        }
    }

    init(_ migration: Migration, account: StateSource<Freshness.Account>, network: StateSource<Freshness.Network>) {
        (self.migration, self.account, self.network) = (migration, account, network)
    }

    /// Watches until a signal arrives or the reader of the output ends.
    ///
    /// - Throws: The verdict 130 or 143 after a signal; 74 if the output has no reader; an error of the first status
    ///   that waiting cannot solve.
    mutating func run(showing view: inout some StatusView) throws {
        while true {
            try Self.requireUncancelled()
            try update(showing: &view)
            try view.refresh(asOf: migration.presentTime)
            try ProcessSetup.requireReader()
            ProcessSetup.wait(Self.interval)
        }
    }

    private static func requireUncancelled() throws {
        if let code = ProcessSetup.cancellation.code { throw CommandExit.Verdict(code: code) }
    }

    private mutating func update(showing view: inout some StatusView) throws {
        let now = ContinuousClock.now
        guard now >= notBefore else { return }
        do throws(GodwitError) {
            let found = Basis(
                stamp: migration.stamp(), account: try account.known(), network: try network.known())
            guard due.map({ now >= $0 }) ?? false || !(basis?.isSame(as: found) ?? false) else {
                return try follow(showing: &view)
            }
            due = nil
            let report = try migration.observing(account: found.account, network: found.network)
                .status(cancellation: ProcessSetup.cancellation)
            (basis, last) = (found, report)
            schedule(after: report)
            try view.show(report)
        } catch {
            try Self.requireUncancelled()
            // Waiting does not solve these errors; and after a failed write there is no reader to report to.
            let isFinal = basis == nil && [.noInput, .permission, .usage, .manifest].contains(error.code)
            if isFinal || view.isClosed { throw error }
            due = .now + Self.retryDelay
            try view.show(error, at: migration.presentTime)
        }
        notBefore = .now + (ContinuousClock.now - now)
    }

    /// The progress of a run changes without the container's files, and is read without opening them.
    private mutating func follow(showing view: inout some StatusView) throws(GodwitError) {
        guard var report = last else { return }
        let running = migration.running()
        guard running != report.running else { return }
        (report.running, report.asOf) = (running, migration.presentTime)
        last = report
        try view.show(report)
    }

    /// Sync events that were just seen change the status again a moment later.
    private mutating func schedule(after report: StatusReport) {
        guard !migration.isTimeFixed else { return }
        let dates = report.phases.flatMap { [$0.startedAt, $0.endedAt] }.compactMap(\.self)
        guard let newest = dates.max() else { return }
        let (age, overflow) = report.asOf.seconds.subtractingReportingOverflow(newest.seconds)
        guard !overflow, (-Self.quiet...Self.quiet).contains(age) else { return }
        due = .now + .seconds(Self.quiet - age) + .milliseconds(100)
    }
}

/// Shows the watched status.
protocol StatusView {
    /// Whether nothing can be shown anymore.
    var isClosed: Bool { get }
    mutating func show(_ report: StatusReport) throws(GodwitError)
    /// Shows why there is no status.
    mutating func show(_ failure: GodwitError, at time: Instant) throws(GodwitError)
    /// Called four times a second.
    mutating func refresh(asOf time: Instant) throws(GodwitError)
}
