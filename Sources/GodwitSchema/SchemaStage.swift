internal import GodwitLedger
package import GodwitModel
package import GodwitSQLite

/// Brings a store to the latest schema version: adopt what an app made, apply what is pending, record each step with it.
package struct SchemaStage: Sendable {
    private let files: SchemaFiles
    private let context: RunContext
    private let baseline: Int?

    package init(files: SchemaFiles, context: RunContext, baseline: Int? = nil) {
        self.files = files
        self.context = context
        self.baseline = baseline
    }

    /// What `bringUpToDate` would do; reads only.
    package func plan(_ connection: SQLiteConnection) throws(GodwitError) -> SchemaPlan {
        try SchemaPlan.decide(
            files: files, history: connection.readHistory(), shape: connection.readShape(),
            indexes: connection.readIndexNames(), baseline: baseline, name: connection.name)
    }

    /// What a version makes and a store has not, in words: somebody took it away since, or said that the store stood there.
    package func missing(at version: Int, in connection: SQLiteConnection) throws(GodwitError) -> [String] {
        try files.shapes[version].missing(in: connection.readShape())
    }

    /// Throws where the store's schema is not what the schema files make of it; then what they brought along may run on
    /// what is written: triggers that keep a full-text index, say.
    @discardableResult
    package func requireKnownSchema(_ connection: SQLiteConnection) throws(GodwitError) -> SchemaPlan {
        let plan = try plan(connection)
        // The app says what its own connection may run.
        if !connection.isOfApp { SQLiteHardening.trustSchema(of: connection.handle) }
        return plan
    }

    /// Adopts and applies, one transaction for each migration and its row of the history.
    ///
    /// - Parameter committed: told after each commit what has been done so far, so that a failure further on can still
    ///   hand back a true report.
    package func bringUpToDate(
        _ writer: StoreWriter, role: StoreRole, file: String, created: Bool,
        committed: (SchemaReport) -> Void = { _ in }
    ) throws(GodwitError) -> SchemaReport {
        let plan = try writer.transaction(.schema) { connection throws(GodwitError) in
            let plan = try requireKnownSchema(connection)
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

    /// Adopts and applies inside a transaction that somebody else began.
    package func bringUpToDate(
        within connection: SQLiteConnection, role: StoreRole, file: String, created: Bool
    ) throws(GodwitError) -> SchemaReport {
        let plan = try requireKnownSchema(connection)
        let before = created || plan.pending.isEmpty ? nil : try State(files, plan, connection)
        try adopt(plan, connection)
        for migration in plan.pending {
            try apply(migration, to: connection, isLast: !created || migration == plan.pending.last)
        }
        var report = report(plan, role: role, file: file, created: created)
        try before?.compare(with: connection, &report)
        return report
    }

    /// What a store was like before files are applied to it, as far as a warning can come of it.
    private struct State {
        private let notes: MigratorNotes
        private let losses: SchemaLossSearch

        init(_ files: SchemaFiles, _ plan: SchemaPlan, _ store: SQLiteConnection) throws(GodwitError) {
            notes = try MigratorNotes(of: store)
            losses = try SchemaLossSearch(files, plan, in: store)
        }

        /// Notes of the app's migrator that are what they were, and data that is not there any more.
        func compare(with store: SQLiteConnection, _ report: inout SchemaReport) throws(GodwitError) {
            if !notes.names.isEmpty, try MigratorNotes(of: store) == notes { report.migratorNotes = notes.names }
            let found = try losses.losses(in: store)
            if !found.isEmpty { report.losses = found }
        }
    }

    /// The report of a plan, once it is carried out.
    package func report(_ plan: SchemaPlan, role: StoreRole, file: String, created: Bool) -> SchemaReport {
        SchemaReport(
            outcome: plan.hasWork ? .done : .nothingToDo, store: role, file: file, created: created,
            adoptedAt: plan.adoptedAt, fromVersion: plan.from, toVersion: plan.from + plan.pending.count,
            applied: plan.pending.map { AppliedMigration(version: $0.version, name: $0.name, checksum: $0.checksum) })
    }

    /// Writes the whole history into a private store whose tables were made after the latest version, of which no file ran.
    package func recordAsMade(within connection: SQLiteConnection) throws(GodwitError) {
        for file in files.files { try connection.record(file.record, at: context.now, durationMilliseconds: 0) }
    }

    private func adopt(_ plan: SchemaPlan, _ connection: SQLiteConnection) throws(GodwitError) {
        guard let version = plan.adoptedAt else { return }
        for file in files.files[..<version] {
            try connection.record(file.record, at: context.now, durationMilliseconds: 0)
        }
    }

    /// - Parameter isLast: false in a new store that others follow for: nobody writes to it between them.
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
                .schema, .data, "\(migration.title) ended its transaction.", hint: "Take COMMIT out of the file."
            ).placed(in: files.path(of: migration))
        }
        let milliseconds = (clock.now - start).milliseconds
        try connection.record(migration.record, at: context.now, durationMilliseconds: milliseconds)
    }

    /// The error of a migration; a full disk, a lock or a cancellation is not the migration's fault and keeps its hint.
    private static func failure(
        of migration: SchemaFile, at path: String, on store: String, _ error: GodwitError
    ) -> GodwitError {
        guard error.code == .data else { return error }
        var failure = error
        let position = error.place?.line.map { "\(path):\($0): " } ?? ""
        failure.message = "\(position)\(migration.title) can't be applied to \(store)."
        failure.underlying = error.underlying ?? error.message
        failure.hint =
            "Correct the SQL or the data, then run the same command again. The store is as it was before this file."
        return failure.moved(to: path)
    }
}
