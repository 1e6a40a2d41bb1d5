package import GodwitModel

/// The effects of a store's triggers when records of its tables are inserted, removed or changed.
///
/// A trigger that fills a full-text index, or a log table of its own, does what the app wants. One that changes or
/// removes other records does that without the knowledge of code that records all changes for an undo.
package struct TriggerEffects: Sendable {
    package enum Event: String, Sendable, CaseIterable {
        case delete, insert, update
    }

    private struct Trigger {
        let name: String
        let table: String
        /// Nil if it could not be parsed: any event.
        let event: Event?
        /// Nil if they could not be parsed: any write.
        let writes: [Write]?
        /// Whether it may refuse a record.
        let raises: Bool
        /// Whether it exists only on the app's own connection, like those of a sync engine.
        let isTemporary: Bool
    }

    private struct Write: Hashable {
        let event: Event
        let table: String
        /// Whether a conflict clause of the trigger's own statement causes it, as in `INSERT OR REPLACE`.
        var isByClause = false
    }

    private let triggers: [Trigger]
    private let reportsOwn: Bool
    private let virtualTables: [String]
    /// Only INSTEAD OF triggers perform a write to a view.
    private let views: [String]
    private let notes: [String]
    private let tables: [String]
    private let proven: [String]
    /// Tables whose replaced rows change others through a foreign key action.
    private let parents: [String]

    /// - Parameters:
    ///   - entities: tables whose records are data of a user; triggers may insert into others.
    ///   - proven: tables for which the caller proves that every record is correct.
    ///   - besidesOwn: whether to ignore the triggers of the store itself, because they are known.
    package init(
        of connection: SQLiteConnection, _ shape: SchemaShape, entities: [String], proven: [String] = [],
        besidesOwn: Bool = false
    ) throws(GodwitError) {
        (virtualTables, views) = (shape.virtualTables, shape.views)
        // A write to a table of an extension fails here.
        tables = shape.tables.map(\.name) + shape.views + shape.virtualTables.filter { !shape.isOfExtension($0) }
        notes = shape.tables.map(\.name).filter { table in !entities.contains { $0.isSameName(as: table) } }
        reportsOwn = !besidesOwn
        self.proven = proven
        let schemas =
            (shape.triggers.isEmpty ? [] : ["main.sqlite_master"]) + (connection.isOfApp ? ["sqlite_temp_master"] : [])
        var rows: [(schema: String, columns: [Value])] = []
        for schema in schemas {
            rows += try connection.rows("SELECT name, tbl_name, sql FROM \(schema) WHERE type = 'trigger'")
                .map { (schema, $0) }
        }
        // Most stores have no trigger; then no further query is necessary.
        let replacing = rows.isEmpty ? [] : try connection.replacingTables()
        parents = try rows.isEmpty ? [] : connection.parentsWithActions(shape)
        triggers = rows.map { schema, columns in
            let words = SQLTokens(columns[2].readable).words
            return Trigger(
                name: columns[0].readable, table: columns[1].readable, event: Self.event(of: words),
                writes: Self.writes(of: words, replacing), raises: words.contains("raise"),
                isTemporary: schema == "sqlite_temp_master")
        }
    }

    package var isEmpty: Bool { triggers.isEmpty }

    /// A trigger that may change or remove records when these events happen to these tables, directly or through other
    /// triggers; nil if there is none.
    ///
    /// An app's temporary triggers may write to tables outside of the store, such as a sync engine's own tables: that is
    /// why the app passes its connection.
    package func firstHarmful(of events: [(Event, table: String)]) -> String? {
        var seen = Set(events.map { Write(event: $0.0, table: $0.table.lowercased()) })
        var waiting = Array(seen)
        while let next = waiting.popLast() {
            for trigger in triggers
            where trigger.table.isSameName(as: next.table) && (trigger.event ?? next.event) == next.event {
                let isReported = reportsOwn || trigger.isTemporary
                guard let writes = trigger.writes else {
                    if isReported { return trigger.name }
                    continue
                }
                for write in writes where !virtualTables.contains(where: { $0.isSameName(as: write.table) }) {
                    let isElsewhere = trigger.isTemporary && !tables.contains { $0.isSameName(as: write.table) }
                    if isView(write.table) {
                        // A view has no rows that a clause could replace.
                        if !write.isByClause, seen.insert(write).inserted { waiting.append(write) }
                        continue
                    }
                    if isReported, !isElsewhere, !isHarmless(write, by: trigger) { return trigger.name }
                    if seen.insert(write).inserted { waiting.append(write) }
                }
            }
        }
        return nil
    }

    private func isView(_ table: String) -> Bool { views.contains { $0.isSameName(as: table) } }

    /// Whether a write of a trigger changes and removes only its own records.
    ///
    /// In tables that are not entities, rows that a clause of its own statement replaces belong to the app, such as a
    /// count for each day. They are not harmless if a foreign key action changes other rows.
    private func isHarmless(_ write: Write, by trigger: Trigger) -> Bool {
        func has(_ tables: [String]) -> Bool { tables.contains { $0.isSameName(as: write.table) } }
        if has(proven) { return true }
        guard has(notes) else { return false }
        return write.event == .insert || (write.isByClause && !trigger.isTemporary && !has(parents))
    }

    /// Triggers that write directly to one of these tables, may refuse a record or cannot be parsed, and those that
    /// write to a table that does not exist, which would fail.
    package func namesTouching(_ entities: [String]) -> Set<String> {
        let names = Set(
            triggers.filter { trigger in
                guard let writes = trigger.writes, !trigger.raises else { return true }
                return writes.contains { write in
                    entities.contains { $0.isSameName(as: write.table) }
                        || !tables.contains { $0.isSameName(as: write.table) }
                }
            }.map(\.name))
        return addingWriters(toViewsOf: names)
    }

    /// Some triggers, and those that write to a view which these triggers make writable; without them such a write
    /// fails.
    package func addingWriters(toViewsOf names: Set<String>) -> Set<String> {
        var names = names
        while true {
            let gone = triggers.filter { names.contains($0.name) && isView($0.table) }
            let writers = triggers.filter { trigger in
                (trigger.writes ?? []).contains { write in gone.contains { $0.table.isSameName(as: write.table) } }
            }.map(\.name)
            guard !names.isSuperset(of: writers) else { return names }
            names.formUnion(writers)
        }
    }

    /// `CREATE TRIGGER name [BEFORE|AFTER|INSTEAD OF] DELETE|INSERT|UPDATE [OF columns] ON table …`.
    ///
    /// The name may be any word. <https://sqlite.org/lang_createtrigger.html>
    private static func event(of words: [String]) -> Event? {
        guard words.count > 4, let on = words[3...].firstIndex(of: "on") else { return nil }
        if let event = Event(rawValue: words[on - 1]) { return event }
        return words[3..<on].contains("of") && words[3..<on].contains("update") ? .update : nil
    }

    /// The writes of the statements between BEGIN and END, of which each writes to one table or to none.
    ///
    /// An insertion also counts as every change that it may make to an existing row.
    ///
    /// - Parameter replacing: tables with a UNIQUE or PRIMARY KEY that says ON CONFLICT REPLACE; a clause of the
    ///   statement overrides it.
    private static func writes(of words: [String], _ replacing: [String]) -> [Write]? {
        guard words.count > 4, let begin = words[4...].firstIndex(of: "begin"), words.last == "end" else { return nil }
        var writes: [Write] = []
        for statement in words[(begin + 1)...].dropLast().split(separator: ";") {
            var rest = statement
            let verb = rest.removeFirst()
            // `INSERT OR REPLACE INTO t`, `UPDATE OR IGNORE t`
            let clause = rest.first == "or" ? rest.dropFirst().first : nil
            if clause != nil { rest = rest.dropFirst(2) }
            switch (verb, rest.first) {
            // In a trigger, WITH is only possible before SELECT: <https://sqlite.org/lang_createtrigger.html>.
            case ("select", _), ("with", _), ("values", _): continue
            case ("update", let table?): writes.append(Write(event: .update, table: table))
            case ("delete", "from"?), ("insert", "into"?), ("replace", "into"?):
                guard let table = rest.dropFirst().first else { return nil }
                writes.append(Write(event: verb == "delete" ? .delete : .insert, table: table))
                guard verb != "delete" else { continue }
                if verb == "replace" || clause == "replace" {
                    writes.append(Write(event: .delete, table: table, isByClause: true))
                } else if clause == nil, replacing.contains(where: { $0.isSameName(as: table) }) {
                    writes.append(Write(event: .delete, table: table))
                }
                if zip(rest, rest.dropFirst()).contains(where: { $0 == "do" && $1 == "update" }) {
                    writes.append(Write(event: .update, table: table, isByClause: true))
                }
            default: return nil
            }
        }
        return writes
    }
}

