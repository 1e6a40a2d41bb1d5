internal import GodwitModel
internal import GodwitSQLite

/// A temporary table with the decisions of a merge: the number of a local record, and the cloud's row that it replaces.
///
/// Its columns: `ordinal`; `reason`, NULL for a record that the cloud lacks; `kept`, whether the cloud's record was set
/// aside; and the identity of the cloud's row.
enum MergeNotes {
    /// The records to write, and later those that were refused again.
    case noted
    case refused

    var table: String { self == .noted ? "temp.godwit_merge" : "temp.godwit_merge_refused" }
    var other: MergeNotes { self == .noted ? .refused : .noted }
}

/// Records that were refused because another one still has a value of theirs.
struct MergeRefusals {
    private(set) var count = 0
    private(set) var first: GodwitError?

    mutating func add(_ error: GodwitError) {
        count += 1
        first = first ?? error
    }
}

/// Handles unique values that another record gives up in the same merge, as when two records swap their positions in a
/// list, or all move by one.
///
/// SQLite checks a UNIQUE index for each changed row, and cannot defer that
/// (<https://sqlite.org/lang_createtable.html#unique_constraints>).
/// Invariant: every row with a stand-in is recorded as refused, and has its merged values when the merge has succeeded.
extension EntityMerge {
    /// Maximum number of passes over refused records; with stand-ins, one or two are enough.
    private static let mostPasses = 64

    /// The error of a constraint in the cloud store, with the local record that caused it.
    ///
    /// - Parameter row: the record, followed by its rowid if it has one.
    func refusal(_ error: GodwitError, row: borrowing SQLiteCursor) -> GodwitError {
        guard error.code == .data, let underlying = error.underlying, underlying.contains("constraint failed") else {
            return error
        }
        let (table, entity) = (lockstep.local.shape, lockstep.cloud.entity.name)
        // The private store of a Core Data source has its own rowids.
        let isOwn = !table.isWithoutRowid && !lockstep.cloud.shape.isWithoutRowid && lockstep.local.entity.source == nil
        let place = isOwn ? row.integer(lockstep.local.columns.count) : nil
        return GodwitError(
            .copy, .data,
            "`\(cloudStore.name)` refused a record of `\(entity)`"
                + (place.map { " (row \($0) of it in `\(localStore.name)`)" } ?? "") + "; nothing was changed",
            hint: error.isForUniqueness
                ? "Change one of the two records with the same unique value in the app, or loosen the "
                    + "constraint in a new schema file."
                : error.hint, underlying: underlying)
    }

    /// Creates the table of such records, empty.
    func make(_ notes: MergeNotes) throws(GodwitError) {
        let identity = lockstep.cloud.identity.indices.map { "i\($0)" }.joined(separator: ", ")
        try cloudStore.execute("DROP TABLE IF EXISTS \(notes.table)")
        try cloudStore.execute("CREATE TABLE \(notes.table)(ordinal INTEGER PRIMARY KEY, reason, kept, \(identity))")
    }

    func keep(_ ordinal: Int64, of notes: MergeNotes, in others: MergeNotes) throws(GodwitError) {
        try cloudStore.execute(
            "INSERT INTO \(others.table) SELECT * FROM \(notes.table) WHERE ordinal = ?", [.integer(ordinal)])
    }

    /// Writes the refused records as soon as their values are free; throws the error of the first one if they never
    /// are.
    func writeRefused(by refusals: MergeRefusals) throws(GodwitError) {
        var (left, notes) = (refusals, MergeNotes.refused)
        var ignored: Int64 = 0
        for pass in 0..<Self.mostPasses where left.count > 0 {
            let haveYielded = pass == 0 ? try yieldValues(of: notes) : false
            let again = try write(notes, refusedInto: notes.other, done: &ignored)
            guard haveYielded || again.count < left.count else { break }
            (left, notes) = (again, notes.other)
        }
        if let first = left.first { throw first }
    }

