internal import GodwitLedger
internal import GodwitModel
internal import GodwitSQLite

/// Carries out the decision for one group: sets duplicates aside, changes references to the winner, and changes the
/// winner's key.
///
/// Invariant: when a duplicate is removed or the winner's key changes, no row refers to it any more, so no foreign key
/// acts on a row. A singleton's fixed key may belong to a duplicate. Then references change to the winner's old key
/// first, and to the new one after the duplicates are removed.
struct GroupWork {
    let connection: SQLiteConnection
    let table: EntityTable
    let references: [ParentReference]
    let books: RemovedRecords
    let sideEffectGuard: SideEffectGuard
    /// Identities of rows that were removed or got another key.
    let removed: SpillableRowMap
    let conflicts: ConflictClauses

    /// A row that must refer to the winner in the end.
    private struct Move {
        let reference: ParentReference
        let referrer: ParentReference.Referrer
        /// Its reference while duplicates are removed: the winner's old key.
        let interim: [Value]
        let final: [Value]
        /// Whether the row is itself a duplicate of the group.
        let goes: Bool
        /// Whether the row stays and its reference changes; only then it is recorded and counted.
        let isLasting: Bool
    }

    /// Applies a decision; returns the number of changed references.
    func apply(_ group: DuplicateGroup, to records: [StoredRecord]) throws(GodwitError) -> Int {
        let moves = try moves(group, records)
        let adopted = group.isRekeyed ? try adopted(group, records) : []
        var unsure: [(move: Move, numbers: [Value])] = []
        // The final identities of rows, for the ledger, and the current ones.
        var (booked, identities) = (RowIdentities(), RowIdentities())
        for move in moves where move.isLasting {
            let numbers = try keep(move, as: "repointed", &booked)
            if move.reference.identityColumns == nil, !move.reference.isEntity { unsure.append((move, numbers)) }
        }
        for move in adopted { _ = try keep(move, as: "adopted", &booked) }
        for move in moves where move.interim != move.referrer.values {
            try set(move.interim, move, &identities)
        }
        for index in group.losers {
            let now = identities.current(records[index].identity, in: table.shape.name)
            try setAside(records[index], at: now, group)
        }
        if group.isRekeyed {
            // Before the winner's key changes, so that no foreign key action moves these rows or rows that refer to
            // them. Foreign keys are checked at the commit.
            for move in moves where move.final != move.interim && !move.goes {
                try set(move.final, move, &identities)
            }
            try rekey(records[group.winner], to: group.finalKey, &booked, &identities)
        }
        for (move, numbers) in unsure { try keepDigest(of: move, numbers) }
        return moves.count(where: \.isLasting)
    }

    /// Records the identities of the duplicates, and of a winner with another key.
    func noteIdentifiers(of group: DuplicateGroup, _ records: [StoredRecord]) throws(GodwitError) {
        guard let column = UnnamedReferenceSearch.identifier(of: table.shape),
            let place = table.columns.firstIndex(of: column)
        else { return }
        for index in group.losers + (group.isRekeyed ? [group.winner] : []) {
            try removed.note(of: RowIdentifier(table: table.entity.name, identity: [records[index].columns[place]]))
        }
    }

    /// Rows that refer to the fixed key when no record of the group has it.
    ///
    /// They are orphans, and refer to the winner as soon as it has that key. They do not change, but an undo must know
    /// them.
    private func adopted(_ group: DuplicateGroup, _ records: [StoredRecord]) throws(GodwitError) -> [Move] {
        var final = records[group.winner].columns
        final[table.keyIndex] = group.finalKey
        let losers = Set(group.losers.map { records[$0].identity })
        var moves: [Move] = []
        for reference in references {
            let wanted = reference.values(for: final)
            if records.contains(where: { reference.values(for: $0.columns) == wanted }) { continue }
            for referrer in try reference.referrers(holding: wanted, connection) {
                if reference.table == table.shape.name, losers.contains(referrer.identity) { continue }
                moves.append(
                    Move(
                        reference: reference, referrer: referrer, interim: referrer.values, final: referrer.values,
                        goes: false, isLasting: false))
            }
        }
        return moves
    }

