import GodwitModel
import GodwitStore

/// Takes the steps of a run back, the last one first, so that each finds the store as it was right after it was done.
///
/// Invariants: no row that is there is removed or replaced (`OR ABORT`, whatever the schema's own conflict clauses say);
/// a value is only put back where the one that the run wrote still stands; foreign keys are off meanwhile, so that none
/// of their actions touches a row of which the books do not speak.
struct Restoration {
    let connection: SQLiteConnection
    let schema: SchemaShape
    let manifest: Manifest
    private(set) var result: UndoneStore
    /// Winners that were given their old key back, with the key they had until then.
    private(set) var rekeyed: [(table: BookedTable, identity: [Value], key: Value)] = []
    private var tables: [[UInt8]: BookedTable] = [:]
    /// Where the rows are that were put back, by where the books say they were.
    private var homes: [Place: [Value]] = [:]
    /// Where they are now.
    private var restored: Set<Place> = []
    /// Rows put back as they must be in the end; nil for columns that the books do not know.
    ///
    /// Only kept where triggers may change them behind the restoration's back.
    private var expected: [Place: [Value?]] = [:]
    /// Rows of which the books speak and that were found.
    private var known: Set<Place> = []

    /// A row.
    private struct Place: Hashable {
        let table: [UInt8]
        let identity: [Value]

        init(_ table: BookedTable, _ identity: [Value]) {
            (self.table, self.identity) = (Array(table.shape.name.utf8), identity)
        }
    }

    init(_ connection: SQLiteConnection, _ schema: SchemaShape, _ manifest: Manifest, _ result: UndoneStore) {
        (self.connection, self.schema, self.manifest, self.result) = (connection, schema, manifest, result)
    }

    /// Takes one step back.
    ///
    /// - Parameter unsure: how many steps of the run that were not taken back yet gave this column of this table the
    ///   same value: all of its rows with that value are the run's where there are no more of them.
    mutating func takeBack(_ step: BookedStep, unsure: Int) throws(GodwitError) {
        let table = try table(step.entity)
        switch step.action {
        case .removed(let number, _): try putBack(number, step, table)
        case .changed(let column, let from, let to):
            let place = try table.place(of: column, connection)
            guard let identity = try locate(step, table, place, to, unsure: unsure) else {
                if step.reason != "adopted" { result.kept += 1 }
                return
            }
            if step.reason == "adopted" {
                known.insert(Place(table, identity))
            } else {
                try changeBack(step, table, place, identity, from)
            }
        }
    }

    /// Whether the books speak of a row.
    func isKnown(_ identity: [Value], in table: BookedTable) -> Bool { known.contains(Place(table, identity)) }

    private mutating func table(_ name: String) throws(GodwitError) -> BookedTable {
        let key = Array(name.utf8)
        if let table = tables[key] { return table }
        let table = try BookedTable(name, in: schema, manifest: manifest, connection)
        tables[key] = table
        return table
    }

    // MARK: Records

    private mutating func putBack(_ number: Int64, _ step: BookedStep, _ table: BookedTable) throws(GodwitError) {
        let record = try connection.readRemovedRecord(number)
        var row: [Value?] = Array(repeating: nil, count: table.shape.storedColumns.count)
        for (name, value) in record { row[try table.place(of: name, connection)] = value }
        let identity = try insert(row, step, table)
        let home = Place(table, identity)
        if let booked = step.identity { homes[Place(table, booked)] = identity }
        restored.insert(home)
        known.insert(home)
        try requireSame(row, at: home, table)
        if !schema.triggers.isEmpty { expected[home] = row }
        result.restored[step.entity, default: 0] += 1
        for (column, value) in zip(table.shape.storedColumns, row) where value == nil {
            let name = "\(table.shape.name).\(column.name)"
            if !result.addedColumns.contains(name) { result.addedColumns.append(name) }
        }
    }

    /// Inserts a record, at its old rowid where that is free and no column's own; returns what identifies it.
    private func insert(_ row: [Value?], _ step: BookedStep, _ table: BookedTable) throws(GodwitError) -> [Value] {
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
        do throws(GodwitError) {
            try connection.execute(
                """
                INSERT OR ABORT INTO \(table.name)(\(columns.joined(separator: ", ")))
                VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
                """, values)
        } catch {
            throw error.code == .data ? standsInTheWay(table, error) : error
        }
        guard connection.changedRows == 1 else { throw standsInTheWay(table, nil) }
        if !table.shape.isWithoutRowid { return [try connection.first("SELECT last_insert_rowid()") ?? .null] }
        let stored = table.shape.storedColumns
        return (table.identityColumns ?? []).map { name in
            stored.firstIndex { $0.name.isSameName(as: name) }.flatMap { row[$0] } ?? .null
        }
    }

    private func standsInTheWay(_ table: BookedTable, _ error: GodwitError?) -> GodwitError {
        GodwitError(
            .dedupe, .data,
            "A duplicate of \(table.shape.name) can't go back into \(connection.name): what is there now stands in its way.",
            hint:
                "Nothing was changed. A newer record has its place, or a constraint or trigger of the schema is against "
                + "it; give that record another key in the app, then undo again.",
            underlying: error?.underlying ?? error?.message)
    }

    private func requireSame(_ row: [Value?], at place: Place, _ table: BookedTable) throws(GodwitError) {
        let found = try table.row(place.identity, connection)
        let isSame = found.map { zip($0, row).allSatisfy { $1 == nil || $0 == $1 } } ?? false
        guard isSame else { throw notExact(table) }
    }

