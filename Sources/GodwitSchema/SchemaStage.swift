internal import GodwitLedger
package import GodwitModel
package import GodwitSQLite

/// Brings a store to the latest schema version: adopts what an app made, applies pending migrations, and records each
/// with it.
package struct SchemaStage: Sendable {
    private let files: SchemaFiles
    private let context: RunContext
    private let baseline: Int?

    package init(files: SchemaFiles, context: RunContext, baseline: Int? = nil) {
        (self.files, self.context, self.baseline) = (files, context, baseline)
    }

    /// The plan of `bringUpToDate`; reads only.
    package func plan(_ connection: SQLiteConnection) throws(GodwitError) -> SchemaPlan {
        try SchemaPlan.decide(
            files: files, history: connection.readHistory(), shape: connection.readShape(),
            indexes: connection.readIndexNames(), baseline: baseline, name: connection.name)
    }

    /// The objects of a version that a store lacks, in words: removed since, or missing when a version was adopted.
    package func missing(at version: Int, in connection: SQLiteConnection) throws(GodwitError) -> [String] {
        try files.shapes[version].missing(in: connection.readShape())
    }

    /// Throws if the store's schema does not match the schema files; otherwise permits their code to run, such as
    /// triggers of a full-text index.
    @discardableResult
    package func requireKnownSchema(_ connection: SQLiteConnection) throws(GodwitError) -> SchemaPlan {
        let plan = try plan(connection)
        // The app decides what its own connection may run.
        if !connection.isOfApp { SQLiteHardening.trustSchema(of: connection.handle) }
        return plan
    }

    /// Adopts and applies, with one transaction for each migration and its history row.
    ///
    /// - Parameter committed: receives the report so far after each commit, so that it is correct even after a later
    ///   failure.
    package func bringUpToDate(
        _ writer: StoreWriter, role: StoreRole, file: String, created: Bool,
        committed: (RunReport.Schema) -> Void = { _ in }
    ) throws(GodwitError) -> RunReport.Schema {
        let plan = try writer.transaction(.schema) { connection throws(GodwitError) in
            let plan = try requireKnownSchema(connection)
            // A schema file may read and change any table.
            if !plan.pending.isEmpty { try connection.requireSoundIndexes() }
            try adopt(plan, connection)
            return plan
        }
        let before =
            created || plan.pending.isEmpty
            ? nil : try writer.read(.schema) { store throws(GodwitError) in try State(files, plan, store) }
        var done = SchemaPlan(adoptedAt: plan.adoptedAt, from: plan.from, pending: [])
        committed(report(done, role: role, file: file, created: created))
        for migration in plan.pending {
            try writer.transaction(.schema) { connection throws(GodwitError) in
                try apply(migration, to: connection, isLast: !created || migration == plan.pending.last)
                try context.faultPoint(.beforeSchemaCommit)
            }
            done = SchemaPlan(adoptedAt: plan.adoptedAt, from: plan.from, pending: done.pending + [migration])
            committed(report(done, role: role, file: file, created: created))
        }
        var report = report(plan, role: role, file: file, created: created)
        if let before {
            try writer.read(.schema) { store throws(GodwitError) in try before.compare(with: store, &report) }
        }
        return report
    }

    /// Adopts and applies inside the caller's transaction.
    package func bringUpToDate(
        within connection: SQLiteConnection, role: StoreRole, file: String, created: Bool
    ) throws(GodwitError) -> RunReport.Schema {
        let plan = try requireKnownSchema(connection)
        if !plan.pending.isEmpty { try connection.requireSoundIndexes() }
        let before = created || plan.pending.isEmpty ? nil : try State(files, plan, connection)
        try adopt(plan, connection)
        for migration in plan.pending {
            try apply(migration, to: connection, isLast: !created || migration == plan.pending.last)
        }
        var report = report(plan, role: role, file: file, created: created)
        try before?.compare(with: connection, &report)
        return report
    }

    /// The state of a store before files are applied, for warnings.
    private struct State {
        private let notes: MigratorNotes
        private let losses: SchemaLossSearch

        init(_ files: SchemaFiles, _ plan: SchemaPlan, _ store: SQLiteConnection) throws(GodwitError) {
            notes = try MigratorNotes(of: store)
            losses = try SchemaLossSearch(files, plan, in: store)
        }

        /// Reports unchanged records of the app's migrator, and lost data.
        func compare(with store: SQLiteConnection, _ report: inout RunReport.Schema) throws(GodwitError) {
            if !notes.names.isEmpty, try MigratorNotes(of: store) == notes { report.migratorNotes = notes.names }
            let found = try losses.losses(in: store)
            if !found.isEmpty { report.losses = found }
        }
    }

    package func report(_ plan: SchemaPlan, role: StoreRole, file: String, created: Bool) -> RunReport.Schema {
        RunReport.Schema(
            outcome: plan.hasWork ? .done : .nothingToDo, store: role, file: file, created: created,
            adoptedAt: plan.adoptedAt, fromVersion: plan.from, toVersion: plan.from + plan.pending.count,
            applied: plan.pending.map {
                RunReport.Schema.Version(version: $0.version, name: $0.name, checksum: $0.checksum)
            })
    }

    /// Records the whole history in a private store whose tables were created from the latest version, without running
    /// files.
    package func recordAsMade(within connection: SQLiteConnection) throws(GodwitError) {
        for file in files.files { try connection.record(file.record, at: context.now, durationMilliseconds: 0) }
    }

    private func adopt(_ plan: SchemaPlan, _ connection: SQLiteConnection) throws(GodwitError) {
        guard let version = plan.adoptedAt else { return }
        for file in files.files[..<version] {
            try connection.record(file.record, at: context.now, durationMilliseconds: 0)
        }
    }

    /// - Parameter isLast: false in a new store if other files follow, because no other process writes in between.
    private func apply(
        _ migration: SchemaFile, to connection: SQLiteConnection, isLast: Bool
    ) throws(GodwitError) {
        let clock = ContinuousClock()
        let start = clock.now
        do throws(GodwitError) {
            try connection.withForeignKeysOff(isLast: isLast) { () throws(GodwitError) in
                try connection.execute(
                    schemaFile: migration.sql,
                    hasLegacyAlterTable: files.versionsWithLegacyAlterTable.contains(migration.version))
            }
        } catch {
            throw Self.failure(of: migration, at: files.path(of: migration), on: connection.name, error)
        }
        guard connection.isInTransaction else {
            throw GodwitError(
                .schema, .data, "\(migration.title) ended its transaction", hint: "Remove COMMIT from the file."
            ).placed(in: files.path(of: migration))
        }
        let milliseconds = (clock.now - start).milliseconds
        try connection.record(migration.record, at: context.now, durationMilliseconds: milliseconds)
    }

    /// The error of a migration; an error such as a full disk, a lock or a cancellation keeps its own hint.
    private static func failure(
        of migration: SchemaFile, at path: String, on store: String, _ error: GodwitError
    ) -> GodwitError {
        guard error.code == .data else { return error }
        var failure = error
        let position = error.position?.line.map { "\(path):\($0): " } ?? ""
        failure.message =
            "\(position)\(migration.title) can't be applied to `\(store)`; the store is as it was before "
            + "this file"
        failure.underlying = error.underlying ?? error.message
        failure.hint =
            "Correct the SQL or the data, then run the same command again."
        return failure.moved(to: path)
    }
}
