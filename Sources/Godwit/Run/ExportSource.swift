internal import GodwitMigrate
internal import GodwitModel
internal import GodwitStore

/// The store an export reads: the active one, or a private clone of it at the latest schema.
///
/// Before its first migration a store lacks tables the manifest speaks of, and that is just when people want an export
/// to go back to. The clone has them, empty.
struct ExportSource: ~Copyable {
    let role: StoreRole
    let snapshot: StoreSnapshot
    /// When the store itself was last changed.
    let savedAt: Instant
    let isWALMissing: Bool
    /// The migration that the snapshot is at, also where it has no history yet; nil where it fits none.
    let schemaVersion: Int?
    let warnings: [Warning]
    private let scratch: ScratchDirectory?

    init(_ session: Session, _ role: StoreRole) throws(GodwitError) {
        let entry = session.files[role]
        let original = try session.snapshot(role, .export)
        let plan = try session.schema.readablePlan(original.connection)
        let (saved, warned) = (original.modified, original.warnings)
        guard let plan, !plan.pending.isEmpty else {
            self.role = role
            (savedAt, warnings, isWALMissing) = (saved, warned, warned.contains { $0.code == "walMissing" })
            snapshot = original
            schemaVersion = plan.flatMap { $0.from > 0 ? $0.from : nil }
            scratch = nil
            return
        }
        let directory = try ScratchDirectory(identifier: session.context.makeIdentifier())
        let clone = try StoreClone.make(
            of: entry.path, name: entry.name, in: directory.path, stage: .export, context: session.context)
        let writer = try StoreWriter(existing: clone, name: entry.name, stage: .export, context: session.context)
        _ = try session.schema.bringUpToDate(writer, role: role, file: entry.name, created: false)
        try writer.close(.export)
        let pending = Warning(
            "schemaPending",
            "\(entry.name) is at schema version \(plan.from); exported from a private copy at version "
                + "\(plan.from + plan.pending.count).",
            hint: "`godwit run` brings the store itself up to date.")
        let opened = try StoreSnapshot(of: clone, name: entry.name, stage: .export, context: session.context)
        self.role = role
        (savedAt, warnings) = (saved, warned + [pending])
        isWALMissing = warned.contains { $0.code == "walMissing" }
        snapshot = opened
        schemaVersion = plan.from + plan.pending.count
        scratch = directory
    }
}

extension SchemaStage {
    /// The plan; nil where the store fits no version, which is not for a reading command to refuse.
    func readablePlan(_ connection: SQLiteConnection) throws(GodwitError) -> SchemaPlan? {
        do throws(GodwitError) {
            return try plan(connection)
        } catch {
            guard error.code == .data else { throw error }
            return nil
        }
    }
}
