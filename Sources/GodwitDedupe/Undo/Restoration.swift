import GodwitLedger
import GodwitModel
import GodwitSQLite

/// Reverts the steps of a run, the last one first, so that each step finds the store as it left it.
///
/// Invariants: existing rows are not removed or replaced (`ConflictClauses`), nor changed by triggers
/// (`SideEffectGuard`). A value is restored only if the row still has the value that the run wrote. Foreign keys are
/// off, so that their actions change no row that the ledger does not name.
struct Restoration {
    let connection: SQLiteConnection
    let schema: SchemaShape
    let manifest: Manifest
    private let kept: KeptKeys
    private let sideEffectGuard: SideEffectGuard
    private(set) var result: RunReport.Undo.Store
    /// Winners that got their old key back, with the key before that.
    private(set) var rekeyed: [(table: UndoTable, identity: [Value], key: Value)] = []
    private var tables: [[UInt8]: UndoTable] = [:]
    /// Restored rows: the current identity, with the identity in the ledger.
    private let restored: SpillableRowMap
    /// New identities of rows whose identity in the ledger was not free.
    private let elsewhere: SpillableRowMap
    /// Expected final values of restored rows: column indexes and values, without unknown columns.
    ///
    /// Only recorded if triggers may change the rows.
    private let expected: SpillableRowMap
    /// Other rows in the ledger that were found.
    private let known: SpillableRowMap

    init(
        _ connection: SQLiteConnection, _ schema: SchemaShape, _ manifest: Manifest, _ result: RunReport.Undo.Store,
        keeping kept: KeptKeys, besides sideEffectGuard: SideEffectGuard, notes: () -> SpillableRowMap
    ) {
        (self.kept, self.sideEffectGuard) = (kept, sideEffectGuard)
        (self.connection, self.schema, self.manifest, self.result) = (connection, schema, manifest, result)
        (restored, elsewhere, expected, known) = (notes(), notes(), notes(), notes())
    }

    /// Reverts one step; later steps were reverted before.
    mutating func takeBack(_ step: LedgerStep) throws(GodwitError) {
        let table = try table(step.entity)
        switch step.action {
        case .removed(let number, _): try putBack(number, step, table)
        case .changed(let column, let from, let to):
            let place = try table.place(of: column, connection)
            if kept.keep(step) {
                result.kept += 1
                return
            }
            guard let identity = try locate(step, table, place, to) else {
                if step.reason != "adopted" { result.kept += 1 }
                return
            }
            if step.reason == "adopted" {
                try known.note(of: table.place(identity))
            } else {
                try changeBack(step, table, place, identity, from)
            }
        }
    }

    /// Whether the ledger names a row.
    func isKnown(_ identity: [Value], in table: UndoTable) throws(GodwitError) -> Bool {
        if try restored.has(table.place(identity)) { return true }
        return try known.has(table.place(identity))
    }

    private mutating func table(_ name: String) throws(GodwitError) -> UndoTable {
        let key = Array(name.utf8)
        if let table = tables[key] { return table }
        let table = try UndoTable(name, in: schema, manifest: manifest, connection)
        tables[key] = table
        return table
    }

    // MARK: Records

    private mutating func putBack(_ number: Int64, _ step: LedgerStep, _ table: UndoTable) throws(GodwitError) {
        let record = try connection.readRemovedRecord(number)
        var row: [Value?] = Array(repeating: nil, count: table.shape.storedColumns.count)
        for (name, value) in record { row[try table.place(of: name, connection)] = value }
        let identity = try insert(row, step, table)
        let home = table.place(identity)
        if let booked = step.identity, booked != identity { try elsewhere.note(identity, of: table.place(booked)) }
        try restored.note(step.identity ?? [], of: home)
        try requireSame(row, at: home, table)
        if !schema.triggers.isEmpty || connection.isOfApp { try expected.note(Self.known(row), of: home) }
        result.restored[step.entity, default: 0] += 1
        for (column, value) in zip(table.shape.storedColumns, row) where value == nil {
            let name = "\(table.shape.name).\(column.name)"
            if !result.addedColumns.contains(name) { result.addedColumns.append(name) }
        }
    }