    private func moves(_ group: DuplicateGroup, _ records: [StoredRecord]) throws(GodwitError) -> [Move] {
        let winner = records[group.winner]
        var final = winner.columns
        final[table.keyIndex] = group.finalKey
        let losers = Set(group.losers.map { records[$0].identity })
        let members = group.losers + (group.isRekeyed ? [group.winner] : [])
        var moves: [Move] = []
        for reference in references {
            let (interim, wanted) = (reference.values(for: winner.columns), reference.values(for: final))
            // Several duplicates may have one key, and so the same referring rows.
            var seen: Set<[Value]> = []
            for index in members {
                let old = reference.values(for: records[index].columns)
                guard old != interim || old != wanted, !old.contains(.null), seen.insert(old).inserted,
                    try !isHeldByOthers(old, reference, records)
                else { continue }
                let referrers = try reference.referrers(to: records[index], of: table, connection)
                guard !referrers.isEmpty else { continue }
                let stage = connection.stage
                let stored = (try reference.stored(interim, stage), try reference.stored(wanted, stage))
                for referrer in referrers {
                    let goes = reference.table == table.shape.name && losers.contains(referrer.identity)
                    guard goes || !wanted.contains(.null) else { throw nothingToReferTo(by: reference, group) }
                    moves.append(
                        Move(
                            reference: reference, referrer: referrer, interim: stored.0, final: stored.1,
                            goes: goes, isLasting: !goes && referrer.values != stored.1))
                }
            }
        }
        return try moves + dependentMoves(of: moves)
    }

    /// Rows that refer to a column which changes in other rows.
    private func dependentMoves(of moves: [Move]) throws(GodwitError) -> [Move] {
        var found: [Move] = []
        var seen: Set<[Value]> = []
        for move in moves where !move.goes && move.final != move.referrer.values {
            for (place, dependent) in move.reference.dependents.enumerated() {
                let from: [Value] = [.string(move.reference.table), .integer(Int64(place))] + move.referrer.values
                guard seen.insert(from).inserted else { continue }
                let referrers = try dependent.referrers(holding: move.referrer.values, connection)
                guard !referrers.isEmpty else { continue }
                let stage = connection.stage
                let stored = (try dependent.stored(move.interim, stage), try dependent.stored(move.final, stage))
                found += referrers.map {
                    Move(
                        reference: dependent, referrer: $0, interim: stored.0, final: stored.1, goes: false,
                        isLasting: $0.values != stored.1)
                }
            }
        }
        return found.isEmpty ? [] : try found + dependentMoves(of: found)
    }

    /// Whether a record outside of the group has the same values, so that rows with them keep a parent.
    private func isHeldByOthers(
        _ values: [Value], _ reference: ParentReference, _ records: [StoredRecord]
    ) throws(GodwitError) -> Bool {
        guard reference.mayBeShared else { return false }
        let columns = reference.columns.map { "\(quoted(table.columns[$0.parent])) IS ? COLLATE BINARY" }
        let members = Set(records.map(\.identity))
        return try connection.rows(
            "SELECT \(table.identity.joined(separator: ", ")) FROM \(table.source) WHERE \(columns.joined(separator: " AND "))",
            values
        ).contains { !members.contains($0) }
    }

    private func nothingToReferTo(by reference: ParentReference, _ group: DuplicateGroup) -> GodwitError {
        let columns = reference.columns.map { "`\(table.columns[$0.parent])`" }.joined(separator: ", ")
        return GodwitError(
            .dedupe, .data,
            "the `\(table.entity.name)` record '\(group.finalKey.readable)' has no \(columns), so records of "
                + "`\(reference.table)` that refer to a duplicate of it can't refer to it; nothing was changed",
            hint: "Give it a value there in the app first.")
    }

    private func set(_ values: [Value], _ move: Move, _ identities: inout RowIdentities) throws(GodwitError) {
        let before = connection.totalChanges
        try move.reference.set(values, of: move.referrer, &identities, connection)
        try requireOneRow("changed", of: move.reference.table)
        try requireNoneCarriedAlong(since: before, move.reference)
        try requireNoOther(since: before, .update, of: move.reference.table)
    }

