internal import GodwitModel
internal import GodwitStore

/// Walks the local and the cloud records of one entity side by side in key order, each read once.
///
/// Both sides must have unique keys, which dedupe sees to. Columns are compared in place; nothing is copied but the
/// dates of records that differ.
struct Lockstep {
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

    /// What was met at one key.
    enum Meeting {
        case onlyLocal
        case onlyCloud
        /// In both: what must become of the local record.
        case both(MergeDecision)
    }

    /// Calls `body` for each key in order, with the cursors standing on the records met.
    func walk(
        _ localStore: SQLiteConnection, _ cloudStore: SQLiteConnection,
        _ body: (Meeting, borrowing SQLiteCursor, borrowing SQLiteCursor) throws(GodwitError) -> Void
    ) throws(GodwitError) {
        let mine = try localStore.prepare(local.selectInKeyOrder)
        let theirs = try cloudStore.prepare(
            "SELECT \(cloud.columnList), \(cloud.identity.joined(separator: ", ")) FROM \(cloud.name) "
                + "ORDER BY \(cloud.keyOrder)")
        var hasMine = try mine.step()
        var hasTheirs = try theirs.step()
        while hasMine || hasTheirs {
            let order =
                hasMine && hasTheirs
                ? mine.compare(local.keyIndex, with: cloud.keyIndex, of: theirs) : hasMine ? -1 : 1
            if order < 0 {
                try body(.onlyLocal, mine, theirs)
            } else if order > 0 {
                try body(.onlyCloud, mine, theirs)
            } else {
                try body(.both(decide(mine, theirs)), mine, theirs)
            }
            if order <= 0 { hasMine = try mine.step() }
            if order >= 0 { hasTheirs = try theirs.step() }
        }
    }

    private func decide(_ mine: borrowing SQLiteCursor, _ theirs: borrowing SQLiteCursor) -> MergeDecision {
        if mine.columns(from: 0, equal: places, of: theirs) { return .keepEqual }
        return .decide(
            local: date(mine, local.modifiedIndex), cloud: date(theirs, cloud.modifiedIndex),
            rule: local.entity.conflict)
    }

    /// Whether both records of a key have a date, and the same one.
    func haveSameDate(_ mine: borrowing SQLiteCursor, _ theirs: borrowing SQLiteCursor) -> Bool {
        guard let date = date(mine, local.modifiedIndex) else { return false }
        return date == self.date(theirs, cloud.modifiedIndex)
    }

    /// The date of the record a cursor stands on.
    func date(_ cursor: borrowing SQLiteCursor, _ index: Int?) -> Instant? {
        guard let index else { return nil }
        return Instant(cursor.value(index), as: local.entity.modified?.encoding)
    }
}
