internal import Godwit
internal import GodwitFiles
package import GodwitModel
internal import Synchronization

/// Runs a command on a fleet or a shard: each container once, with as many workers as jobs.
///
/// Containers share only the workers. A container that fails is a row of the report. The run ends early only on a
/// request to stop, if the journal cannot be written, or if workers cannot be started.
package struct FleetRun: Sendable {
    /// The command, its inputs and the time of the first run.
    package var header: JournalHeader
    package var containers: FleetContainers
    package var journal: FleetJournal?
    /// Number of containers in progress at a time, at least 1.
    package var jobs: Int

    /// Number of processors that this process may use, at least 1.
    package static var processors: Int { Processors.count }

    /// Bytes of a thread's stack; a worker in this process runs a whole command on it.
    private static let stack = 8 << 20

    package init(header: JournalHeader, containers: FleetContainers, journal: FleetJournal?, jobs: Int) {
        (self.header, self.containers, self.journal, self.jobs) = (header, containers, journal, jobs)
    }

    /// Processes the containers that the journal does not show as done.
    ///
    /// - Parameter makeWorker: Called once for each job.
    /// - Throws: 130 or 143 if cancelled, after every container in progress was rolled back.
    package func perform(
        cancellation: Cancellation, progress: @escaping @Sendable (RunProgress) -> Void = { _ in },
        makeWorker: @escaping @Sendable () -> any FleetWorker
    ) throws(GodwitError) -> FleetReport {
        let start = ContinuousClock.now
        let earlier = (journal?.earlier ?? []).filter(\.verdict.isDone)
        let known = Set(earlier.map { Array($0.container.utf8) })
        let waiting = containers.names.filter { !known.contains(Array($0.utf8)) }
        let tally = FleetTally(done: earlier.count, total: containers.count, progress)
        progress(RunProgress(stage: .fleet, completed: Int64(earlier.count), total: Int64(containers.count)))
        for (name, error) in containers.unreadable {
            try add(
                ContainerResult(entry: FleetEntry(container: name, command: header.command, error: error), report: []),
                tally)
        }
        work(through: waiting, tally, cancellation, makeWorker)
        if let failure = tally.failure { throw failure }
        if let code = cancellation.code { throw cancelled(code, tally) }
        var report = FleetReport(
            command: header.command, app: header.app, folder: header.folder, godwitVersion: header.godwitVersion,
            startedAt: header.startedAt, durationMilliseconds: start.duration(to: .now).milliseconds,
            containers: earlier + tally.entries)
        (report.dryRun, report.fleet, report.shard) = (header.dryRun, header.fleet, header.shard)
        report.doneEarlier = earlier.count
        try journal?.finish(
            JournalSummary(counts: report.counts, durationMilliseconds: report.durationMilliseconds))
        return report
    }

    private func work(
        through names: [String], _ tally: FleetTally, _ cancellation: Cancellation,
        _ makeWorker: @escaping @Sendable () -> any FleetWorker
    ) {
        let next = Atomic(0)
        let work: @Sendable () -> Void = {
            let worker = makeWorker()
            while !cancellation.isCancelled, tally.failure == nil {
                let index = next.add(1, ordering: .relaxed).oldValue
                guard index < names.count else { return }
                do throws(GodwitError) {
                    let result = try perform(names[index], by: worker)
                    // Rolled back because of the request to stop, so the container has no result.
                    if cancellation.isCancelled, result.entry.error?.isCancellation == true { return }
                    try add(result, tally)
                } catch {
                    tally.fail(error)
                }
            }
        }
        // Own threads, because Dispatch has only as many as processors. If the system gives fewer, fewer do the work.
        let further = max(0, min(names.count, jobs) - 1)
        let threads = (0..<further).compactMap { _ in WorkerThread(stack: Self.stack, work) }
        work()
        for thread in threads { thread.join() }
    }

    private func perform(_ name: String, by worker: any FleetWorker) throws(GodwitError) -> ContainerResult {
        do throws(GodwitError) {
            try containers.requireInPlace(name)
        } catch {
            return ContainerResult(
                entry: FleetEntry(container: name, command: header.command, error: error), report: [])
        }
        return try worker.perform(name, at: containers.path(of: name), since: journal?.began)
    }

    private func add(_ result: ContainerResult, _ tally: FleetTally) throws(GodwitError) {
        try journal?.add(result)
        tally.add(result.entry)
    }

    private func cancelled(_ code: GodwitError.Code, _ tally: FleetTally) -> GodwitError {
        try? journal?.flush()
        return GodwitError(
            .fleet, code, "cancelled after \(tally.done) of \(containers.count.counted("container"))",
            hint: journal == nil
                ? "Run the same command again: it repeats nothing that is complete. With --journal it also "
                    + "skips these containers."
                : "Run the same command again: it continues from the journal.")
    }
}

extension FleetError {
    fileprivate var isCancellation: Bool {
        code == GodwitError.Code.interrupted.rawValue || code == GodwitError.Code.terminated.rawValue
    }
}

/// The results so far; workers add to it concurrently.
private final class FleetTally: Sendable {
    private struct State {
        var entries: [FleetEntry] = []
        var done: Int
        var failure: GodwitError?
    }

    private let state: Mutex<State>
    private let total: Int
    private let progress: @Sendable (RunProgress) -> Void

    init(done: Int, total: Int, _ progress: @escaping @Sendable (RunProgress) -> Void) {
        state = Mutex(State(done: done))
        (self.total, self.progress) = (total, progress)
    }

    var entries: [FleetEntry] { state.withLock { $0.entries } }
    var done: Int { state.withLock { $0.done } }
    var failure: GodwitError? { state.withLock { $0.failure } }

    func add(_ entry: FleetEntry) {
        let done = state.withLock { state in
            state.entries.append(entry)
            state.done += 1
            return state.done
        }
        progress(RunProgress(stage: .fleet, completed: Int64(done), total: Int64(total)))
    }

    func fail(_ error: GodwitError) {
        state.withLock { state in if state.failure == nil { state.failure = error } }
    }
}