extension SQLiteConnection {
    /// Tables in which a new row replaces another one because of a constraint.
    ///
    /// A clause of NOT NULL replaces only a value of the new row: <https://sqlite.org/lang_conflict.html>.
    fileprivate func replacingTables() throws(GodwitError) -> [String] {
        try rows("SELECT name, sql FROM main.sqlite_master WHERE type = 'table'").filter {
            let words = SQLTokens($0[1].readable).words
            return words.indices.dropFirst().dropLast(2).contains { index in
                words[index] == "on" && words[index + 1] == "conflict" && words[index + 2] == "replace"
                    && words[index - 1] != "null"
            }
        }.map { $0[0].readable }
    }

    /// Tables that others refer to with a foreign key that cascades deletions or updates.
    ///
    /// `PRAGMA foreign_key_list`: id, seq, table, from, to, on_update, on_delete, …;
    /// <https://sqlite.org/pragma.html#pragma_foreign_key_list>.
    fileprivate func parentsWithActions(_ shape: SchemaShape) throws(GodwitError) -> [String] {
        var found: [String] = []
        for table in shape.tables {
            for row in try rows("PRAGMA foreign_key_list(\(quoted(table.name)))")
            where row[5...6].contains(where: { !["NO ACTION", "RESTRICT"].contains($0.readable) }) {
                found.append(row[2].readable)
            }
        }
        return found
    }
}
