internal import GodwitModel
internal import GodwitStore

/// Carries out the decision on one group: keep losers whole, re-point children, delete losers, re-key the winner.
struct GroupWork {
    let connection: SQLiteConnection
    let table: EntityTable
    let children: [ChildColumn]
    let records: RemovedRecords

    /// A record with what identifies its row.
    struct Row {
        let identity: [Value]
        let columns: [Value]
    }

    /// The records of one key, or all of a singleton.
    func rows(keyed key: Value?) throws(GodwitError) -> [Row] {
        let selection = "SELECT \((table.identity + table.columns.map(quoted)).joined(separator: ", ")) FROM \(table.name)"
        let found =
            if let key {
                try connection.rows(
                    selection + " WHERE \(table.key) = ? COLLATE BINARY AND typeof(\(table.key)) = typeof(?)", [key, key])
            } else {
                try connection.rows(selection)
            }
        let width = table.identity.count
        return found.map { Row(identity: Array($0[..<width]), columns: Array($0[width...])) }
    }

    /// Applies a decision; returns how many child columns were re-pointed.
    func apply(_ group: DuplicateGroup, to rows: [Row]) throws(GodwitError) -> Int {
        var repointed = 0
        for index in group.losers {
            let loser = rows[index]
            try records.keep(
                entity: table.entity.name, key: loser.columns[table.keyIndex], columns: table.columns,
                values: loser.columns, reason: group.reason.rawValue, winnerKey: group.finalKey)
            repointed += try repoint(from: loser.columns[table.keyIndex], to: group.finalKey)
            try connection.execute("DELETE FROM \(table.name) WHERE \(table.identityCondition)", loser.identity)
            try requireOneRow("set aside")
        }
        if group.isRekeyed { repointed += try rekey(rows[group.winner], to: group.finalKey) }
        return repointed
    }

    private func rekey(_ winner: Row, to key: Value) throws(GodwitError) -> Int {
        let old = winner.columns[table.keyIndex]
        let repointed = try repoint(from: old, to: key)
        try connection.execute(
            "UPDATE \(table.name) SET \(table.key) = ? WHERE \(table.identityCondition)", [key] + winner.identity)
        try requireOneRow("re-keyed")
        try records.keepChange(
            entity: table.entity.name, key: old, column: table.entity.key, from: old, to: key, reason: "rekeyed")
        return repointed
    }

    private func repoint(from old: Value, to new: Value) throws(GodwitError) -> Int {
        guard old != new else { return 0 }
        var count = 0
        for child in children {
            let column = quoted(child.column)
            let affected = try connection.rows(
                "SELECT \(child.table.key) FROM \(child.table.name) WHERE \(column) = ? COLLATE BINARY", [old])
            for row in affected {
                try records.keepChange(
                    entity: child.table.entity.name, key: row[0], column: child.column, from: old, to: new,
                    reason: "repointed")
            }
            guard !affected.isEmpty else { continue }
            try connection.execute(
                "UPDATE \(child.table.name) SET \(column) = ? WHERE \(column) = ? COLLATE BINARY", [new, old])
            count += affected.count
        }
        return count
    }

    private func requireOneRow(_ action: String) throws(GodwitError) {
        guard connection.changedRows == 1 else {
            throw GodwitError(
                .dedupe, .bug, "\(connection.changedRows) records of \(table.entity.name) were \(action) instead of one.",
                hint: "Nothing was changed. Please report this.")
        }
    }
}
