import Godwit
import GodwitModel
import Dispatch

/// Checks the files, asks the timetable, and exports.
package struct ExportWatch {
    /// The state at the last export, or at the last check that found it current.
    private struct LastExport {
        let inputs: ContainerStamp
        let export: ContainerStamp
        let path: String
        let account: Freshness.Account
        let network: Freshness.Network
    }

    private let setup: ExportService.Setup
    private let heart: ActivityClock
    private var migration: Migration
    private var timetable: ExportTimetable
    private var seen: ContainerStamp?
    private var lastExport: LastExport?
    private var account = Freshness.Account.unknown
    private var network = Freshness.Network.unknown
    private var events = SyncEventsWatch()
    private var observationProblem: String?

    init(setup: ExportService.Setup, migration: Migration, heart: ActivityClock) {
        (self.setup, self.migration, self.heart) = (setup, migration, heart)
        timetable = ExportTimetable(rules: setup.rules)
    }

    /// Milliseconds until the next check.
    var pause: Int64 {
        let now = heart.now
        return min(max(timetable.due(at: now) - now, 1), setup.world.lookMilliseconds)
    }

    /// Checks everything once, and exports if an export is due.
    package mutating func lookAndExport() async {
        let now = heart.beat()
        observe()
        let stamp = migration.stamp()
        if let seen, stamp != seen { timetable.noteChange(at: now) }
        seen = stamp
        guard let cause = timetable.cause(at: now) else { return }
        await export(cause, at: now)
    }

    /// Reads the manifest again; keeps the earlier one if the new one cannot be used.
    package mutating func reload() {
        setup.supervisor.sendReloading()
        do {
            migration = try setup.makeMigration()
            (seen, lastExport) = (nil, nil)
            timetable.noteReload()
            note("the manifest was read again")
        } catch {
            let reason = (error as? GodwitError)?.message ?? "\(error)"
            note("the manifest was not read again, the earlier one stays: \(reason)", isWarning: true)
        }
        setup.supervisor.send("READY=1")
    }

    /// Updates the state of account and network; what cannot be read stays.
    private mutating func observe() {
        do throws(GodwitError) {
            let (account, given) = try setup.observe()
            // An option overrides the app's observation.
            let network = given == .unknown ? events.network(of: migration) : given
            if self.network == .offline, network == .online { timetable.noteNetworkRegained() }
            (self.account, self.network, observationProblem) = (account, network, nil)
        } catch {
            if observationProblem != error.message { note(error.message, isWarning: true) }
            observationProblem = error.message
        }
    }

    private mutating func export(_ cause: ExportTimetable.Cause, at start: Int64) async {
        let began = setup.world.now()
        timetable.begin(at: start)
        // Taken before the stores are read, so that a write during the export counts as a later change.
        let inputs = migration.stamp()
        seen = inputs
        let result = await attempt(inputs)
        let end = heart.beat()
        var run = ServiceRun(at: began, cause: cause, outcome: .failed, milliseconds: end - start)
        switch result {
        case .success(let (outcome, report)):
            timetable.succeed(at: end)
            run.outcome = outcome
            if let report { run.take(report) } else { run.file = lastExport?.path }
            if let report { remember(report, inputs) }
        case .failure(let error):
            guard !Task.isCancelled else { return note("the running export was stopped: \(error.message)") }
            lastExport = nil
            run.take(error, retryIn: timetable.fail(at: end, jitter: setup.world.jitter()))
        }
        setup.log(.ran(run))
        setup.supervisor.send("STATUS=\(run.outcome.rawValue) at \(began.iso8601)")
    }

    private func attempt(
        _ inputs: ContainerStamp
    ) async -> Result<(ExportAttempt.Outcome, ExportReport?), GodwitError> {
        let migration = migration.observing(account: account, network: network)
        let (folder, options, heart) = (setup.folder, setup.options, heart)
        // An increment also depends on another export, which may have been replaced; so its content decides.
        let known = options.sincePath == nil && isCurrent(inputs) ? lastExport?.path : nil
        return await Self.onThread { cancellation throws(GodwitError) in
            if let known {
                let isNoted = try migration.noteUnchanged(
                    since: known, into: folder, options: options, cancellation: cancellation)
                if isNoted { return (.unchanged, nil) }
            }
            let report = try migration.export(
                into: folder, options: options, cancellation: cancellation, progress: { _ in heart.beat() })
            return (report.unchangedSince == nil ? .exported : .unchanged, report)
        }
    }

    private func isCurrent(_ inputs: ContainerStamp) -> Bool {
        guard let lastExport, inputs.proves(unchangedSince: lastExport.inputs), lastExport.account == account,
            lastExport.network == network
        else { return false }
        return ContainerStamp(of: [lastExport.path]) == lastExport.export
    }

    private mutating func remember(_ report: ExportReport, _ inputs: ContainerStamp) {
        lastExport = nil
        guard let path = report.file ?? report.unchangedSince else { return }
        lastExport = LastExport(
            inputs: inputs, export: ContainerStamp(of: [path]), path: path, account: account, network: network)
    }

    /// Runs blocking work on its own thread; cancelling the task cancels the work.
    private static func onThread<R: Sendable>(
        _ body: @escaping @Sendable (Cancellation) throws(GodwitError) -> R
    ) async -> Result<R, GodwitError> {
        let cancellation = Cancellation()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                DispatchQueue.global(qos: .utility).async {
                    let result: Result<R, GodwitError>
                    do throws(GodwitError) {
                        result = .success(try body(cancellation))
                    } catch {
                        result = .failure(error)
                    }
                    continuation.resume(returning: result)
                }
            }
        } onCancel: {
            cancellation.cancel(.terminated)
        }
    }

    private func note(_ message: String, isWarning: Bool = false) {
        setup.log(.note(ServiceNote(at: setup.world.now(), isWarning: isWarning, message: message)))
    }
}