    private func notExact(_ table: BookedTable) -> GodwitError {
        GodwitError(
            .dedupe, .data, "A record of \(table.shape.name) in \(connection.name) would not be what it was before.",
            hint: schema.triggers.isEmpty
                ? "Nothing was changed. The table's columns are no longer of the types they had."
                : "Nothing was changed. A trigger of the store changes records as they go back, or their columns are no "
                    + "longer of the types they had.")
    }

    /// Throws (65) where a trigger has changed a record again after it went back.
    func requireExact() throws(GodwitError) {
        for (place, row) in expected {
            guard let table = tables.values.first(where: { Array($0.shape.name.utf8) == place.table }) else { continue }
            try requireSame(row, at: place, table)
        }
    }

    // MARK: Single values

    /// The row of which a step speaks, if it still has what the step gave it; nil where somebody has changed it since.
    private func locate(
        _ step: BookedStep, _ table: BookedTable, _ place: Int, _ to: Value, unsure: Int
    ) throws(GodwitError) -> [Value]? {
        if let booked = step.identity {
            if let home = homes[Place(table, booked)] {
                guard try table.row(home, connection)?[place] == to else { throw notExact(table) }
                return home
            }
            if !restored.contains(Place(table, booked)), let row = try table.row(booked, connection),
                row[place] == to, hasKey(row, step, table, place, to)
            {
                try requireSure(booked, step, table, place, to, unsure: unsure)
                return booked
            }
        }
        guard let keyPlace = table.keyPlace else { return nil }
        let (key, column) = (table.shape.storedColumns[keyPlace].name, table.shape.storedColumns[place].name)
        let found = try connection.rows(
            """
            SELECT \(quoted(key)), \(quoted(column)), \(table.identity.joined(separator: ", ")) FROM \(table.name)
            WHERE \(quoted(key)) IS ? COLLATE BINARY AND \(quoted(column)) IS ? COLLATE BINARY
            """, [place == keyPlace ? to : step.key, to])
        let candidates = found.filter { $0[1] == to && ($0[0] == step.key || place == keyPlace) }
            .map { Array($0[2...]) }.filter { !restored.contains(Place(table, $0)) }
        guard candidates.count < 2 else { throw cannotTell(table) }
        return candidates.first
    }

    private func hasKey(_ row: [Value], _ step: BookedStep, _ table: BookedTable, _ place: Int, _ to: Value) -> Bool {
        guard let keyPlace = table.keyPlace else { return true }
        return row[keyPlace] == (place == keyPlace ? to : step.key)
    }

    /// Throws (65) where VACUUM may have given a row's number to another one: nothing else names rows of a table that is
    /// no entity and has no primary key.
    private func requireSure(
        _ identity: [Value], _ step: BookedStep, _ table: BookedTable, _ place: Int, _ to: Value, unsure: Int
    ) throws(GodwitError) {
        guard table.identityColumns == nil, table.entity == nil, !known.contains(Place(table, identity)) else { return }
        let digest = try RowDigest.of(identity, in: table.shape, identifiedBy: table.identity, connection)
        if digest == step.digest { return }
        let column = quoted(table.shape.storedColumns[place].name)
        let count = try connection.first("SELECT count(*) FROM \(table.name) WHERE \(column) IS ? COLLATE BINARY", [to])
        guard count == .integer(Int64(unsure)) else { throw cannotTell(table) }
    }

    private func cannotTell(_ table: BookedTable) -> GodwitError {
        GodwitError(
            .dedupe, .data,
            "Which records of \(table.shape.name) in \(connection.name) were changed by that run can't be told any more.",
            hint:
                "Nothing was changed. They were edited since, and nothing names them for good; `godwit_changed` still "
                + "has their old values.")
    }

    private mutating func changeBack(
        _ step: BookedStep, _ table: BookedTable, _ place: Int, _ identity: [Value], _ old: Value
    ) throws(GodwitError) {
        let column = table.shape.storedColumns[place].name
        if step.reason == "rekeyed", case .changed(_, _, let to) = step.action,
            try connection.hasReplaced(step.entity, key: to, laterThan: step.order)
        {
            // A copy has since put another store's record there, under this key.
            result.kept += 1
            return
        }
        var row = try table.row(identity, connection) ?? []
        let current = row.isEmpty ? .null : row[place]
        do throws(GodwitError) {
            try connection.execute(
                "UPDATE OR ABORT \(table.name) SET \(quoted(column)) = ? WHERE \(table.condition)", [old] + identity)
        } catch {
            throw error.code == .data ? standsInTheWay(table, error) : error
        }
        guard connection.changedRows == 1, !row.isEmpty else { throw standsInTheWay(table, nil) }
        row[place] = old
        let changed = table.identity(identity, with: column, as: old)
        let home = Place(table, changed)
        try requireSame(row, at: home, table)
        if var before = expected.removeValue(forKey: Place(table, identity)) {
            before[place] = old
            expected[home] = before
        }
        if restored.remove(Place(table, identity)) != nil {
            restored.insert(home)
            if table.identityColumns != nil { homes[home] = changed }
        }
        known.insert(home)
        if step.reason == "rekeyed" {
            rekeyed.append((table, changed, current))
            result.rekeyed += 1
        } else {
            result.repointed += 1
        }
    }
}
