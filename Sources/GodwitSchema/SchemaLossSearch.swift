internal import GodwitModel
internal import GodwitSQLite

/// Finds data that schema files remove from a store, by comparing its tables before and after they are applied.
///
/// The SQL does not decide: a table that is created again under its old name, or renamed, loses nothing. A value
/// counts as kept if it is found where it was not before. The words of the files only say what is worth reading.
struct SchemaLossSearch {
    private let before: SchemaShape
    private let files: SchemaFiles
    private let plan: SchemaPlan
    private var counts: [[UInt8]: Int64] = [:]
    /// The values of columns that the files remove, and the primary keys of tables.
    private var columns: [ColumnPlace: ColumnContents] = [:]
    private var keys: [[UInt8]: ColumnContents] = [:]
    /// How many values columns have that stay, and the values of those that an UPDATE may move.
    private var values: [ColumnPlace: Int64] = [:]
    private var movable: [ColumnPlace: ColumnContents] = [:]

    /// One of these is in every file that changes values of a table.
    private static let changingWords: Set<String> = ["update", "replace", "rename", "drop"]

    /// Reads a store before the files of a plan are applied.
    init(_ files: SchemaFiles, _ plan: SchemaPlan, in store: SQLiteConnection) throws(GodwitError) {
        (self.files, self.plan) = (files, plan)
        var shape = try store.readShape()
        let shadows = try ShadowTables(of: store)
        shape.tables.removeAll { shadows.contains($0.name) || files.shapes[plan.from].table(named: $0.name) == nil }
        before = shape
        let words = Set(plan.pending.flatMap { SQLTokens($0.sql).words })
        for table in shape.tables {
            let count = try store.countRows(of: table.name)
            guard count > 0 else { continue }
            counts[table.name.foldedName] = count
            let after = files.shape.table(named: table.name)
            for column in table.columnsInFile where after?.column(named: column.name) == nil {
                let contents = try ColumnContents(of: [column.name], in: table.name, store)
                if contents.count > 0 { columns[ColumnPlace(table.name, column.name)] = contents }
            }
            if after != nil {
                keys[table.name.foldedName] = try ColumnContents(of: table.identity, in: table.name, store)
            }
            if !words.isDisjoint(with: Self.changingWords) { try countValues(of: table, words, store) }
        }
    }

    private mutating func countValues(
        of table: TableShape, _ words: Set<String>, _ store: SQLiteConnection
    ) throws(GodwitError) {
        let after = files.shape.table(named: table.name)
        let names = table.storedColumns.map(\.name).filter { after?.column(named: $0) != nil }
        for (name, count) in zip(names, try store.countValues(of: names, in: table.name)) where count > 0 {
            let place = ColumnPlace(table.name, name)
            values[place] = count
            guard words.contains("update"), words.contains(name.lowercased()) else { continue }
            movable[place] = try ColumnContents(of: [name], in: table.name, store)
        }
    }

    /// The data that is missing after the files were applied.
    func losses(in store: SQLiteConnection) throws(GodwitError) -> [RunReport.Schema.Loss] {
        let after = try store.readShape()
        var grown: [TableShape] = []
        for table in after.tables where before.table(named: table.name) != nil {
            if try store.countRows(of: table.name) > counts[table.name.foldedName] ?? 0 { grown.append(table) }
        }
        var losses: [RunReport.Schema.Loss] = []
        for table in before.tables {
            guard let count = counts[table.name.foldedName] else { continue }
            losses += try lossesOfColumns(of: table, count, in: after, grown, store)
            if let left = after.table(named: table.name) {
                losses += try lossOfRecords(of: left, count, in: after, grown, store)
                losses += try lossesOfValues(of: left, count, in: after, grown, store)
            }
        }
        return losses
    }

    private func lossesOfColumns(
        of table: TableShape, _ count: Int64, in after: SchemaShape, _ grown: [TableShape], _ store: SQLiteConnection
    ) throws(GodwitError) -> [RunReport.Schema.Loss] {
        var lost: [RunReport.Schema.Loss] = []
        let held = table.columnsInFile.filter { columns[ColumnPlace(table.name, $0.name)] != nil }
        for column in held {
            guard let contents = columns[ColumnPlace(table.name, column.name)] else { continue }
            if try isKept(contents, column.name, in: after, grown, store) { continue }
            lost.append(
                RunReport.Schema.Loss(
                    table: table.name, column: column.name, count: contents.count,
                    version: version { $0.table(named: table.name)?.column(named: column.name) == nil }))
        }
        guard after.table(named: table.name) == nil, lost.count == held.count else { return lost }
        return [
            RunReport.Schema.Loss(
                table: table.name, count: count, version: version { $0.table(named: table.name) == nil })
        ]
    }

