internal import GodwitModel
internal import GodwitSQLite

/// How all records of an entity come into a table that has none: in the order in which the source holds them, under the
/// same rowids, so that both files are read and written from front to back and can be proven equal so.
extension EntityMerge {
    /// Inserts all local records; returns how many.
    func fill(done: inout Int64) throws(GodwitError) -> Int64 {
        if let count = try fillAtOnce(done: &done) { return count }
        let names = try filledColumns(of: lockstep.cloud)
        let source = try localStore.prepare(
            "SELECT \(try filledColumns(of: lockstep.local).joined(separator: ", ")) "
                + "FROM \(lockstep.local.name) NOT INDEXED")
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

    /// One statement of SQLite's for all records; nil where that can't be, and nothing was inserted.
    ///
    /// Triggers of a store that others use are looked at record by record.
    private func fillAtOnce(done: inout Int64) throws(GodwitError) -> Int64? {
        guard sideEffectGuard?.hasTriggers != true, try cloudStore.attach(localStore) else { return nil }
        let (start, before) = (done, cloudStore.totalChanges)
        let end = try start + localStore.countRecords(of: lockstep.local.entity.name)
        let steps = try stepsPerRecord
        do throws(GodwitError) {
            try cloudStore.execute(try statement, unless: context.cancellation) { made in
                tell(upTo: min(start + made / steps, end), &done)
                return !isInVain()
            }
        } catch  where error.code == .data && cloudStore.isInTransaction {
            // One by one it is found out which record it is, and of which store.
            done = start
            return nil
        }
        let count = cloudStore.changedRows
        try sideEffectGuard?.requireUnchanged(
            since: before, by: .insert, of: lockstep.cloud.shape.name,
            doing: "Copying records of \(lockstep.cloud.entity.name)", stage: .copy)
        tell(upTo: start + count, &done)
        try context.cancellation.check(.copy)
        done = start + count
        return count
    }

    private var statement: String {
        get throws(GodwitError) {
            let target = "main.\(lockstep.cloud.name)"
            let source = "\(SQLiteConnection.source).\(lockstep.local.name)"
            let transfer = TableTransfer(from: localStore, to: cloudStore)
            if try transfer.isPossible(lockstep.local, lockstep.cloud) {
                return "INSERT INTO \(target) SELECT * FROM \(source)"
            }
            let names = try filledColumns(of: lockstep.cloud).joined(separator: ", ")
            let values = try filledColumns(of: lockstep.local).joined(separator: ", ")
            return "INSERT INTO \(target)(\(names)) SELECT \(values) FROM \(source) NOT INDEXED"
        }
    }

    /// The local columns, and the row's number where it is no column's: something else may know a row by it.
    private func filledColumns(of table: EntityTable) throws(GodwitError) -> [String] {
        let (mine, theirs) = (
            try localStore.identityColumns(of: lockstep.local.shape),
            try cloudStore.identityColumns(of: lockstep.cloud.shape)
        )
        return (mine == nil && theirs == nil ? [table.identity[0]] : []) + lockstep.local.columns.map(quoted)
    }

    /// About how many steps SQLite's machine makes for a record, where least is to be done: EXPLAIN lists them.
    private var stepsPerRecord: Int64 {
        get throws(GodwitError) {
            4 + 3 * Int64(try cloudStore.rows("PRAGMA main.index_list(\(lockstep.cloud.name))").count)
        }
    }

    /// Tells of each 4096th record up to a number.
    private func tell(upTo number: Int64, _ done: inout Int64) {
        while (done | 4095) < number {
            done = (done | 4095) + 1
            context.progress(RunProgress(stage: .copy, completed: done, total: total))
        }
    }
}
