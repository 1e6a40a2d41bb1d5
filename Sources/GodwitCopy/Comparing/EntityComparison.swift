internal import GodwitModel
internal import GodwitSQLite

/// Walks the local and the cloud records of one entity side by side: which meet is found out in key order.
///
/// Both sides must have unique keys, which dedupe sees to. Columns are compared in place; nothing is copied but the
/// dates of records that differ.
struct EntityComparison {
    let local: EntityTable
    let cloud: EntityTable
    /// For each local column, its place in the cloud's table.
    let places: [Int]

    /// Pairs the columns by name; 65 where the stores do not have the same.
    init(local: EntityTable, cloud: EntityTable, store: String) throws(GodwitError) {
        self.local = local
        self.cloud = cloud
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
            .copy, .data, "\(store) has an unexpected schema: column \(entity.name).\(column) is not in both stores.",
            hint: "Bring both stores to the same schema version; `godwit status` shows where each stands.")
    }

    /// What became of one local record.
    enum RecordMatch {
        case onlyLocal
        /// In both: what must become of the local record.
        case both(MergeDecision)
    }

    /// What both key orders show, for tables that have rowids: which rows meet, and how many the cloud has alone.
    struct Meetings {
        let pairs: SortedPairs
        let onlyCloud: Int64
    }

    /// Calls `body` for each local record, with the cursors standing on it and on the cloud's record of its key.
    ///
    /// Records meet by key. In which order `body` is told of them is `selectMine`'s.
    ///
    /// - Returns: how many records the cloud has alone.
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

    /// Goes through both in key order; nil where a table has no rowids.
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

    /// The local records as `walk` tells of them.
    var selectMine: String {
        cloud.shape.isWithoutRowid ? local.selectInKeyOrder : local.selectInRowOrder ?? local.selectInKeyOrder
    }

    /// The cloud's columns, and what identifies the row.
    private var cloudColumns: String { "\(cloud.columnList), \(cloud.identity.joined(separator: ", "))" }

    private var cloudRows: String {
        let row = cloud.identity[0]
        return "SELECT \(cloudColumns) FROM \(cloud.name) NOT INDEXED WHERE \(row) >= ? ORDER BY \(row)"
    }

    /// Reads a range of the local rows as they lie, and beside each the row of its key, which often lies so, too: a key's own
    /// order may jump to another page for each record.
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
                // Where they differ it may be that an index does not say what the table does.
                guard decision == .keepEqual || haveSameKey(mine, theirs) else { throw moved }
                try body(.both(decision), mine, theirs)
            }
        }
        guard try !mine.step() else { throw moved }
    }

    /// For tables of which one has no rowids.
    ///
    /// - Returns: how many records the cloud has alone.
    func walkByKey(
        _ localStore: SQLiteConnection, _ cloudStore: SQLiteConnection,
        _ body: (RecordMatch, borrowing SQLiteCursor, borrowing SQLiteCursor) throws(GodwitError) -> Void
    ) throws(GodwitError) -> Int64 {
        let theirs = try cloudStore.prepare("SELECT \(cloudColumns) FROM \(cloud.name) ORDER BY \(cloud.keyOrder)")
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

    /// Goes through both in key order: negative for a key that the local store has alone, positive for one of the
    /// cloud's alone.
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
            .copy, .data, "An index of \(local.entity.name) does not say what the table does.",
            hint: "Have SQLite check both stores: PRAGMA integrity_check.")
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

    /// What the dates of both records of a key say.
    enum Dates {
        /// Neither has one.
        case none
        case same
        /// They differ, or only one has one.
        case different
    }

    func dates(_ mine: borrowing SQLiteCursor, _ theirs: borrowing SQLiteCursor) -> Dates {
        let (date, other) = (date(mine, local.modifiedIndex), date(theirs, cloud.modifiedIndex))
        return date != other ? .different : date == nil ? .none : .same
    }

    /// The date of the record a cursor stands on.
    func date(_ cursor: borrowing SQLiteCursor, _ index: Int?) -> Instant? {
        guard let index else { return nil }
        return Instant(cursor.value(index), as: local.entity.modified?.encoding)
    }
}
