package import GodwitModel

/// Triggers that are out of the way while a new store gets its records, and put back as they were before it is committed.
///
/// What they do to other records when one is inserted they did when it was: it is in the export or in the local store
/// already, and would be done twice. One that may refuse a record did not refuse those that were there. Triggers that
/// only feed a full-text index or tables that are not carried over stay and do their work, which nobody brings along.
package struct HeldBackTriggers {
    private let triggers: [(name: String, statement: String)]

    /// Takes them out of a store that is being made.
    ///
    /// - Parameter entities: the tables whose records are carried over.
    package init(_ store: SQLiteConnection, _ shape: SchemaShape, entities: [String]) throws(GodwitError) {
        let names = try TriggerEffects(of: store, shape, entities: entities).namesTouching(entities)
        triggers = try store.rows("SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger' ORDER BY rowid")
            .map { ($0[0].readable, $0[1].readable) }.filter { names.contains($0.0) }
        for trigger in triggers { try store.execute("DROP TRIGGER main.\(quoted(trigger.name))") }
    }

    /// What messages call them.
    package var names: [String] { triggers.map(\.name) }

    /// Puts them back; the statements are those of the app's own schema files, as SQLite keeps them.
    package func putBack(into store: SQLiteConnection) throws(GodwitError) {
        for trigger in triggers { try store.execute(trigger.statement) }
    }
}
