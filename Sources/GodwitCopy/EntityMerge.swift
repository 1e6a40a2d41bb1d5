internal import GodwitLedger
internal import GodwitModel
internal import GodwitSQLite

/// Merges the local records of one entity into the cloud store, inside the copy's transaction.
///
/// Two passes, because rows must not change while a cursor reads them (<https://sqlite.org/isolation.html>, "Changes
/// made while a SELECT runs"): the first decides and records the number of each local record to write, the second
/// writes. Memory does not grow with the number of records, because the decisions are in a temporary table. An empty
/// table needs no decisions, so all records are inserted (`fill`). A record that is refused, because another one still
/// has its value, is written later (`writeRefused`).
struct EntityMerge {
    let lockstep: EntityComparison
    let localStore: SQLiteConnection
    let cloudStore: SQLiteConnection
    let records: RemovedRecords
    /// The other records of the cloud store; nil if the store is new.
    let sideEffectGuard: SideEffectGuard?
    let conflicts: ConflictClauses
    /// Number of local records of all entities, for progress reports.
    let total: Int64
    let context: RunContext
    /// Whether the result will be discarded.
    var isInVain: () -> Bool = { false }

    func merge(
        into entity: inout RunReport.Copy.Entity, dates: inout DateFindings, done: inout Int64
    ) throws(GodwitError) {
        entity.cloudBefore = try cloudStore.countRecords(of: entity.name)
        if entity.cloudBefore == 0 {
            entity.inserted = try fill(done: &done)
        } else {
            try note(into: &entity, dates: &dates)
            try writeRefused(by: write(.noted, refusedInto: .refused, done: &done))
        }
        entity.cloudAfter = entity.cloudBefore + entity.inserted
    }

    private var insertion: String {
        conflicts.insertion(of: lockstep.local.columns.map(quoted), into: lockstep.cloud.name)
    }

    func insert(
        _ source: borrowing SQLiteCursor, _ insertion: borrowing SQLiteCursor, width: Int? = nil
    ) throws(GodwitError) {
        for index in 0..<(width ?? lockstep.places.count) {
            try insertion.bind(column: index, of: source, at: index + 1)
        }
        let before = cloudStore.totalChanges
        try insertion.run()
        try conflicts.requireInserted(by: cloudStore)
        try requireNoOther(since: before, .insert)
    }

    func requireNoOther(since before: Int64, _ event: TriggerEffects.Event) throws(GodwitError) {
        guard cloudStore.totalChanges - before != 1, let sideEffectGuard else { return }
        let name = lockstep.cloud.entity.name
        try sideEffectGuard.requireUnchanged(
            since: before, by: event, of: lockstep.cloud.shape.name,
            doing: "\(event == .insert ? "copying" : "replacing") a record of `\(name)`", stage: .copy)
    }

    /// First pass: decides for each local record, and records the number of those to write and the cloud's row to
    /// replace.
    private func note(into entity: inout RunReport.Copy.Entity, dates: inout DateFindings) throws(GodwitError) {
        let identity = lockstep.cloud.identity.indices
        try make(.noted)
        let note = try cloudStore.prepare(
            "INSERT INTO \(MergeNotes.noted.table) VALUES (?, ?, 0, \(identity.map { _ in "?" }.joined(separator: ", ")))"
        )
        let width = lockstep.cloud.columns.count
        var ordinal: Int64 = 0
        var counted = entity
        var found = dates
        _ = try lockstep.walk(localStore, cloudStore, context) {
            meeting, mine, theirs throws(GodwitError) in
            switch meeting {
            case .onlyLocal:
                counted.inserted += 1
                try note.bind([.integer(ordinal), .null] + identity.map { _ in .null })
                try note.run()
            case .both(.update(let reason)):
                counted.updated += 1
                examine(mine, theirs, &found)
                try note.bind([.integer(ordinal), .string(reason.rawValue)])
                for index in identity { try note.bind(column: width + index, of: theirs, at: 3 + index) }
                try note.run()
            case .both(.keepCloud):
                counted.cloudKept += 1
                if lockstep.dates(mine, theirs) == .same { counted.sameDate += 1 }
                examine(mine, theirs, &found)
            case .both: counted.equal += 1
            }
            ordinal += 1
            if ordinal & 1023 == 0 { try context.cancellation.check(.copy) }
        }
        (entity, dates) = (counted, found)
    }

    private func examine(
        _ mine: borrowing SQLiteCursor, _ theirs: borrowing SQLiteCursor, _ found: inout DateFindings
    ) {
        let entity = lockstep.local.entity
        found.examine(lockstep.date(mine, lockstep.local.modifiedIndex), of: entity, now: context.now)
        found.examine(lockstep.date(theirs, lockstep.cloud.modifiedIndex), of: entity, now: context.now)
    }

