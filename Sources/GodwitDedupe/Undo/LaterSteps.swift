import GodwitLedger
import GodwitModel
import GodwitSQLite

/// Whether a later run has gone on with what an earlier one did: then that one must be undone first.
///
/// Of records in a group only the key is sure to be known later on, so that is what is compared: two runs that chose
/// among records of one key stand on each other, even where they might be taken apart.
struct LaterSteps {
    let connection: SQLiteConnection
    let notes: () -> SpillableRowMap

    /// The newest of the later runs that have changed or removed a record which this run's steps speak of.
    ///
    /// - Parameter first: the place of the run's first step.
    func blocking(_ run: String, since first: Int64) throws(GodwitError) -> String? {
        var mine: SpillableRowMap?
        var blocking: String?
        try connection.forEachOpenStep(of: run, laterThan: first) { later throws(GodwitError) in
            // Most runs have none behind them.
            let known: SpillableRowMap
            if let mine { known = mine } else { known = try mentions(of: run) }
            mine = known
            for mention in Self.mentions(of: later) where try known.has(mention) { blocking = later.run }
            return blocking == nil
        }
        return blocking
    }

    private func mentions(of run: String) throws(GodwitError) -> SpillableRowMap {
        let notes = notes()
        try connection.forEachOpenStep(of: run) { step throws(GodwitError) in
            for mention in Self.mentions(of: step) { try notes.note(of: mention) }
            return true
        }
        return notes
    }

    /// Records, as far as the books of two runs can speak of the same one: an entity and a key.
    private static func mentions(of step: LedgerStep) -> [RowIdentifier] {
        let entity = step.entity.lowercased()
        let other: Value? =
            switch step.action {
            case .removed(_, let winnerKey): winnerKey
            case .changed(_, _, let to): step.reason == "rekeyed" ? to : nil
            }
        return [step.key, other].compactMap(\.self).map { RowIdentifier(table: entity, identity: [$0]) }
    }
}
