internal import GodwitLedger
internal import GodwitModel
internal import GodwitSQLite

/// Carries out the decision on one group: keep losers whole, point their referrers at the winner, remove the losers,
/// re-key the winner.
///
/// Invariant: when a loser is removed or a winner re-keyed, no row refers to it any more, so no foreign key acts on
/// any row. A singleton's fixed key may be a loser's; its referrers first move to the winner's old key, and to the new
/// one when the losers are gone.
struct GroupWork {
    let connection: SQLiteConnection
    let table: EntityTable
    let references: [ParentReference]
    let books: RemovedRecords
    let sideEffectGuard: SideEffectGuard
    /// What identified the rows of records that were removed or got another key.
    let removed: SpillableRowMap
    /// How the table is written.
    let conflicts: ConflictClauses

    /// A row that must refer to the winner in the end.
    private struct Move {
        let reference: ParentReference
        let referrer: ParentReference.Referrer
        /// What it refers to while losers go: the winner as it was.
        let meanwhile: [Value]
        let final: [Value]
        /// Whether it is a loser itself.
        let goes: Bool
        /// Whether it stays and its reference changes for good: only then it is written down and counted.
        let isLasting: Bool
    }

    /// Applies a decision; returns how many references were re-pointed.
    func apply(_ group: DuplicateGroup, to records: [StoredRecord]) throws(GodwitError) -> Int {
        let moves = try moves(group, records)
        let adopted = group.isRekeyed ? try adopted(group, records) : []
        var unsure: [(move: Move, numbers: [Value])] = []
        // As rows are in the end, for the books, and as they are meanwhile.
        var (booked, identities) = (RowIdentities(), RowIdentities())
        for move in moves where move.isLasting {
            let numbers = try keep(move, as: "repointed", &booked)
            if move.reference.identityColumns == nil, !move.reference.isEntity { unsure.append((move, numbers)) }
        }
        for move in adopted { _ = try keep(move, as: "adopted", &booked) }
        for move in moves where move.meanwhile != move.referrer.values {
            try set(move.meanwhile, move, &identities)
        }
        for index in group.losers {
            let now = identities.current(records[index].identity, in: table.shape.name)
            try setAside(records[index], at: now, group)
        }
        if group.isRekeyed {
            // Ahead of the winner, whose new key is then carried on to nobody: rows that it moved would not be where
            // they were left, nor would those that refer to them. Foreign keys are looked at when all is committed.
            for move in moves where move.final != move.meanwhile && !move.goes {
                try set(move.final, move, &identities)
            }
            try rekey(records[group.winner], to: group.finalKey, &booked, &identities)
        }
        for (move, numbers) in unsure { try keepDigest(of: move, numbers) }
        return moves.count(where: \.isLasting)
    }

    /// Notes what identified the rows of losers, and of a winner with another key.
    func noteIdentifiers(of group: DuplicateGroup, _ records: [StoredRecord]) throws(GodwitError) {
        guard let column = UnnamedReferenceSearch.identifier(of: table.shape),
            let place = table.columns.firstIndex(of: column)
        else { return }
        for index in group.losers + (group.isRekeyed ? [group.winner] : []) {
            try removed.note(of: RowIdentifier(table: table.entity.name, identity: [records[index].columns[place]]))
        }
    }

