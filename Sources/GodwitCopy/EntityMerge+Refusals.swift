internal import GodwitModel
internal import GodwitSQLite

/// Notes of a merge in a temporary table: the ordinal of a local record, and the row of the cloud that it takes the place of.
///
/// Its columns: `ordinal`; `reason`, NULL for a record that the cloud has not; `kept`, whether the cloud's record has been kept
/// aside; and what identifies the cloud's row.
enum MergeNotes {
    /// What was decided; later, what was refused once more.
    case noted
    case refused

    var table: String { self == .noted ? "temp.godwit_merge" : "temp.godwit_merge_refused" }
    var other: MergeNotes { self == .noted ? .refused : .noted }
}

/// Records that could not be written since another one still had a value of theirs.
struct MergeRefusals {
    private(set) var count = 0
    /// What the first one met.
    private(set) var first: GodwitError?

    mutating func add(_ error: GodwitError) {
        count += 1
        first = first ?? error
    }
}

/// How records get to what UNIQUE grants to one at a time, where another one gives it up in the same merge: as where two swap
/// their places in a list, or all move on by one.
///
/// SQLite looks at a UNIQUE index with each row that it changes, and can't be told to wait
/// (<https://sqlite.org/lang_createtable.html#unique_constraints>).
///
/// Invariant: every row that takes a stand-in is noted as refused, and has what the merge gives it when the merge has ended well.
extension EntityMerge {
    /// Passes over records that are going nowhere: with a stand-in each is through in one, or two.
    private static let mostPasses = 64

    /// The error that a constraint of the cloud store ends with, and which record of the local store met it.
    ///
    /// - Parameter row: the record, with its rowid behind the columns where it has one.
    func refusal(_ error: GodwitError, row: borrowing SQLiteCursor) -> GodwitError {
        guard error.code == .data, let underlying = error.underlying, underlying.contains("constraint failed") else {
            return error
        }
        let (table, entity) = (lockstep.local.shape, lockstep.cloud.entity.name)
        // Rows of the private store that stands for one of Core Data's are numbered anew.
        let isOwn = !table.isWithoutRowid && !lockstep.cloud.shape.isWithoutRowid && lockstep.local.entity.source == nil
        let place = isOwn ? row.integer(lockstep.local.columns.count) : nil
        return GodwitError(
            .copy, .data,
            "\(cloudStore.name) refused a record of \(entity)"
                + (place.map { ": row \($0) of it in \(localStore.name)." } ?? "."),
            hint: error.isForUniqueness
                ? "Nothing was changed. The cloud store has another record with what may be there once, as where two devices "
                    + "made the same: change one of them in the app, or loosen the constraint in a new schema file."
                : error.hint, underlying: underlying)
    }

    /// Makes the table of such notes, with nothing in it.
    func make(_ notes: MergeNotes) throws(GodwitError) {
        let identity = lockstep.cloud.identity.indices.map { "i\($0)" }.joined(separator: ", ")
        try cloudStore.execute("DROP TABLE IF EXISTS \(notes.table)")
        try cloudStore.execute("CREATE TABLE \(notes.table)(ordinal INTEGER PRIMARY KEY, reason, kept, \(identity))")
    }

    func keep(_ ordinal: Int64, of notes: MergeNotes, in others: MergeNotes) throws(GodwitError) {
        try cloudStore.execute(
            "INSERT INTO \(others.table) SELECT * FROM \(notes.table) WHERE ordinal = ?", [.integer(ordinal)])
    }

    /// Writes what was refused, as soon as nobody has its values any more; throws what the first one met where that never is.
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

    /// Gives the cloud's rows that are to be replaced other values where their own are in the way; false where that can't be.
    ///
    /// Not where triggers, or the app's own observers, would be told of a value that never was anybody's.
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
                    // A CHECK may know better; then the value stays, and whoever needs it is refused once more.
                    continue
                }
                try requireNoOther(since: before, .update)
            }
            if number & 1023 == 0 { try context.cancellation.check(.copy) }
        }
        try cloudStore.execute("UPDATE \(notes.table) SET kept = 1 WHERE reason IS NOT NULL")
        return number > 0
    }

    /// A column of each UNIQUE index, and what it can have instead for a while.
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

    /// Not the key, nor what other records or the row itself are known by.
    private func canStandAside(_ column: ColumnShape) -> Bool {
        let cloud = lockstep.cloud
        return !column.isGenerated && column.primaryKeyIndex == 0
            && !column.name.isSameName(as: cloud.columns[cloud.keyIndex])
            && sideEffectGuard?.areCarriedOn(column.name, of: cloud.shape.name) != true
    }

    /// Nil where nothing is known that a column of that type would take.
    private func standIn(for column: ColumnShape) throws(GodwitError) -> StandIn? {
        guard column.isNotNull else { return StandIn(column: column.name, kind: .null) }
        switch ColumnAffinity(declaredType: column.type, isStrict: lockstep.cloud.shape.isStrict) {
        case .text: return StandIn(column: column.name, kind: .text)
        case .integer, .numeric, .real:
            let name = quoted(column.name)
            let largest = try cloudStore.first(
                "SELECT max(CAST(\(name) AS INTEGER)) FROM \(lockstep.cloud.name) WHERE typeof(\(name)) <> 'text'")
            // Above all others, since a CHECK rather asks for what is positive. Reals are whole numbers up to 2 to the 53rd.
            guard case .integer(let count) = largest, count < 1 << 52 else { return nil }
            return StandIn(column: column.name, kind: .numbers(after: max(count, 0) + 1))
        case .blob: return nil
        }
    }
}

/// What a column has for a while, other for each row.
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
    /// Whether a UNIQUE index, or a primary key, stood against a record: <https://sqlite.org/rescode.html#constraint_unique>.
    var isForUniqueness: Bool { code == .data && underlying?.hasPrefix("UNIQUE constraint failed") == true }
}