    /// Records that are missing in their table, and in tables that are new or have more records than before.
    private func lossOfRecords(
        of table: TableShape, _ count: Int64, in after: SchemaShape, _ grown: [TableShape], _ store: SQLiteConnection
    ) throws(GodwitError) -> [RunReport.Schema.Loss] {
        let left = try store.countRows(of: table.name)
        guard left < count, let keys = keys[table.name.foldedName] else { return [] }
        var missing = keys.sample
        let identity = before.table(named: table.name)?.identity ?? []
        let places = [table] + grown + after.tables.filter { before.table(named: $0.name) == nil }
        for place in places where identity.allSatisfy({ place.column(named: $0) != nil }) {
            try ColumnContents.forEach(of: identity, in: place.name, store) { missing.remove($0) }
        }
        guard !missing.isEmpty else { return [] }
        return [RunReport.Schema.Loss(table: table.name, records: count - left, lastVersion: files.latest)]
    }

    /// Values that are NULL now, or all one value, in columns that stay; those of removed records are not counted.
    private func lossesOfValues(
        of table: TableShape, _ count: Int64, in after: SchemaShape, _ grown: [TableShape], _ store: SQLiteConnection
    ) throws(GodwitError) -> [RunReport.Schema.Loss] {
        let names = table.storedColumns.map(\.name).filter { values[ColumnPlace(table.name, $0)] != nil }
        guard !names.isEmpty else { return [] }
        let removed = try max(0, count - store.countRows(of: table.name))
        var lost: [RunReport.Schema.Loss] = []
        for (name, left) in zip(names, try store.countValues(of: names, in: table.name)) {
            var emptied = (values[ColumnPlace(table.name, name)] ?? 0) - left - removed
            if emptied <= 0, try isLevelled(ColumnPlace(table.name, name), name, of: table, store) { emptied = left }
            guard emptied > 0 else { continue }
            if let contents = movable[ColumnPlace(table.name, name)] {
                var missing = contents.sample
                try ColumnContents.forEach(of: [name], in: table.name, store) { missing.remove($0) }
                // If each value is still there, other records have it, and nothing says that it was moved.
                if !missing.isEmpty, try isKept(contents, name, missing, in: after, grown, store) { continue }
            }
            lost.append(
                RunReport.Schema.Loss(table: table.name, column: name, values: emptied, lastVersion: files.latest))
        }
        return lost
    }

    /// Whether a column that had a value of its own in most records has the same one in all of them now.
    ///
    /// A column of few values, such as a state, may be reset on purpose.
    private func isLevelled(
        _ place: ColumnPlace, _ name: String, of table: TableShape, _ store: SQLiteConnection
    ) throws(GodwitError) -> Bool {
        guard let contents = movable[place], contents.count > 2,
            contents.sample.count > min(Int(contents.count / 2), ColumnContents.sampleSize / 4)
        else { return false }
        return try ColumnContents(of: [name], in: table.name, store).sample.count == 1
    }

    /// Whether a column's values are in a new column or table, or in a table with more records than before.
    ///
    /// Integers occur in many columns by chance, so they must have the same count and sum, or be in a column with the
    /// same name.
    ///
    /// - Parameter sample: the values to find; nil for all of them.
    private func isKept(
        _ contents: ColumnContents, _ name: String, _ sample: Set<UInt64>? = nil, in after: SchemaShape,
        _ grown: [TableShape], _ store: SQLiteConnection
    ) throws(GodwitError) -> Bool {
        var missing = sample ?? contents.sample
        for table in after.tables {
            let known = before.table(named: table.name)
            let isGrown = grown.contains { $0.name.isSameName(as: table.name) }
            for column in table.columnsInFile {
                guard known?.column(named: column.name) == nil || isGrown else { continue }
                var (count, sum) = (Int64(0), UInt64(0))
                let isAlike = contents.isText || column.name.isSameName(as: name)
                try ColumnContents.forEach(of: [column.name], in: table.name, store) { hash in
                    (count, sum) = (count + 1, sum &+ hash)
                    if isAlike { missing.remove(hash) }
                }
                if (count, sum) == (contents.count, contents.sum) || missing.isEmpty { return true }
            }
        }
        return false
    }

