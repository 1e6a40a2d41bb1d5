internal import GodwitModel
internal import GodwitSQLite

/// Inserts all records of an entity into an empty table, in the order of the source and with its rowids.
///
/// So both files are read and written in order, and can be proven equal in that order.
extension EntityMerge {
    /// Inserts all local records; returns their number.
    func fill(done: inout Int64) throws(GodwitError) -> Int64 {
        if let count = try fillAtOnce(done: &done) { return count }
        let names = try filledColumns(of: lockstep.cloud)
        let source = try localStore.prepare(
            "SELECT \(try filledColumns(of: lockstep.local).joined(separator: ", ")) "
                + "FROM \(lockstep.local.source)")
        let insertion = try cloudStore.prepare(
            """
            INSERT INTO main.\(lockstep.cloud.name)(\(names.joined(separator: ", ")))
            VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))
            """)
        var count: Int64 = 0
        while try source.step() {
            try insert(source, insertion, width: names.count)
            count += 1
            try report(&done)
        }
        return count
    }

    /// Inserts all records with one SQL statement; nil, without inserting any, if that is impossible.
    ///
    /// Not if an existing store has triggers, which are checked record by record.
    private func fillAtOnce(done: inout Int64) throws(GodwitError) -> Int64? {
        guard sideEffectGuard?.hasTriggers != true, try cloudStore.attach(localStore) else { return nil }
        let (start, before) = (done, cloudStore.totalChanges)
        let transfers = try TableTransfer(from: localStore, to: cloudStore).isPossible(lockstep.local, lockstep.cloud)
        let end = try start + localStore.estimateRecords(of: lockstep.local.entity.name)
        let steps = try stepsPerRecord
        var count: Int64 = 0
        try cloudStore.execute("SAVEPOINT godwit_fill")
        do throws(GodwitError) {
            try cloudStore.execute(statement(transfers), unless: context.cancellation) { made in
                tell(upTo: min(start + made / steps, end), &done)
                return !isInVain()
            }
            count = cloudStore.changedRows
            // SQLite has copied the entries of the source's indexes.
            if transfers { try cloudStore.rebuildIndexes(of: lockstep.cloud.shape.name) }
            try cloudStore.execute("RELEASE godwit_fill")
        } catch  where error.code == .data && cloudStore.isInTransaction {
            // Inserting one by one shows which record of which store is the cause.
            try cloudStore.execute("ROLLBACK TO godwit_fill")
            try cloudStore.execute("RELEASE godwit_fill")
            done = start
            return nil
        }
        try sideEffectGuard?.requireUnchanged(
            since: before, by: .insert, of: lockstep.cloud.shape.name,
            doing: "copying records of `\(lockstep.cloud.entity.name)`", stage: .copy)
        tell(upTo: start + count, &done)
        try context.cancellation.check(.copy)
        done = start + count
        return count
    }

    private func statement(_ transfers: Bool) throws(GodwitError) -> String {
        let target = "main.\(lockstep.cloud.name)"
        if transfers { return "INSERT INTO \(target) SELECT * FROM \(SQLiteConnection.source).\(lockstep.local.name)" }
        let names = try filledColumns(of: lockstep.cloud).joined(separator: ", ")
        let values = try filledColumns(of: lockstep.local).joined(separator: ", ")
        let source = "\(SQLiteConnection.source).\(lockstep.local.source)"
        return "INSERT INTO \(target)(\(names)) SELECT \(values) FROM \(source)"
    }

    /// The local columns, and the rowid if no column contains it, because other data may refer to a row by it.
    private func filledColumns(of table: EntityTable) throws(GodwitError) -> [String] {
        let (mine, theirs) = (
            try localStore.identityColumns(of: lockstep.local.shape),
            try cloudStore.identityColumns(of: lockstep.cloud.shape)
        )
        return (mine == nil && theirs == nil ? [table.identity[0]] : []) + lockstep.local.columns.map(quoted)
    }

    /// Approximate number of SQLite's steps per record, at least; EXPLAIN lists them.
    private var stepsPerRecord: Int64 {
        get throws(GodwitError) {
            4 + 3 * Int64(try cloudStore.rows("PRAGMA main.index_list(\(lockstep.cloud.name))").count)
        }
    }

    /// Reports progress for each 4096th record up to a number.
    private func tell(upTo number: Int64, _ done: inout Int64) {
        while (done | 4095) < number {
            done = (done | 4095) + 1
            context.progress(RunProgress(stage: .copy, completed: done, total: total))
        }
    }
}