    /// Second pass: reads the same local records in the same order, together with the decisions.
    ///
    /// - Parameter refused: receives the records that are refused because of a value of another record.
    func write(
        _ noted: MergeNotes, refusedInto refused: MergeNotes, done: inout Int64
    ) throws(GodwitError) -> MergeRefusals {
        try make(refused)
        let source = try localStore.prepare(lockstep.selectMine)
        let notes = try cloudStore.prepare("SELECT * FROM \(noted.table) ORDER BY ordinal")
        let insertion = try cloudStore.prepare(insertion)
        var found = MergeRefusals()
        var hasNote = try notes.step()
        var ordinal: Int64 = 0
        while hasNote, try source.step() {
            if notes.integer(0) == ordinal {
                do throws(GodwitError) {
                    if notes.type(1) == .null {
                        try insert(source, insertion)
                    } else {
                        try replace(by: source, as: notes)
                    }
                } catch {
                    let error = refusal(error, row: source)
                    // A trigger may have said OR ROLLBACK.
                    guard error.isForUniqueness, cloudStore.isInTransaction else { throw error }
                    try keep(ordinal, of: noted, in: refused)
                    found.add(error)
                }
                hasNote = try notes.step()
            }
            ordinal += 1
            try report(&done)
        }
        return found
    }

    /// Replaces the columns of the cloud's row by the local ones, and sets the old row aside.
    private func replace(
        by source: borrowing SQLiteCursor, as note: borrowing SQLiteCursor
    ) throws(GodwitError) {
        let cloud = lockstep.cloud
        let identity = identity(in: note)
        let row = try cloudRow(identity)
        try requireNothingCarriedOn(row, source)
        let before = cloudStore.totalChanges
        try conflicts.update(
            lockstep.local.columns, to: lockstep.local.columns.indices.map { source.value($0) },
            where: cloud.identityCondition, identity, in: cloudStore)
        try requireNoOther(since: before, .update)
        if note.integer(2) == 0 { try keepAside(row, reason: note.value(1).readable) }
    }

    /// The identity of the cloud's row in a decision.
    func identity(in note: borrowing SQLiteCursor) -> [Value] {
        lockstep.cloud.identity.indices.map { note.value(3 + $0) }
    }

    func cloudRow(_ identity: [Value]) throws(GodwitError) -> [Value] {
        let cloud = lockstep.cloud
        let found = try cloudStore.rows(
            "SELECT \(cloud.columnList) FROM \(cloud.source) WHERE \(cloud.identityCondition)", identity)
        guard let row = found.first, found.count == 1 else {
            throw GodwitError(
                .copy, .bug, "a `\(cloud.entity.name)` record of `\(cloudStore.name)` moved during the merge")
        }
        return row
    }

    func keepAside(_ row: [Value], reason: String) throws(GodwitError) {
        let cloud = lockstep.cloud
        try records.keep(
            entity: cloud.entity.name, key: row[cloud.keyIndex], columns: cloud.columns, values: row,
            reason: "replaced:" + reason, winnerKey: row[cloud.keyIndex])
    }

    /// If a trigger fills an index, the counts of changes do not show what a foreign key changes in addition.
    private func requireNothingCarriedOn(_ old: [Value], _ source: borrowing SQLiteCursor) throws(GodwitError) {
        guard let sideEffectGuard, sideEffectGuard.hasTriggers else { return }
        let (table, names) = (lockstep.cloud.shape.name, lockstep.cloud.columns)
        for (place, column) in lockstep.local.columns.enumerated() {
            guard let child = sideEffectGuard.child(carrying: column, of: table) else { continue }
            guard let index = names.firstIndex(where: { $0.isSameName(as: column) }) else { continue }
            guard old[index] != source.value(place) else { continue }
            throw GodwitError(
                .copy, .data,
                "replacing a record of `\(table)` changes its `\(column)`, which a foreign key of `\(child)` in "
                    + "`\(cloudStore.name)` would pass on to other records; nothing was changed",
                hint:
                    "Name `\(child)` under `entities:`, with `belongsTo`, so that Godwit changes its "
                    + "references itself."
            )
        }
    }

    func report(_ done: inout Int64) throws(GodwitError) {
        done += 1
        guard done & 4095 == 0 else { return }
        try context.cancellation.check(.copy)
        context.progress(RunProgress(stage: .copy, completed: done, total: total))
    }
}
