internal import GodwitModel
internal import GodwitSQLite

/// Walks the local and the cloud records of one entity together; records match by key.
///
/// Both sides must have unique keys, which dedupe ensures. Columns are compared in place; only the dates of different
/// records are copied.
struct EntityComparison {
    let local: EntityTable
    let cloud: EntityTable
    /// For each local column, its index in the cloud's table.
    let places: [Int]

    /// Pairs the columns by name; throws 65 if the stores do not have the same ones.
    init(local: EntityTable, cloud: EntityTable, store: String) throws(GodwitError) {
        (self.local, self.cloud) = (local, cloud)
        var places: [Int] = []
        for column in local.columns {
            guard let place = cloud.columns.firstIndex(where: { $0.isSameName(as: column) }) else {
                throw Self.different(local.entity, column, store)
            }
            places.append(place)
        }
        guard local.columns.count == cloud.columns.count else {
            let extra = cloud.columns.first { name in
                !local.columns.contains { $0.isSameName(as: name) }
            }
            throw Self.different(local.entity, extra ?? "", store)
        }
        self.places = places
    }

    private static func different(_ entity: Entity, _ column: String, _ store: String) -> GodwitError {
        GodwitError(
            .copy, .data,
            "`\(store)` has an unexpected schema: column `\(entity.name).\(column)` is not in both stores",
            hint: "Bring both stores to the same schema version; \(name: .status) shows their versions.")
    }

    enum RecordMatch {
        case onlyLocal
        /// In both stores, with the decision for the local record.
        case both(MergeDecision)
    }

    /// The result of a walk in key order, for tables with rowids: matching rows, and the number of cloud records
    /// without a match.
    struct Meetings {
        let pairs: SortedPairs
        let onlyCloud: Int64
    }

    /// Calls `body` for each local record, with the current rows of both stores.
    ///
    /// Records match by key. The order of the calls is that of `selectMine`.
    ///
    /// - Returns: number of records that only the cloud has.
    func walk(
        _ localStore: SQLiteConnection, _ cloudStore: SQLiteConnection, _ context: RunContext,
        _ body: (RecordMatch, borrowing SQLiteCursor, borrowing SQLiteCursor) throws(GodwitError) -> Void
    ) throws(GodwitError) -> Int64 {
        guard let meetings = try meetings(localStore, cloudStore, context) else {
            return try walkByKey(localStore, cloudStore, body)
        }
        try walk(meetings.pairs, .all, localStore, cloudStore, body)
        return meetings.onlyCloud
    }

    /// Walks both tables in key order; nil if a table has no rowids.
    func meetings(
        _ localStore: SQLiteConnection, _ cloudStore: SQLiteConnection, _ context: RunContext
    ) throws(GodwitError) -> Meetings? {
        guard let mine = local.selectKeysInOrder, let theirs = cloud.selectKeysInOrder else { return nil }
        var pairs = RowPairs(context, stage: localStore.stage)
        var onlyCloud: Int64 = 0
        try Self.meet(localStore.prepare(mine), 0, cloudStore.prepare(theirs), 0) {
            order, mine, theirs throws(GodwitError) in
            if order > 0 { onlyCloud += 1 } else { try pairs.add(mine.integer(1), order < 0 ? nil : theirs.integer(1)) }
        }
        return try Meetings(pairs: pairs.sorted(), onlyCloud: onlyCloud)
    }

    /// The local records in the order of `walk`.
    var selectMine: String {
        cloud.shape.isWithoutRowid ? local.selectInKeyOrder : local.selectInRowOrder ?? local.selectInKeyOrder
    }

    /// The cloud's columns, and what identifies the row.
    private var cloudColumns: String { "\(cloud.columnList), \(cloud.identity.joined(separator: ", "))" }

    private var cloudRows: String {
        let row = cloud.identity[0]
        return "SELECT \(cloudColumns) FROM \(cloud.name) NOT INDEXED WHERE \(row) >= ? ORDER BY \(row)"
    }

