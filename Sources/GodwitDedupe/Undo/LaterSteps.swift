import GodwitLedger
import GodwitModel
import GodwitSQLite

/// Finds a later run that changed the same records; it must be undone first.
///
/// Only keys are reliably known later, so keys are compared: two runs that chose among records of one key depend on
/// each other, even if they could be separated.
struct LaterSteps {
    let connection: SQLiteConnection
    let notes: () -> SpillableRowMap

    /// The newest later run that changed or removed a record of this run's steps.
    func blocking(_ run: String, since first: Int64) throws(GodwitError) -> String? {
        var mine: SpillableRowMap?
        var blocking: String?
        try connection.forEachOpenStep(of: run, laterThan: first) { later throws(GodwitError) in
            // Most runs have no later steps.
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

    /// The records of a step, in a form that steps of two runs have in common: entity and key.
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
