import Godwit

/// Looks at the files of a status four times a second, without opening them, and makes the status anew when one of them
/// has changed.
struct StatusWatch {
    /// How often the files are looked at.
    private static let pace = Duration.milliseconds(250)
    /// How long after a failure it is tried again though no file has changed: a lock that was let go changes none.
    private static let patience = Duration.seconds(1)
    /// How long sync events have to be quiet until the sync counts as settled.
    private static let quiet: Int64 = 3

    private let pipeline: Pipeline
    private let account: StateSource<AccountAvailability>
    private let network: StateSource<NetworkState>
    /// What the status was made of when it was made last; nil before it ever was.
    private var basis: Basis?
    /// The status that was made last, and the run at work by now.
    private var last: StatusReport?
    /// When the status is made anew though nothing has changed; nil where that is not needed.
    private var due: ContinuousClock.Instant?
    /// Before this it is not made anew, whatever changes: a large store that an app keeps writing to must not take a
    /// whole processor.
    private var notBefore = ContinuousClock.now

    /// What a status is made of.
    private struct Basis {
        let stamp: ContainerStamp
        let account: AccountAvailability
        let network: NetworkState

        func isSame(as other: Basis) -> Bool {
            stamp == other.stamp && stamp.isSettled && account == other.account && network == other.network
        }
    }

    init(_ pipeline: Pipeline, account: StateSource<AccountAvailability>, network: StateSource<NetworkState>) {
        (self.pipeline, self.account, self.network) = (pipeline, account, network)
    }

    /// Watches until a signal comes or nobody reads any more.
    ///
    /// - Throws: the verdict 130 or 143 after a signal; 74 where the output is gone; what stood against the very first
    ///   status and will not go away by waiting.
    mutating func run(showing view: inout some StatusView) throws {
        while true {
            try Self.requireUncancelled()
            try look(showing: &view)
            try view.refresh(asOf: pipeline.presentTime)
            try ProcessSetup.requireReader()
            ProcessSetup.wait(Self.pace)
        }
    }

    private static func requireUncancelled() throws {
        if let code = ProcessSetup.cancellation.code { throw CommandExit.Verdict(code: code) }
    }

    private mutating func look(showing view: inout some StatusView) throws {
        let now = ContinuousClock.now
        guard now >= notBefore else { return }
        do throws(GodwitError) {
            let found = Basis(
                stamp: pipeline.stamp(), account: try account.known(), network: try network.known())
            guard due.map({ now >= $0 }) ?? false || !(basis?.isSame(as: found) ?? false) else {
                return try follow(showing: &view)
            }
            due = nil
            let report = try pipeline.observing(account: found.account, network: found.network)
                .status(cancellation: ProcessSetup.cancellation)
            (basis, last) = (found, report)
            schedule(after: report)
            try view.show(report)
        } catch {
            try Self.requireUncancelled()
            // What nobody changes meanwhile stays as it is; and where nothing could be written there is nobody to tell.
            let isFinal = basis == nil && [.noInput, .permission, .usage, .manifest].contains(error.code)
            if isFinal || view.isClosed { throw error }
            due = .now + Self.patience
            try view.show(error, at: pipeline.presentTime)
        }
        notBefore = .now + (ContinuousClock.now - now)
    }

    /// How far a run is changes without any of the container's files, and is told without opening them.
    private mutating func follow(showing view: inout some StatusView) throws(GodwitError) {
        guard var report = last else { return }
        let running = pipeline.running()
        guard running != report.running else { return }
        (report.running, report.asOf) = (running, pipeline.presentTime)
        last = report
        try view.show(report)
    }

    /// Sync events that have just been seen count for more a moment later.
    private mutating func schedule(after report: StatusReport) {
        guard !pipeline.isTimeFixed else { return }
        let dates = report.phases.flatMap { [$0.startedAt, $0.endedAt] }.compactMap(\.self)
        guard let newest = dates.max() else { return }
        let (age, overflow) = report.asOf.seconds.subtractingReportingOverflow(newest.seconds)
        guard !overflow, (-Self.quiet...Self.quiet).contains(age) else { return }
        due = .now + .seconds(Self.quiet - age) + .milliseconds(100)
    }
}

/// Where a status that is watched is shown.
protocol StatusView {
    /// Whether nothing can be shown any more.
    var isClosed: Bool { get }
    /// A status that was made anew.
    mutating func show(_ report: StatusReport) throws(GodwitError)
    /// Why it could not be.
    mutating func show(_ failure: GodwitError, at time: Instant) throws(GodwitError)
    /// Time has gone by; called four times a second.
    mutating func refresh(asOf time: Instant) throws(GodwitError)
}