    /// If a trigger records changes, the counts do not show what a foreign key on the referring columns changes in
    /// addition.
    private func requireNoneCarriedAlong(since before: Int64, _ reference: ParentReference) throws(GodwitError) {
        guard sideEffectGuard.hasTriggers, connection.totalChanges - before != connection.changedRows else { return }
        let carried = reference.columns.first { sideEffectGuard.areCarriedOn($0.child, of: reference.table) }
        guard let carried else { return }
        throw GodwitError(
            .dedupe, .data,
            "changing the references of `\(reference.table)` changes its `\(carried.child)`, which a foreign "
                + "key of `\(connection.name)` may pass on to other records; nothing was changed",
            hint: "Correct the references of those records in the app first.")
    }

    /// Records each column that changes; returns the numbers of the ledger rows.
    private func keep(
        _ move: Move, as reason: String, _ booked: inout RowIdentities
    ) throws(GodwitError) -> [Value] {
        let (reference, row) = (move.reference, move.referrer)
        var numbers: [Value] = []
        for (place, pair) in reference.columns.enumerated()
        where row.values[place] != move.final[place] || !move.isLasting {
            let identity = booked.note(
                pair.child, as: move.final[place], of: row.identity, in: reference.table,
                identifiedBy: reference.identityColumns)
            numbers.append(
                try books.keepChange(
                    entity: reference.bookName, key: row.key, column: pair.child, from: row.values[place],
                    to: move.final[place], reason: reason, identity: identity))
        }
        return numbers
    }

    private func keepDigest(of move: Move, _ numbers: [Value]) throws(GodwitError) {
        let (reference, row) = (move.reference, move.referrer.identity)
        let digest = try RowDigest.of(row, in: reference.shape, identifiedBy: reference.identity, connection)
        guard let digest else { return }
        for number in numbers { try books.keepDigest(digest, ofChange: number) }
    }

    private func setAside(
        _ loser: StoredRecord, at identity: [Value], _ group: DuplicateGroup
    ) throws(GodwitError) {
        try books.keep(
            entity: table.entity.name, key: loser.columns[table.keyIndex], columns: table.columns,
            values: loser.columns, reason: group.reason.rawValue, winnerKey: group.finalKey,
            identity: loser.identity)
        let before = connection.totalChanges
        try connection.execute("DELETE FROM \(table.name) WHERE \(table.identityCondition)", identity)
        try requireOneRow("set aside", of: table.entity.name)
        try requireNoOther(since: before, .delete, of: table.shape.name)
    }

    private func rekey(
        _ winner: StoredRecord, to key: Value, _ booked: inout RowIdentities, _ identities: inout RowIdentities
    ) throws(GodwitError) {
        let (name, row) = (table.shape.name, winner.identity)
        let before = connection.totalChanges
        try conflicts.update(
            [table.entity.key], to: [key], where: table.identityCondition, identities.current(row, in: name),
            in: connection)
        try requireOneRow("re-keyed", of: table.entity.name)
        try requireNoOther(since: before, .update, of: name)
        let (column, columns) = (table.entity.key, try connection.identityColumns(of: table.shape))
        identities.note(column, as: key, of: row, in: name, identifiedBy: columns)
        let identity = booked.note(column, as: key, of: row, in: name, identifiedBy: columns)
        let old = winner.columns[table.keyIndex]
        try books.keepChange(
            entity: table.entity.name, key: old, column: column, from: old, to: key, reason: "rekeyed",
            identity: identity)
    }

    private func requireNoOther(
        since before: Int64, _ event: TriggerEffects.Event, of name: String
    ) throws(GodwitError) {
        let doing =
            event == .delete ? "removing a duplicate of `\(name)`" : "changing the references or keys of `\(name)`"
        try sideEffectGuard.requireUnchanged(since: before, by: event, of: name, doing: doing, stage: .dedupe)
    }

    private func requireOneRow(_ action: String, of name: String) throws(GodwitError) {
        guard connection.changedRows == 1 else {
            throw GodwitError(
                .dedupe, sideEffectGuard.hasTriggers ? .data : .bug,
                "\(connection.changedRows.grouped) `\(name)` records were \(action) instead of one; nothing "
                    + "was changed",
                hint: sideEffectGuard.hasTriggers
                    ? "Check the triggers of the store."
                    : "Report this with the command that you ran.")
        }
    }
}
