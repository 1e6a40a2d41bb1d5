package import GodwitModel

/// Triggers that are out of the way while a new store gets its records, and put back as they were before it is committed.
///
/// What they do to other records when one is inserted they did when it was: it is in the export or in the local store
/// already, and would be done twice. One that may refuse a record did not refuse those that were there, and one that calls a
/// function of the app's own can run in the app alone. Triggers that only feed a full-text index or tables that are not
/// carried over stay and do their work, which nobody brings along.
package struct HeldBackTriggers {
    private struct Trigger {
        let name: String
        let table: String
        let statement: String
    }

    private let triggers: [Trigger]

    /// Takes them out of a store that is being made.
    ///
    /// - Parameter entities: the tables whose records are carried over.
    package init(_ store: SQLiteConnection, _ shape: SchemaShape, entities: [String]) throws(GodwitError) {
        let all = try store.rows(
            "SELECT name, tbl_name, sql FROM main.sqlite_schema WHERE type = 'trigger' ORDER BY rowid"
        ).map { Trigger(name: $0[0].readable, table: $0[1].readable, statement: $0[2].readable) }
        let effects = try TriggerEffects(of: store, shape, entities: entities)
        var names = effects.namesTouching(entities)
        for trigger in all where names.contains(trigger.name) { try Self.take(trigger, outOf: store) }
        while true {
            names.formUnion(try Self.takeOutWithoutCode(all.filter { !names.contains($0.name) }, of: store))
            let more = effects.addingWriters(toViewsOf: names).subtracting(names)
            guard !more.isEmpty else { break }
            for trigger in all where more.contains(trigger.name) { try Self.take(trigger, outOf: store) }
            // A table whose statements failed by the view can be asked for functions now.
            names.formUnion(more)
        }
        triggers = all.filter { names.contains($0.name) }
    }

    private static func take(_ trigger: Trigger, outOf store: SQLiteConnection) throws(GodwitError) {
        try store.execute("DROP TRIGGER main.\(quoted(trigger.name))")
    }

    /// Takes out those that call what SQLite has not, and says which they were.
    ///
    /// SQLite looks for a function when it prepares a statement that sets the trigger off, so such statements are prepared as
    /// EXPLAIN has them, which changes nothing: with all triggers of a table, and where that fails, with one more at a time.
    private static func takeOutWithoutCode(
        _ triggers: [Trigger], of store: SQLiteConnection
    ) throws(GodwitError) -> Set<String> {
        var foreign: Set<String> = []
        for (table, own) in Dictionary(grouping: triggers, by: \.table).sorted(by: { $0.key < $1.key }) {
            guard try store.lacksCode(toChange: table) else { continue }
            for trigger in own { try take(trigger, outOf: store) }
            // Where it is the table itself, no trigger is to blame.
            let isOfTable = try store.lacksCode(toChange: table)
            for trigger in own {
                try store.execute(trigger.statement)
                guard !isOfTable, try store.lacksCode(toChange: table) else { continue }
                try take(trigger, outOf: store)
                foreign.insert(trigger.name)
            }
        }
        return foreign
    }

    /// What messages call them.
    package var names: [String] { triggers.map(\.name) }

    /// Puts them back; the statements are those of the app's own schema files, as SQLite keeps them.
    package func putBack(into store: SQLiteConnection) throws(GodwitError) {
        for trigger in triggers { try store.execute(trigger.statement) }
    }
}

extension SQLiteConnection {
    /// Whether a change of a table's records would call a function, or need a collation, that SQLite has not.
    fileprivate func lacksCode(toChange table: String) throws(GodwitError) -> Bool {
        let columns = try rows("SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0", [.string(table)])
        let values = columns.map { "\(quoted($0[0].readable)) = NULL" }.joined(separator: ", ")
        let name = "main.\(quoted(table))"
        for sql in [
            "EXPLAIN INSERT INTO \(name) DEFAULT VALUES", "EXPLAIN DELETE FROM \(name)",
            "EXPLAIN UPDATE \(name) SET \(values)",
        ] {
            do throws(GodwitError) {
                _ = try prepare(sql)
            } catch {
                if ["no such function", "no such collation"].contains(where: { error.underlying?.hasPrefix($0) == true }
                ) {
                    return true
                }
            }
        }
        return false
    }
}
