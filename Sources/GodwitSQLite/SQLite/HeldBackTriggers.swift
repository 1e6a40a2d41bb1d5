package import GodwitModel

/// Triggers that are dropped while a new store gets its records, and are restored before the commit.
///
/// When a record was first inserted, they already changed other records, which are in the export or the local store
/// too. They would do so twice. A trigger that may refuse a record did not refuse the existing ones, and one that calls
/// a function of the app can run only in the app. Triggers that only fill a full-text index, or tables that are not
/// copied, stay and run, because their results are not copied.
package struct HeldBackTriggers {
    private struct Trigger {
        let name: String
        let table: String
        let statement: String
    }

    private let triggers: [Trigger]

    /// Drops them in a store that is being made.
    ///
    /// - Parameter entities: the tables whose records are copied.
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
            // A table whose statements failed because of the view can be checked for functions now.
            names.formUnion(more)
        }
        triggers = all.filter { names.contains($0.name) }
    }

    private static func take(_ trigger: Trigger, outOf store: SQLiteConnection) throws(GodwitError) {
        try store.execute("DROP TRIGGER main.\(quoted(trigger.name))")
    }

    /// Drops triggers that call functions or need collations which SQLite does not have, and returns their names.
    ///
    /// SQLite looks up a function when it prepares a statement that fires the trigger. So such statements are prepared
    /// with EXPLAIN, which changes nothing: with all triggers of a table, and if that fails, with one more at a time.
    private static func takeOutWithoutCode(
        _ triggers: [Trigger], of store: SQLiteConnection
    ) throws(GodwitError) -> Set<String> {
        var foreign: Set<String> = []
        for (table, own) in Dictionary(grouping: triggers, by: \.table).sorted(by: { $0.key < $1.key }) {
            guard try store.lacksCode(toChange: table) else { continue }
            for trigger in own { try take(trigger, outOf: store) }
            // If the table itself is the cause, no trigger is.
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

    package var names: [String] { triggers.map(\.name) }

    /// Restores them with the statements of the app's own schema files, as SQLite keeps them.
    package func putBack(into store: SQLiteConnection) throws(GodwitError) {
        for trigger in triggers { try store.execute(trigger.statement) }
    }
}

extension SQLiteConnection {
    /// Whether a change of a table's records would need a function or collation that SQLite does not have.
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
