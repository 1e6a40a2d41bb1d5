internal import GodwitModel
internal import GodwitStore

/// Carries out the decision on one group: keep losers whole, point their referrers at the winner, remove the losers,
/// re-key the winner.
///
/// Invariant: when a loser is removed, no row refers to it any more, so that no foreign key acts on any row. A singleton's
/// fixed key may be a loser's; its referrers first move to the winner's old key, then with the winner to the new one.
struct GroupWork {
    let connection: SQLiteConnection
    let table: EntityTable
    let references: [ParentReference]
    let books: RemovedRecords
    /// Whether the store's own triggers may change rows besides ours.
    let hasTriggers: Bool

    /// A row that must refer to the winner in the end.
    private struct Move {
        let reference: ParentReference
        let referrer: ParentReference.Referrer
        /// What it refers to while losers go: the winner as it was.
        let meanwhile: [Value]
        let final: [Value]
        /// Whether it stays and its reference changes for good: only then it is written down and counted.
        let isLasting: Bool
    }

    /// Applies a decision; returns how many references were re-pointed.
    func apply(_ group: DuplicateGroup, to records: [StoredRecord]) throws(GodwitError) -> Int {
        let moves = try moves(group, records)
        for move in moves where move.isLasting { try keep(move) }
        for move in moves where move.meanwhile != move.referrer.values {
            try move.reference.set(move.meanwhile, of: move.referrer, connection)
        }
        for index in group.losers { try setAside(records[index], group) }
        guard group.isRekeyed else { return moves.count(where: \.isLasting) }
        try rekey(records[group.winner], to: group.finalKey)
        for move in moves where move.final != move.meanwhile {
            try move.reference.set(move.final, of: move.referrer, connection)
        }
        return moves.count(where: \.isLasting)
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
                guard old != meanwhile || old != wanted, !old.contains(.null), seen.insert(old).inserted else {
                    continue
                }
                for referrer in try reference.referrers(to: records[index], of: table, connection) {
                    let goes = reference.table == table.shape.name && losers.contains(referrer.identity)
                    moves.append(
                        Move(
                            reference: reference, referrer: referrer, meanwhile: meanwhile, final: wanted,
                            isLasting: !goes && referrer.values != wanted))
                }
            }
        }
        return moves
    }

    private func keep(_ move: Move) throws(GodwitError) {
        for (place, pair) in move.reference.columns.enumerated()
        where move.referrer.values[place] != move.final[place] {
            try books.keepChange(
                entity: move.reference.bookName, key: move.referrer.key, column: pair.child,
                from: move.referrer.values[place], to: move.final[place], reason: "repointed")
        }
    }

    private func setAside(_ loser: StoredRecord, _ group: DuplicateGroup) throws(GodwitError) {
        try books.keep(
            entity: table.entity.name, key: loser.columns[table.keyIndex], columns: table.columns,
            values: loser.columns, reason: group.reason.rawValue, winnerKey: group.finalKey)
        let before = try totalChanges()
        try connection.execute("DELETE FROM \(table.name) WHERE \(table.identityCondition)", loser.identity)
        try requireOneRow("set aside")
        // Actions of foreign keys count here, and not among the rows changed.
        guard !hasTriggers, let before, let after = try totalChanges(), after - before != 1 else { return }
        throw GodwitError(
            .dedupe, .data,
            "Removing a duplicate \(table.entity.name) would change \(after - before - 1) other records of "
                + "\(connection.name) through a foreign key.",
            hint: "Nothing was changed. Point those records at the right one in the app first.")
    }

    private func rekey(_ winner: StoredRecord, to key: Value) throws(GodwitError) {
        try connection.execute(
            "UPDATE \(table.name) SET \(table.key) = ? WHERE \(table.identityCondition)", [key] + winner.identity)
        try requireOneRow("re-keyed")
        let old = winner.columns[table.keyIndex]
        try books.keepChange(
            entity: table.entity.name, key: old, column: table.entity.key, from: old, to: key, reason: "rekeyed")
    }

    /// Rows changed since the store was opened, by foreign keys as well; nil where no foreign key is in play.
    private func totalChanges() throws(GodwitError) -> Int64? {
        guard references.contains(where: \.isForeignKey),
            case .integer(let count)? = try connection.first("SELECT total_changes()")
        else { return nil }
        return count
    }

    private func requireOneRow(_ action: String) throws(GodwitError) {
        guard connection.changedRows == 1 else {
            throw GodwitError(
                .dedupe, hasTriggers ? .data : .bug,
                "\(connection.changedRows) records of \(table.entity.name) were \(action) instead of one.",
                hint: hasTriggers
                    ? "Nothing was changed. A trigger of the store seems to stand against it."
                    : "Nothing was changed. Please report this.")
        }
    }
}