    /// Inserts a record and returns its identity; it gets its old rowid if that is free and not a column.
    private func insert(_ row: [Value?], _ step: LedgerStep, _ table: UndoTable) throws(GodwitError) -> [Value] {
        var columns: [String] = []
        var values: [Value] = []
        for (column, value) in zip(table.shape.storedColumns, row) {
            guard let value else { continue }
            columns.append(quoted(column.name))
            values.append(value)
        }
        if table.identityColumns == nil, let booked = step.identity, try table.row(booked, connection) == nil {
            columns += table.identity
            values += booked
        }
        let before = connection.totalChanges
        do throws(GodwitError) {
            try connection.execute(table.conflicts.insertion(of: columns, into: table.name), values)
        } catch {
            throw error.code == .data ? standsInTheWay(table, error) : error
        }
        guard connection.changedRows == 1 else { throw standsInTheWay(table, nil) }
        try requireNoOther(since: before, .insert, of: table)
        if !table.shape.isWithoutRowid { return [try connection.first("SELECT last_insert_rowid()") ?? .null] }
        let stored = table.shape.storedColumns
        return (table.identityColumns ?? []).map { name in
            stored.firstIndex { $0.name.isSameName(as: name) }.flatMap { row[$0] } ?? .null
        }
    }

    private func requireNoOther(
        since before: Int64, _ event: TriggerEffects.Event, of table: UndoTable
    ) throws(GodwitError) {
        try sideEffectGuard.requireUnchanged(
            since: before, by: event, of: table.shape.name, doing: "putting back a record of `\(table.shape.name)`",
            stage: .dedupe)
    }

    private func standsInTheWay(_ table: UndoTable, _ error: GodwitError?) -> GodwitError {
        GodwitError(
            .dedupe, .data,
            "a duplicate of `\(table.shape.name)` can't go back into `\(connection.name)`: a newer record, a "
                + "constraint or a trigger prevents it; nothing was changed",
            hint:
                "Give the newer record another key in the app, then undo again.",
            underlying: error?.underlying ?? error?.message)
    }

    /// The known columns of a row, as indexes and values.
    private static func known(_ row: [Value?]) -> [Value] {
        row.enumerated().flatMap { place, value in value.map { [.integer(Int64(place)), $0] } ?? [] }
    }

    /// The same columns with a new value for one of them, which may be unknown so far.
    private static func replacing(column: Int, of known: [Value], by value: Value) -> [Value] {
        var columns: [Value] = []
        for index in stride(from: 0, to: known.count, by: 2) where known[index] != .integer(Int64(column)) {
            columns += known[index...index + 1]
        }
        return columns + [.integer(Int64(column)), value]
    }

    private func requireSame(_ row: [Value?], at place: RowIdentifier, _ table: UndoTable) throws(GodwitError) {
        let found = try table.row(place.identity, connection)
        let isSame = found.map { zip($0, row).allSatisfy { $1 == nil || $0 == $1 } } ?? false
        guard isSame else { throw notExact(table) }
    }

    private func notExact(_ table: UndoTable) -> GodwitError {
        GodwitError(
            .dedupe, .data,
            "a record of `\(table.shape.name)` in `\(connection.name)` would differ from the earlier "
                + "one; nothing was changed",
            hint: schema.triggers.isEmpty && !connection.isOfApp
                ? "Check the types of the table's columns."
                : "Check the triggers of the store, and the types of the table's columns.")
    }

    /// Throws (65) if a trigger changed a record after it was restored.
    func requireExact() throws(GodwitError) {
        try expected.forEach { place, known throws(GodwitError) in
            guard let table = tables.values.first(where: { Array($0.shape.name.utf8) == place.table }) else { return }
            var row: [Value?] = Array(repeating: nil, count: table.shape.storedColumns.count)
            for index in stride(from: 0, to: known.count, by: 2) {
                if case .integer(let column) = known[index] { row[Int(column)] = known[index + 1] }
            }
            try requireSame(row, at: place, table)
        }
    }

    // MARK: Single values

