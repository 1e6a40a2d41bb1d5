package import GodwitModel

/// Temporary objects on an app's own connection.
extension SQLiteConnection {
    /// Throws (65) if a temporary table hides one of the store.
    ///
    /// Names without a schema refer to the temporary table first: <https://sqlite.org/lang_naming.html>.
    func requireNothingInFront() throws(GodwitError) {
        let sql = """
            SELECT name FROM sqlite_temp_master
            WHERE type IN ('table', 'view') AND substr(name, 1, 7) <> 'sqlite_' AND lower(name) IN (
              SELECT lower(name) FROM main.sqlite_master WHERE type IN ('table', 'view'))
            """
        guard let found = try first(sql) else { return }
        throw GodwitError(
            stage, .data,
            "the app's connection has a temporary table '\(found.readable)', which hides that of `\(name)`",
            hint: "Drop it, or rename it, before Godwit is called.")
    }

    /// Removes the temporary tables of stages before their transaction ends.
    func removeNotes() throws(GodwitError) {
        try execute("DROP TABLE IF EXISTS temp.godwit_merge")
        try execute("DROP TABLE IF EXISTS temp.godwit_merge_refused")
        try execute("DROP TABLE IF EXISTS temp.godwit_orphan")
    }

    /// Throws (65) if a temporary trigger of the app would change or remove other records when these events happen to
    /// these tables; the store's own triggers are known from its schema files.
    package func requireHarmlessTriggers(
        of events: [TriggerEffects.Event], on tables: [String], _ shape: SchemaShape, entities: [String]
    ) throws(GodwitError) {
        guard isOfApp else { return }
        let effects = try TriggerEffects(of: self, shape, entities: entities, besidesOwn: true)
        let done = tables.flatMap { table in events.map { ($0, table: table) } }
        guard let trigger = effects.firstHarmful(of: done) else { return }
        throw GodwitError(
            stage, .data,
            "the app's temporary trigger '\(trigger)' may change or remove other records of `\(name)`; "
                + "nothing was changed",
            hint: "Pass a connection without this trigger, or narrow it.")
    }
}