    /// Replaces conflicting values in the cloud's rows that will be replaced; false if that is impossible.
    ///
    /// Not if triggers or the app's own observers would see a value that no record really has.
    private func yieldValues(of notes: MergeNotes) throws(GodwitError) -> Bool {
        let cloud = lockstep.cloud
        guard sideEffectGuard?.hasTriggers != true, !cloudStore.isOfApp else { return false }
        let standIns = try standIns()
        guard !standIns.isEmpty else { return false }
        let noted = try cloudStore.prepare("SELECT * FROM \(notes.table) WHERE reason IS NOT NULL ORDER BY ordinal")
        var number: Int64 = 0
        while try noted.step() {
            let identity = identity(in: noted)
            if noted.integer(2) == 0 { try keepAside(cloudRow(identity), reason: noted.value(1).readable) }
            number += 1
            for standIn in standIns {
                let before = cloudStore.totalChanges
                do throws(GodwitError) {
                    try conflicts.update(
                        [standIn.column], to: [standIn.value(number, context)], where: cloud.identityCondition,
                        identity,
                        in: cloudStore)
                } catch  where error.code == .data && cloudStore.isInTransaction {
                    // If a CHECK refuses the stand-in, the value stays, and the record that needs it is refused again.
                    continue
                }
                try requireNoOther(since: before, .update)
            }
            if number & 1023 == 0 { try context.cancellation.check(.copy) }
        }
        try cloudStore.execute("UPDATE \(notes.table) SET kept = 1 WHERE reason IS NOT NULL")
        return number > 0
    }

    /// A column of each UNIQUE index, with a temporary value for it.
    private func standIns() throws(GodwitError) -> [StandIn] {
        let table = lockstep.cloud.shape
        var found: [StandIn] = []
        // seq, name, unique, origin, partial: https://sqlite.org/pragma.html#pragma_index_list
        for index in try cloudStore.rows("PRAGMA index_list(\(quoted(table.name)))")
        where index[2] == .integer(1) && index[3] != .string("pk") {
            // seqno, cid, name (NULL: an expression), desc, coll, key: https://sqlite.org/pragma.html#pragma_index_xinfo
            let columns = try cloudStore.rows("PRAGMA index_xinfo(\(quoted(index[1].readable)))")
                .filter { $0[5] == .integer(1) && $0[2] != .null }
                .compactMap { table.column(named: $0[2].readable) }
                .filter(canStandAside)
            guard !columns.contains(where: { column in found.contains { $0.column == column.name } }) else { continue }
            let candidates = columns.filter { !$0.isNotNull } + columns.filter(\.isNotNull)
            for column in candidates {
                guard let standIn = try standIn(for: column) else { continue }
                found.append(standIn)
                break
            }
        }
        return found
    }

    /// Not the key, and not a column that identifies the row or that other records refer to.
    private func canStandAside(_ column: ColumnShape) -> Bool {
        let cloud = lockstep.cloud
        return !column.isGenerated && column.primaryKeyIndex == 0
            && !column.name.isSameName(as: cloud.columns[cloud.keyIndex])
            && sideEffectGuard?.areCarriedOn(column.name, of: cloud.shape.name) != true
    }

    /// Nil if no value of that type is known to be valid.
    private func standIn(for column: ColumnShape) throws(GodwitError) -> StandIn? {
        guard column.isNotNull else { return StandIn(column: column.name, kind: .null) }
        switch ColumnAffinity(declaredType: column.type, isStrict: lockstep.cloud.shape.isStrict) {
        case .text: return StandIn(column: column.name, kind: .text)
        case .integer, .numeric, .real:
            let name = quoted(column.name)
            let largest = try cloudStore.first(
                "SELECT max(CAST(\(name) AS INTEGER)) FROM \(lockstep.cloud.source) WHERE typeof(\(name)) <> 'text'")
            // Above all others, because a CHECK is more likely to require positive numbers. Reals are exact integers up
            // to 2 to the power of 53.
            guard case .integer(let count) = largest, count < 1 << 52 else { return nil }
            return StandIn(column: column.name, kind: .numbers(after: max(count, 0) + 1))
        case .blob: return nil
        }
    }
}

/// A temporary value of a column, different for each row.
private struct StandIn {
    enum Kind {
        case null
        case text
        case numbers(after: Int64)
    }

    let column: String
    let kind: Kind

    func value(_ number: Int64, _ context: RunContext) -> Value {
        switch kind {
        case .null: .null
        case .text: .string(context.makeIdentifier())
        case .numbers(let last): .integer(last + number)
        }
    }
}

extension GodwitError {
    /// Whether a UNIQUE index or a primary key refused a record: <https://sqlite.org/rescode.html#constraint_unique>.
    var isForUniqueness: Bool { code == .data && underlying?.hasPrefix("UNIQUE constraint failed") == true }
}
