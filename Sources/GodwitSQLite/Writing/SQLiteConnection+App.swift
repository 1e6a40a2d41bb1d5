package import GodwitModel

/// What is on an app's own connection besides the store.
extension SQLiteConnection {
    /// Throws (65) where a temporary table stands before one of the store's own: names without a schema mean the temporary
    /// one first, <https://sqlite.org/lang_naming.html>.
    func requireNothingInFront() throws(GodwitError) {
        let sql = """
            SELECT name FROM sqlite_temp_master
            WHERE type IN ('table', 'view') AND substr(name, 1, 7) <> 'sqlite_' AND lower(name) IN (
              SELECT lower(name) FROM main.sqlite_master WHERE type IN ('table', 'view'))
            """
        guard let found = try first(sql) else { return }
        throw GodwitError(
            stage, .data,
            "The app's connection has a temporary table '\(found.readable)', which stands before that of \(name).",
            hint: "Drop it, or call it otherwise, before Godwit is called.")
    }

    /// Takes away the temporary tables in which stages note what they decide, before their transaction ends.
    func removeNotes() throws(GodwitError) {
        try execute("DROP TABLE IF EXISTS temp.godwit_merge")
        try execute("DROP TABLE IF EXISTS temp.godwit_merge_refused")
        try execute("DROP TABLE IF EXISTS temp.godwit_orphan")
    }

    /// Throws (65) where a temporary trigger of the app's would change or remove other records when this is done to records
    /// of these tables; those of the store itself are known by its schema files.
    package func requireHarmlessTriggers(
        of events: [TriggerEffects.Event], on tables: [String], _ shape: SchemaShape, entities: [String]
    ) throws(GodwitError) {
        guard isOfApp else { return }
        let effects = try TriggerEffects(of: self, shape, entities: entities, besidesOwn: true)
        let done = tables.flatMap { table in events.map { ($0, table: table) } }
        guard let trigger = effects.firstHarmful(of: done) else { return }
        throw GodwitError(
            stage, .data, "The app's temporary trigger '\(trigger)' may change or remove other records of \(name).",
            hint: "Nothing was changed. Hand in a connection without it, or narrow it.")
    }
}
