package import GodwitModel

/// Sees to it that a statement that is to change one record changes no other.
///
/// What triggers and the actions of foreign keys do to other records is kept nowhere, and could not be put back. They
/// count among all changes of a connection, and not among the rows that its statement changed:
/// <https://sqlite.org/c3ref/total_changes.html>.
package final class Bystanders {
    private let connection: SQLiteConnection
    private let effects: TriggerEffects
    /// What was looked at and does no harm: a full-text index is fed with every record.
    private var harmless: Set<String> = []

    /// - Parameter entities: tables whose records are somebody's data.
    package init(of connection: SQLiteConnection, _ shape: SchemaShape, entities: [String]) throws(GodwitError) {
        self.connection = connection
        effects = try TriggerEffects(of: connection, shape, entities: entities)
    }

    /// Whether the store has triggers, so that nothing strange need be a fault of Godwit's.
    package var haveTriggers: Bool { !effects.isEmpty }

    /// Throws (65) where more has changed than one row, and not by a trigger that only notes it.
    ///
    /// - Parameters:
    ///   - before: `totalChanges` before the statement.
    ///   - doing: what messages call it, as in `Removing a duplicate of Note`.
    package func requireUnchanged(
        since before: Int64, by event: TriggerEffects.Event, of table: String, doing: String, stage: Stage
    ) throws(GodwitError) {
        let others = connection.totalChanges - before - connection.changedRows
        guard others != 0 else { return }
        if effects.isEmpty {
            throw GodwitError(
                stage, .data,
                "\(doing) would change \(others.counted("other record")) of \(connection.name) through a foreign key.",
                hint: "Nothing was changed. Point those records at the right one in the app first.")
        }
        let step = event.rawValue + " " + table
        guard !harmless.contains(step) else { return }
        guard let trigger = effects.firstHarmful(of: [(event, table: table)]) else {
            harmless.insert(step)
            return
        }
        throw GodwitError(
            stage, .data,
            "\(doing) would set off the trigger '\(trigger)' of \(connection.name), which may change or remove others.",
            hint: "Nothing was changed. Mend the records in the app, or narrow the trigger in a new schema file.")
    }
}