    /// Reads a range of local rows in the order of the file, and the cloud's row of each key.
    ///
    /// That row is often the next one in its file too; the order of keys may need another page for each record.
    func walk(
        _ pairs: SortedPairs, _ range: RowRange, _ localStore: SQLiteConnection, _ cloudStore: SQLiteConnection,
        _ body: (RecordMatch, borrowing SQLiteCursor, borrowing SQLiteCursor) throws(GodwitError) -> Void
    ) throws(GodwitError) {
        let mine = try local.rows(range, of: localStore)
        var theirs = RowSeeker(
            try cloudStore.prepare(cloudRows), try cloudStore.prepare(cloudRows), rowColumn: cloud.columns.count)
        let width = local.columns.count
        try pairs.forEach(in: range) { row, other throws(GodwitError) in
            guard try mine.step(), mine.integer(width) == row else { throw moved }
            if let other, try !theirs.go(to: other) { throw moved }
            try theirs.withRow { theirs throws(GodwitError) in
                guard other != nil else { return try body(.onlyLocal, mine, theirs) }
                let decision = decide(mine, theirs)
                guard decision == .keepEqual || haveSameKey(mine, theirs) else { throw moved }
                try body(.both(decision), mine, theirs)
            }
        }
        guard try !mine.step() else { throw moved }
    }

    /// For tables of which one has no rowids.
    ///
    /// - Returns: number of records that only the cloud has.
    func walkByKey(
        _ localStore: SQLiteConnection, _ cloudStore: SQLiteConnection,
        _ body: (RecordMatch, borrowing SQLiteCursor, borrowing SQLiteCursor) throws(GodwitError) -> Void
    ) throws(GodwitError) -> Int64 {
        let theirs = try cloudStore.prepare("SELECT \(cloudColumns) FROM \(cloud.source) ORDER BY \(cloud.keyOrder)")
        var onlyCloud: Int64 = 0
        try Self.meet(
            localStore.prepare(local.selectInKeyOrder), local.keyIndex, theirs, cloud.keyIndex
        ) { order, mine, theirs throws(GodwitError) in
            if order > 0 {
                onlyCloud += 1
            } else {
                try body(order < 0 ? .onlyLocal : .both(decide(mine, theirs)), mine, theirs)
            }
        }
        return onlyCloud
    }

    /// Walks both tables in key order; the number is negative for a key that only the local store has, positive for one
    /// that only the cloud has.
    static func meet(
        _ mine: borrowing SQLiteCursor, _ myKey: Int, _ theirs: borrowing SQLiteCursor, _ theirKey: Int,
        _ body: (Int, borrowing SQLiteCursor, borrowing SQLiteCursor) throws(GodwitError) -> Void
    ) throws(GodwitError) {
        var hasMine = try mine.step()
        var hasTheirs = try theirs.step()
        while hasMine || hasTheirs {
            let order = hasMine && hasTheirs ? mine.compare(myKey, with: theirKey, of: theirs) : hasMine ? -1 : 1
            try body(order, mine, theirs)
            if order <= 0 { hasMine = try mine.step() }
            if order >= 0 { hasTheirs = try theirs.step() }
        }
    }

    private var moved: GodwitError {
        GodwitError(
            .copy, .data, "an index of `\(local.entity.name)` differs from its table",
            hint: "Check both stores with `PRAGMA integrity_check`.")
    }

    private func haveSameKey(_ mine: borrowing SQLiteCursor, _ theirs: borrowing SQLiteCursor) -> Bool {
        mine.compare(local.keyIndex, with: cloud.keyIndex, of: theirs) == 0
    }

    private func decide(_ mine: borrowing SQLiteCursor, _ theirs: borrowing SQLiteCursor) -> MergeDecision {
        if mine.columns(from: 0, equal: places, of: theirs) { return .keepEqual }
        return .decide(
            local: date(mine, local.modifiedIndex), cloud: date(theirs, cloud.modifiedIndex),
            rule: local.entity.conflict)
    }

    /// Compares the dates of both records of a key.
    enum Dates {
        case none
        case same
        /// They differ, or only one record has a date.
        case different
    }

    func dates(_ mine: borrowing SQLiteCursor, _ theirs: borrowing SQLiteCursor) -> Dates {
        let (date, other) = (date(mine, local.modifiedIndex), date(theirs, cloud.modifiedIndex))
        return date != other ? .different : date == nil ? .none : .same
    }

    /// The date of a cursor's current record.
    func date(_ cursor: borrowing SQLiteCursor, _ index: Int?) -> Instant? {
        guard let index else { return nil }
        return Instant(cursor.value(index), as: local.entity.modified?.encoding)
    }
}