    /// The row of a step, if it still has the value that the step wrote; nil if it was changed since.
    private func locate(
        _ step: LedgerStep, _ table: UndoTable, _ place: Int, _ to: Value
    ) throws(GodwitError) -> [Value]? {
        if let booked = step.identity {
            if let home = try home(ofBooked: booked, table) {
                guard try table.row(home, connection)?[place] == to else { throw notExact(table) }
                return home
            }
            if try !restored.has(table.place(booked)), let row = try table.row(booked, connection),
                row[place] == to, hasKey(row, step, table, place, to)
            {
                try requireSure(booked, step, table, place, to)
                return booked
            }
        }
        guard let keyPlace = table.keyPlace else { return nil }
        let (key, column) = (table.shape.storedColumns[keyPlace].name, table.shape.storedColumns[place].name)
        let found = try connection.rows(
            """
            SELECT \(quoted(key)), \(quoted(column)), \(table.identity.joined(separator: ", "))
            FROM \(connection.source(table.shape.name))
            WHERE \(quoted(key)) IS ? COLLATE BINARY AND \(quoted(column)) IS ? COLLATE BINARY
            """, [place == keyPlace ? to : step.key, to])
        var candidates: [[Value]] = []
        for row in found where row[1] == to && (row[0] == step.key || place == keyPlace) {
            if try !restored.has(table.place(Array(row[2...]))) { candidates.append(Array(row[2...])) }
        }
        guard candidates.count < 2 else { throw cannotTell(table) }
        return candidates.first
    }

    /// The current identity of a restored row, by its identity in the ledger.
    private func home(ofBooked booked: [Value], _ table: UndoTable) throws(GodwitError) -> [Value]? {
        let place = table.place(booked)
        if let home = try elsewhere.values(of: place) { return home }
        return try restored.values(of: place) == booked ? booked : nil
    }

    private func hasKey(_ row: [Value], _ step: LedgerStep, _ table: UndoTable, _ place: Int, _ to: Value) -> Bool {
        guard let keyPlace = table.keyPlace else { return true }
        return row[keyPlace] == (place == keyPlace ? to : step.key)
    }

    /// Throws (65) if VACUUM may have given the rowid to another row, because a table without entity and primary key
    /// has no other identity.
    private func requireSure(
        _ identity: [Value], _ step: LedgerStep, _ table: UndoTable, _ place: Int, _ to: Value
    ) throws(GodwitError) {
        guard table.identityColumns == nil, table.entity == nil, try !isKnown(identity, in: table) else { return }
        let digest = try RowDigest.of(identity, in: table.shape, identifiedBy: table.identity, connection)
        if digest == step.digest { return }
        guard case .changed(let written, _, _) = step.action else { return }
        let column = quoted(table.shape.storedColumns[place].name)
        let rows = try connection.source(table.shape.name)
        let count = try connection.first("SELECT count(*) FROM \(rows) WHERE \(column) IS ? COLLATE BINARY", [to])
        // If only as many rows have the value as there are steps to undo, all of them belong to the run.
        let unsure = try connection.countOpenSteps(
            of: step.run, upTo: step.order, writing: to, to: written, of: step.entity)
        guard count == unsure else { throw cannotTell(table) }
    }

    private func cannotTell(_ table: UndoTable) -> GodwitError {
        GodwitError(
            .dedupe, .data,
            "the records of `\(table.shape.name)` in `\(connection.name)` that this run changed were edited "
                + "since, and can't be identified; nothing was changed",
            hint:
                "Take their old values from the table `godwit_changed`.")
    }

    private mutating func changeBack(
        _ step: LedgerStep, _ table: UndoTable, _ index: Int, _ identity: [Value], _ old: Value
    ) throws(GodwitError) {
        let column = table.shape.storedColumns[index].name
        var row = try table.row(identity, connection) ?? []
        let current = row.isEmpty ? .null : row[index]
        let before = connection.totalChanges
        do throws(GodwitError) {
            try table.conflicts.update([column], to: [old], where: table.condition, identity, in: connection)
        } catch {
            throw error.code == .data ? standsInTheWay(table, error) : error
        }
        guard connection.changedRows == 1, !row.isEmpty else { throw standsInTheWay(table, nil) }
        try requireNoOther(since: before, .update, of: table)
        row[index] = old
        let changed = table.identity(identity, with: column, as: old)
        let (place, home) = (table.place(identity), table.place(changed))
        try requireSame(row, at: home, table)
        if let before = try expected.forget(place) {
            try expected.note(Self.replacing(column: index, of: before, by: old), of: home)
        }
        if let booked = try restored.forget(place) {
            try restored.note(table.identityColumns == nil ? booked : changed, of: home)
        } else {
            try known.note(of: home)
        }
        if step.reason == "rekeyed" {
            rekeyed.append((table, changed, current))
            result.rekeyed += 1
        } else {
            result.repointed += 1
        }
    }
}
