package import GodwitModel

/// Throws if a statement that should change one record also changed others.
///
/// Changes by triggers and foreign key actions are not recorded, so an undo could not revert them. They count as total
/// changes of a connection, but not as rows that the statement changed: <https://sqlite.org/c3ref/total_changes.html>.
package final class SideEffectGuard {
    private let connection: SQLiteConnection
    private let effects: TriggerEffects
    /// Events that were checked and are harmless, such as a trigger that fills a full-text index.
    private var harmless: Set<String> = []
    /// Columns that others refer to with ON UPDATE CASCADE, SET NULL or SET DEFAULT.
    private let carried: [(table: String, column: String, child: String)]

    /// - Parameters:
    ///   - entities: tables whose records are data of a user.
    ///   - proven: tables for which the caller proves that every record is correct.
    package init(
        of connection: SQLiteConnection, _ shape: SchemaShape, entities: [String], proven: [String] = []
    ) throws(GodwitError) {
        self.connection = connection
        effects = try TriggerEffects(of: connection, shape, entities: entities, proven: proven)
        carried = try Self.carriedColumns(connection, shape)
    }

    /// `PRAGMA foreign_key_list`: id, seq, table, from, to (NULL: the primary key), on_update, …;
    /// <https://sqlite.org/pragma.html#pragma_foreign_key_list>.
    private static func carriedColumns(
        _ connection: SQLiteConnection, _ shape: SchemaShape
    ) throws(GodwitError) -> [(table: String, column: String, child: String)] {
        var found: [(table: String, column: String, child: String)] = []
        for table in shape.tables {
            for row in try connection.rows("PRAGMA foreign_key_list(\(quoted(table.name)))")
            where !["NO ACTION", "RESTRICT"].contains(row[5].readable) {
                let parent = row[2].readable
                guard row[4] == .null else {
                    found.append((parent, row[4].readable, table.name))
                    continue
                }
                let key = shape.table(named: parent)?.columns.filter { $0.primaryKeyIndex > 0 } ?? []
                found += key.map { (parent, $0.name, table.name) }
            }
        }
        return found
    }

    /// Whether a foreign key would copy a new value of this column to other records.
    ///
    /// If triggers change records too, the counts do not show it.
    package func areCarriedOn(_ column: String, of table: String) -> Bool { child(carrying: column, of: table) != nil }

    /// The table whose records get a new value of this column by a foreign key; nil if there is none.
    package func child(carrying column: String, of table: String) -> String? {
        carried.first { $0.table.isSameName(as: table) && $0.column.isSameName(as: column) }?.child
    }

    /// Whether the store has triggers, which may explain an unexpected change.
    package var hasTriggers: Bool { !effects.isEmpty }

    /// Throws (65) if more than one row changed, unless harmless triggers did it.
    ///
    /// - Parameters:
    ///   - before: `totalChanges` before the statement.
    ///   - doing: the action in messages, as in `Removing a duplicate of Note`.
    package func requireUnchanged(
        since before: Int64, by event: TriggerEffects.Event, of table: String, doing: String, stage: GodwitError.Stage
    ) throws(GodwitError) {
        let others = connection.totalChanges - before - connection.changedRows
        guard others != 0 else { return }
        if effects.isEmpty {
            throw GodwitError(
                stage, .data,
                "\(doing) would change \(others.counted("other record")) of `\(connection.name)` through a "
                    + "foreign key; nothing was changed",
                hint: "Correct the references of those records in the app first.")
        }
        let step = event.rawValue + " " + table
        guard !harmless.contains(step) else { return }
        guard let trigger = effects.firstHarmful(of: [(event, table: table)]) else {
            harmless.insert(step)
            return
        }
        throw GodwitError(
            stage, .data,
            "\(doing) would start the trigger '\(trigger)' of `\(connection.name)`, which may change or "
                + "remove others; nothing was changed",
            hint: "Correct the records in the app, or narrow the trigger in a new schema file.")
    }
}
