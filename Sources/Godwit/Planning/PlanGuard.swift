internal import GodwitFiles
internal import GodwitModel
internal import GodwitSQLite
internal import Synchronization

/// Holds a run to its plan: what is worked with is what was compared, and what is done is what was planned.
///
/// Invariant: an app that does not know the container's lock may write between the comparison and the first write to a
/// store; then that write is refused, and nothing of it happens.
final class PlanGuard: PlannedStores {
    private let plan: SavedPlan
    /// The stores as they were when they were compared, by path, until the run writes to them itself.
    private let stores: Mutex<[String: (name: String, stamp: StoreStamp)]>
    /// The preferences as they were, by path inside the container.
    private let preferences: [String: String]

    /// Compares the container with the plan, under the container's lock; throws (65) what changed.
    init(_ plan: SavedPlan, _ inputs: PlanInputs, _ files: ContainerFiles) throws(GodwitError) {
        var stores: [String: (name: String, stamp: StoreStamp)] = [:]
        for entry in [files.local, files.cloud] where try FileStatus.of(entry.path)?.isRegularFile == true {
            stores[entry.path] = (entry.name, try StoreStamp(of: entry.path, stage: .container, isSettled: true))
        }
        let found = try inputs.measure(files)
        try plan.requireSame(found)
        self.plan = plan
        self.stores = Mutex(stores)
        preferences = Dictionary(
            found.inputs.filter { $0.kind == .preferences }.map { ($0.name, $0.sha256 ?? "") },
            uniquingKeysWith: { first, _ in first })
    }

    /// A context with which no store is written that is not what was compared.
    func guarding(_ context: RunContext) -> RunContext {
        var guarded = context
        guarded.planned = self
        return guarded
    }

    func requireUnwritten(_ path: String, stage: GodwitError.Stage) throws(GodwitError) -> Bool {
        guard let store = stores.withLock({ $0[path] }) else { return false }
        guard try StoreStamp(of: path, stage: stage) == store.stamp else {
            throw .changedSincePlan(store.name, stage)
        }
        return true
    }

    func letGo(of path: String) { stores.withLock { $0[path] = nil } }

    /// Throws (65) if the bytes of preferences differ from the compared bytes.
    func requireSame(_ name: String, sha256: String?) throws(GodwitError) {
        guard let planned = preferences[name], planned == sha256 ?? "" else {
            throw .changedSincePlan(name, .legacy)
        }
    }

    /// Throws (65) if a stage came to something else than planned, before that is committed.
    ///
    /// - Parameter part: which part of the report it is.
    func require<Part: Encodable>(
        _ done: Part, _ part: KeyPath<RunReport, Part?>, _ stage: GodwitError.Stage
    ) throws(GodwitError) {
        guard let planned = plan.report[keyPath: part] else { throw diverged(stage, []) }
        let differences = PlanComparison.differences(planned: planned, done: done)
        guard differences.isEmpty else { throw diverged(stage, differences) }
    }

    private func diverged(_ stage: GodwitError.Stage, _ differences: [String]) -> GodwitError {
        GodwitError(
            stage, .data,
            "the result of the \(stage.rawValue) stage differs from `\(plan.file)`"
                + (differences.isEmpty ? "" : ": \(differences.prefix(5).joined(separator: ", "))"),
            hint: "Report this; it was rolled back, or has no flag yet."
        )
    }

    /// That the whole came to something else than planned, though each stage that wrote did not.
    func warnings(about report: RunReport) -> [Warning] {
        let differences = PlanComparison.differences(planned: plan.report, done: report)
        guard !differences.isEmpty else { return [] }
        return [
            Warning(
                "divergedFromPlan",
                "the report differs from the plan: \(differences.prefix(10).joined(separator: ", "))",
                hint: "Check if another process wrote to the container during the run.")
        ]
    }
}