    /// The version whose file removes something: the first without it.
    private func version(_ isWithout: (SchemaShape) -> Bool) -> Int {
        (plan.from + 1...max(plan.from + 1, files.latest)).first { isWithout(files.shapes[$0]) } ?? files.latest
    }
}

/// A column; compares names as SQLite does.
private struct ColumnPlace: Hashable {
    let table: [UInt8]
    let column: [UInt8]

    init(_ table: String, _ column: String) { (self.table, self.column) = (table.foldedName, column.foldedName) }
}

extension SQLiteConnection {
    /// Counts the rows of a table without indexes, because an index may have a collation that only the app has.
    fileprivate func countRows(of table: String) throws(GodwitError) -> Int64 {
        let cursor = try prepare("SELECT count(1) FROM \(source(table))")
        return try cursor.step() ? cursor.integer(0) : 0
    }

    /// Counts the values of columns that are not NULL; `typeof` reads no long value.
    fileprivate func countValues(of columns: [String], in table: String) throws(GodwitError) -> [Int64] {
        guard !columns.isEmpty else { return [] }
        let sums = columns.map { "sum(typeof(\(quoted($0))) <> 'null')" }.joined(separator: ", ")
        let cursor = try prepare("SELECT \(sums) FROM \(source(table))")
        guard try cursor.step() else { return columns.map { _ in 0 } }
        return columns.indices.map { cursor.integer($0) }
    }
}

extension TableShape {
    /// The columns that identify its records: its primary key, else all columns in the file.
    fileprivate var identity: [String] {
        let key = columns.filter { $0.primaryKeyIndex > 0 }
        return (key.isEmpty ? columnsInFile : key).map(\.name)
    }
}

/// The values of columns as hashes, to find them elsewhere.
private struct ColumnContents {
    private(set) var count: Int64 = 0
    private(set) var sum: UInt64 = 0
    /// Hashes of different values; if there are many, only those that end with zero bits.
    private(set) var sample: Set<UInt64> = []
    /// Whether any value is not an integer.
    private(set) var isText = false

    static let sampleSize = 1 << 16

    init(of columns: [String], in table: String, _ store: SQLiteConnection) throws(GodwitError) {
        var mask: UInt64 = 0
        try Self.forEach(of: columns, in: table, store, isText: &isText) { hash in
            count += 1
            sum &+= hash
            guard hash & mask == 0 else { return }
            sample.insert(hash)
            guard sample.count > Self.sampleSize else { return }
            mask = mask << 1 | 1
            sample = sample.filter { $0 & mask == 0 }
        }
    }

    static func forEach(
        of columns: [String], in table: String, _ store: SQLiteConnection, _ body: (UInt64) -> Void
    ) throws(GodwitError) {
        var isText = false
        try forEach(of: columns, in: table, store, isText: &isText, body)
    }

    /// A number is hashed as SQLite's text of it, so that the type of a column may change.
    private static func forEach(
        of columns: [String], in table: String, _ store: SQLiteConnection, isText: inout Bool, _ body: (UInt64) -> Void
    ) throws(GodwitError) {
        let casts = columns.map { "CAST(\(quoted($0)) AS BLOB)" } + columns.map { "typeof(\(quoted($0))) = 'integer'" }
        let cursor = try store.prepare("SELECT \(casts.joined(separator: ", ")) FROM \(store.source(table))")
        while try cursor.step() {
            var hasher = Hasher()
            var isNull = true
            for column in columns.indices {
                if cursor.type(column) == .null { continue }
                isNull = false
                if cursor.integer(columns.count + column) == 0 { isText = true }
                hasher.combine(column)
                cursor.withBytes(column) { hasher.combine(bytes: $0) }
            }
            if !isNull { body(UInt64(bitPattern: Int64(hasher.finalize()))) }
        }
    }
}