    /// Rows that name the fixed key while no record of the group has it.
    ///
    /// They lead nowhere, and to the winner once it has that key. Nothing about them changes, but an undo must know that
    /// they were there.
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
                        reference: reference, referrer: referrer, meanwhile: referrer.values, final: referrer.values,
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
            let (meanwhile, wanted) = (reference.values(for: winner.columns), reference.values(for: final))
            // Several losers may have one key; their referrers are the same.
            var seen: Set<[Value]> = []
            for index in members {
                let old = reference.values(for: records[index].columns)
                guard old != meanwhile || old != wanted, !old.contains(.null), seen.insert(old).inserted,
                    try !isHeldByOthers(old, reference, records)
                else { continue }
                let referrers = try reference.referrers(to: records[index], of: table, connection)
                guard !referrers.isEmpty else { continue }
                let stage = connection.stage
                let stored = (try reference.stored(meanwhile, stage), try reference.stored(wanted, stage))
                for referrer in referrers {
                    let goes = reference.table == table.shape.name && losers.contains(referrer.identity)
                    guard goes || !wanted.contains(.null) else { throw nothingToReferTo(by: reference, group) }
                    moves.append(
                        Move(
                            reference: reference, referrer: referrer, meanwhile: stored.0, final: stored.1,
                            goes: goes, isLasting: !goes && referrer.values != stored.1))
                }
            }
        }
        return try moves + dependentMoves(of: moves)
    }

    /// Rows that refer to the very column which is set in others.
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
                let stored = (try dependent.stored(move.meanwhile, stage), try dependent.stored(move.final, stage))
                found += referrers.map {
                    Move(
                        reference: dependent, referrer: $0, meanwhile: stored.0, final: stored.1, goes: false,
                        isLasting: $0.values != stored.1)
                }
            }
        }
        return found.isEmpty ? [] : try found + dependentMoves(of: found)
    }

    /// Whether a record that is no part of the group has the same values, so that rows which hold them keep a parent.
    private func isHeldByOthers(
        _ values: [Value], _ reference: ParentReference, _ records: [StoredRecord]
    ) throws(GodwitError) -> Bool {
        guard reference.mayBeShared else { return false }
        let columns = reference.columns.map { "\(quoted(table.columns[$0.parent])) IS ? COLLATE BINARY" }
        let members = Set(records.map(\.identity))
        return try connection.rows(
            "SELECT \(table.identity.joined(separator: ", ")) FROM \(table.name) WHERE \(columns.joined(separator: " AND "))",
            values
        ).contains { !members.contains($0) }
    }

    private func nothingToReferTo(by reference: ParentReference, _ group: DuplicateGroup) -> GodwitError {
        let columns = reference.columns.map { table.columns[$0.parent] }.joined(separator: ", ")
        return GodwitError(
            .dedupe, .data,
            "The \(table.entity.name) record '\(group.finalKey.readable)' has no \(columns): records of "
                + "\(reference.table) that refer to a duplicate of it can't be pointed at it.",
            hint: "Nothing was changed. Give it a value there in the app first.")
    }

    private func set(_ values: [Value], _ move: Move, _ identities: inout RowIdentities) throws(GodwitError) {
        let before = connection.totalChanges
        try move.reference.set(values, of: move.referrer, &identities, connection)
        try requireOneRow("re-pointed", of: move.reference.table)
        try requireNoneCarriedAlong(since: before, move.reference)
        try requireNoOther(since: before, .update, of: move.reference.table)
    }

    /// Where a trigger notes changes, the counts can't tell what a foreign key to the referring columns does beside it.
    private func requireNoneCarriedAlong(since before: Int64, _ reference: ParentReference) throws(GodwitError) {
        guard sideEffectGuard.hasTriggers, connection.totalChanges - before != connection.changedRows else { return }
        let carried = reference.columns.first { sideEffectGuard.areCarriedOn($0.child, of: reference.table) }
        guard let carried else { return }
        throw GodwitError(
            .dedupe, .data,
            "Changing the references of \(reference.table) changes its \(carried.child), which a foreign key of "
                + "\(connection.name) may carry on to other records.",
            hint: "Nothing was changed. Point those records at the right one in the app first.")
    }

    /// Writes down each column that changes; returns the numbers of those lines in the books.
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
        let doing = event == .delete ? "Removing a duplicate of \(name)" : "Changing the references or keys of \(name)"
        try sideEffectGuard.requireUnchanged(since: before, by: event, of: name, doing: doing, stage: .dedupe)
    }

    private func requireOneRow(_ action: String, of name: String) throws(GodwitError) {
        guard connection.changedRows == 1 else {
            throw GodwitError(
                .dedupe, sideEffectGuard.hasTriggers ? .data : .bug,
                "\(connection.changedRows.grouped) \(name) records were \(action) instead of one.",
                hint: sideEffectGuard.hasTriggers
                    ? "Nothing was changed. A trigger of the store seems to stand against it."
                    : "Nothing was changed. Please report this.")
        }
    }
}
