package import GodwitModel

/// What the triggers of a store may write when records of its tables are removed or changed.
///
/// A trigger that feeds a full-text index, or notes in a table of its own what happened, does what the app wants. One that
/// changes or removes other records does so behind the back of whoever keeps a copy of all that is changed.
package struct TriggerEffects: Sendable {
    package enum Event: String, Sendable, CaseIterable {
        case delete, insert, update
    }

    private struct Trigger {
        let name: String
        let table: String
        /// Nil where it could not be read: it may be any.
        let event: Event?
        /// Nil where they could not be read: they may be any.
        let writes: [Write]?
        /// Whether it may refuse a record.
        let raises: Bool
        /// Whether it is on the app's own connection alone, as those of a sync engine are.
        let isTemporary: Bool
    }

    private struct Write: Hashable {
        let event: Event
        let table: String
    }

    private let triggers: [Trigger]
    private let reportsOwn: Bool
    private let virtualTables: [String]
    private let notes: [String]
    private let tables: [String]

    /// - Parameters:
    ///   - entities: tables whose records are somebody's data; into others a trigger may add.
    ///   - besidesOwn: whether the triggers of the store itself do no harm, since they are known.
    package init(
        of connection: SQLiteConnection, _ shape: SchemaShape, entities: [String], besidesOwn: Bool = false
    ) throws(GodwitError) {
        virtualTables = shape.virtualTables
        // What writes to a table of an extension fails here.
        tables = shape.tables.map(\.name) + shape.views + shape.virtualTables.filter { !shape.isOfExtension($0) }
        notes = shape.tables.map(\.name).filter { table in !entities.contains { $0.isSameName(as: table) } }
        reportsOwn = !besidesOwn
        let own = shape.triggers.isEmpty ? [] : try Self.read("main.sqlite_master", of: connection)
        triggers = own + (connection.isOfApp ? try Self.read("sqlite_temp_master", of: connection) : [])
    }

    private static func read(
        _ schema: String, of connection: SQLiteConnection
    ) throws(GodwitError) -> [Trigger] {
        try connection.rows("SELECT name, tbl_name, sql FROM \(schema) WHERE type = 'trigger'").map {
            let words = SQLTokens($0[2].readable).words
            let isTemporary = schema == "sqlite_temp_master"
            return Trigger(
                name: $0[0].readable, table: $0[1].readable, event: event(of: words),
                writes: writes(of: words, replacing: isTemporary), raises: words.contains("raise"),
                isTemporary: isTemporary)
        }
    }

    /// Whether there is no trigger at all.
    package var isEmpty: Bool { triggers.isEmpty }

    /// A trigger that may change or remove records when this is done to records of these tables, at once or by way of
    /// other triggers; nil where there is none.
    ///
    /// What the app's temporary triggers write to no table of the store, such as a sync engine's books in one of its own, is
    /// why the app hands its connection in.
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
                    let isNote = write.event == .insert && notes.contains { $0.isSameName(as: write.table) }
                    if isReported, !isElsewhere, !isNote { return trigger.name }
                    if seen.insert(write).inserted { waiting.append(write) }
                }
            }
        }
        return nil
    }

    /// Triggers that write to one of these tables themselves, may refuse a record, or can't be read; and those that write
    /// to a table that is not there, which would fail.
    package func namesTouching(_ entities: [String]) -> Set<String> {
        Set(
            triggers.filter { trigger in
                guard let writes = trigger.writes, !trigger.raises else { return true }
                return writes.contains { write in
                    entities.contains { $0.isSameName(as: write.table) }
                        || !tables.contains { $0.isSameName(as: write.table) }
                }
            }.map(\.name))
    }

    /// `CREATE TRIGGER name [BEFORE|AFTER|INSTEAD OF] DELETE|INSERT|UPDATE [OF columns] ON table …`; the name may be any
    /// word. <https://sqlite.org/lang_createtrigger.html>
    private static func event(of words: [String]) -> Event? {
        guard words.count > 4, let on = words[3...].firstIndex(of: "on") else { return nil }
        if let event = Event(rawValue: words[on - 1]) { return event }
        return words[3..<on].contains("of") && words[3..<on].contains("update") ? .update : nil
    }

    /// The statements between BEGIN and END, of which each writes to one table or to none.
    ///
    /// - Parameter replacing: whether an insertion also counts as what it does to a record that is there already.
    private static func writes(of words: [String], replacing: Bool) -> [Write]? {
        guard words.count > 4, let begin = words[4...].firstIndex(of: "begin"), words.last == "end" else { return nil }
        var writes: [Write] = []
        for statement in words[(begin + 1)...].dropLast().split(separator: ";") {
            var rest = statement
            let verb = rest.removeFirst()
            // `INSERT OR REPLACE INTO t`, `UPDATE OR IGNORE t`
            if rest.first == "or" { rest = rest.dropFirst(2) }
            switch (verb, rest.first) {
            // WITH stands before SELECT alone here: <https://sqlite.org/lang_createtrigger.html>.
            case ("select", _), ("with", _), ("values", _): continue
            case ("update", let table?): writes.append(Write(event: .update, table: table))
            case ("delete", "from"?), ("insert", "into"?), ("replace", "into"?):
                guard let table = rest.dropFirst().first else { return nil }
                writes.append(Write(event: verb == "delete" ? .delete : .insert, table: table))
                guard replacing, verb != "delete" else { continue }
                if statement.contains("replace") { writes.append(Write(event: .delete, table: table)) }
                if statement.contains("do") { writes.append(Write(event: .update, table: table)) }
            default: return nil
            }
        }
        return writes
    }
}
