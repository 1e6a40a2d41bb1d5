internal import GodwitJSON
package import GodwitModel
package import GodwitSQLite

extension SQLiteConnection {
    /// The recorded runs, in reverse order of recording; empty if there are none.
    ///
    /// Not in the order of dates, because a clock may have been wrong.
    package func readRuns(limit: Int) throws(GodwitError) -> [HistoryEntry] {
        guard try has(.run) else { return [] }
        let rows = try rows(
            """
            SELECT id, command, startedAt, durationMs, outcome, summary, error, godwitVersion, counts
            FROM godwit_run
            ORDER BY rowid DESC LIMIT ?
            """, [.integer(Int64(limit))])
        return rows.map { row in
            HistoryEntry(
                id: row[0].readable, command: row[1].readable, startedAt: Instant(iso8601: row[2].readable) ?? .epoch,
                durationMilliseconds: Int64(row[3].readable) ?? 0,
                outcome: Outcome(rawValue: row[4].readable) ?? .failed,
                summary: row[5].readable, counts: recordedCounts(row[8].readable),
                error: row[6] == .null ? nil : row[6].readable,
                godwitVersion: row[7].readable)
        }
    }

    /// Adds a run and removes all but the last `kept` runs.
    package func record(_ run: HistoryEntry, kept: Int) throws(GodwitError) {
        let table = Ledger.Table.run.rawValue
        // This table is Godwit's own: a damaged index of it stops no run that is done.
        do throws(GodwitError) { try requireSoundIndexes(of: [table]) } catch  where error.isFinding {
            try rebuildIndexes(of: table)
        }
        try makeTable(.run)
        var json = JSONBuffer(capacity: 256)
        json.append(tree: .numbers(run.counts))
        try execute(
            "INSERT OR REPLACE INTO godwit_run VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                .string(run.id), .string(run.command), .string(run.startedAt.iso8601),
                .integer(run.durationMilliseconds), .string(run.outcome.rawValue), .string(run.summary),
                .text(json.bytes), run.error.map { .string($0) } ?? .null, .string(run.godwitVersion),
            ])
        try execute(
            """
            DELETE FROM godwit_run WHERE id NOT IN
              (SELECT id FROM godwit_run NOT INDEXED ORDER BY rowid DESC LIMIT ?)
            """, [.integer(Int64(kept))])
    }

    /// The recorded counts; ignores invalid ones, because other programs can write here.
    private func recordedCounts(_ text: String) -> [String: Int64] {
        var counts: [String: Int64] = [:]
        for pair in JSONParser.parse(Array(text.utf8), limits: .init(depth: 1))?.pairs ?? [] {
            if let count = pair.value.wholeNumber, count >= 0 { counts[pair.key] = count }
        }
        return counts
    }
}
