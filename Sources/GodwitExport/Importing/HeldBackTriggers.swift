internal import GodwitModel
internal import GodwitStore

/// Triggers that are out of the way while records are restored, and put back as they were before the store is committed.
///
/// What they do to exported records when one is inserted they did before the export: it is in the document, and would
/// be done twice. One that may refuse a record did not refuse those that were there. Triggers that only feed a full-text
/// index or tables that are not exported stay and do their work, which no document brings along.
struct HeldBackTriggers {
    private let triggers: [(name: String, statement: String)]

    /// Takes them out of a store that an import is making.
    ///
    /// - Parameter entities: the tables whose records are exported.
    init(_ store: SQLiteConnection, _ shape: SchemaShape, entities: [String]) throws(GodwitError) {
        let names = try TriggerEffects(of: store, shape, entities: entities).namesTouching(entities)
        triggers = try store.rows("SELECT name, sql FROM main.sqlite_schema WHERE type = 'trigger' ORDER BY rowid")
            .map { ($0[0].readable, $0[1].readable) }.filter { names.contains($0.0) }
        for trigger in triggers { try store.execute("DROP TRIGGER main.\(quoted(trigger.name))") }
    }

    /// What messages call them.
    var names: [String] { triggers.map(\.name) }

    /// Puts them back; the statements are those of the app's own schema files, as SQLite keeps them.
    func putBack(into store: SQLiteConnection) throws(GodwitError) {
        for trigger in triggers { try store.execute(trigger.statement) }
    }
}
