internal import GodwitFiles
internal import GodwitJSON
internal import GodwitModel
internal import GodwitSQLite

/// Old and new values of a parent's column: a table in a private store, with key, old and new value of each record that
/// changes.
struct ParentValueMap {
    let name: String
    let target: ReferenceTranslation.Target
    let table: EntityTable
    let held: [HeldColumn]

    private var onlySource: String { name + "_alone" }
    private var taken: String { name + "_taken" }
    private var winning: String { name + "_winning" }
    /// Values of the cloud store that the merge replaces by the source's: old and new values.
    var replaced: String { name + "_replaced" }

    // MARK: Creating it

    /// Compares the parents of a private store with those of the cloud store, and records whose values must change.
    ///
    /// - Parameter source: the store that the private one was copied from.
    func fill(
        _ work: SQLiteConnection, of source: SQLiteConnection, _ mine: EntityTable, _ cloud: SQLiteConnection,
        _ theirs: EntityTable, _ context: RunContext
    ) throws(GodwitError) {
        try make(in: work)
        let (keyType, valueType) = (type(of: target.parent.key), type(of: target.column))
        try work.execute("CREATE TABLE \(onlySource)(key \(keyType), value \(valueType))")
        try work.execute("CREATE TABLE \(winning)(key \(keyType), value \(valueType), cloud \(valueType))")
        let win = try work.prepare("INSERT INTO \(winning) VALUES (?, ?, ?)")
        let keepsCloud = target.isIdentifier(in: theirs.shape)
        let change = try work.prepare("INSERT INTO \(name) VALUES (?, ?, ?)")
        let note = try work.prepare("INSERT INTO \(onlySource) VALUES (?, ?)")
        try EntityComparison.meet(
            work.prepare(mine.select(target.column, orderedBy: target.parent.key, withDate: true)), 0,
            cloud.prepare(theirs.select(target.column, orderedBy: target.parent.key, withDate: true)), 0
        ) { order, mine, theirs throws(GodwitError) in
            if order < 0, mine.type(1) != .null {
                try note.bind([mine.value(0), mine.value(1)])
                try note.run()
            } else if order == 0, theirs.type(1) != .null, !mine.column(1, equals: 1, of: theirs) {
                if !keepsCloud, mine.type(1) != .null, target.parent.isReplaced(by: mine, theirs) {
                    try win.bind([mine.value(0), mine.value(1), theirs.value(1)])
                    return try win.run()
                }
                try change.bind([mine.value(0), mine.value(1), theirs.value(1)])
                try change.run()
            }
        }
        try noteTaken(work, cloud, theirs, context)
        try giveNewValues(work, of: source, cloud, change, areIdentifiers: keepsCloud)
        try work.execute(
            "INSERT INTO \(name) SELECT key, value, cloud FROM \(winning) WHERE value IN (SELECT value FROM \(taken))")
        try work.execute(
            """
            CREATE TABLE \(replaced) AS SELECT cloud AS old, value AS new FROM \(winning)
            WHERE value NOT IN (SELECT value FROM \(taken))
            """)
    }

    /// Values of parents that only the source has, if another parent has, or had until it was set aside, the same value
    /// in the cloud store.
    private func noteTaken(
        _ work: SQLiteConnection, _ cloud: SQLiteConnection, _ theirs: EntityTable, _ context: RunContext
    ) throws(GodwitError) {
        try work.execute("CREATE TABLE \(taken)(value \(type(of: target.column)) UNIQUE)")
        let note = try work.prepare("INSERT OR IGNORE INTO \(taken) VALUES (?)")
        try EntityComparison.meet(
            work.prepare(
                """
                SELECT DISTINCT value FROM (SELECT value FROM \(onlySource) UNION ALL SELECT value FROM \(winning))
                ORDER BY value COLLATE \(table.collation), typeof(value)
                """), 0,
            cloud.prepare(theirs.select(target.column, orderedBy: target.column)), 1
        ) { order, mine, _ throws(GodwitError) in
            guard order == 0 else { return }
            try note.bind([mine.value(0)])
            try note.run()
        }
        guard let removed = try target.removedValues(in: cloud, theirs.shape, context) else { return }
        let values = try work.prepare("SELECT DISTINCT value FROM \(onlySource)")
        while try values.step() {
            guard try removed.has(RowIdentifier(table: target.parent.name, identity: [values.value(0)])) else {
                continue
            }
            try note.bind([values.value(0)])
            try note.run()
        }
    }

    /// Gives parents that only the source has unused values, if another parent has theirs.
    private func giveNewValues(
        _ work: SQLiteConnection, of source: SQLiteConnection, _ cloud: SQLiteConnection,
        _ change: borrowing SQLiteCursor, areIdentifiers: Bool
    ) throws(GodwitError) {
        let rows = try work.prepare(
            """
            SELECT key, value FROM \(onlySource) WHERE value IN (SELECT value FROM \(taken))
            ORDER BY key COLLATE \(table.collation), typeof(key)
            """)
        var numbers: NewNumbers?
        while try rows.step() {
            let (key, old) = (rows.value(0), rows.value(1))
            if !areIdentifiers {
                guard try mustReplace(old, in: work, cloud) else { continue }
            }
            let new: Value
            switch old {
            case .null: continue
            case .text: new = .string(Self.identifier(target.parent.name, key).text)
            case .blob: new = .blob(Self.identifier(target.parent.name, key).bytes)
            case .integer, .real:
                var known: NewNumbers
                if let numbers {
                    known = numbers
                } else {
                    known = try NewNumbers(above: columns, in: [work, cloud])
                    try known.skipGiven(target, in: [source, cloud])
                }
                new = .integer(try known.next(cloud))
                numbers = known
            }
            try change.bind([key, old, new])
            try change.run()
        }
    }

    /// Whether a value that does not identify rows must be replaced: one parent in each store has it, and a reference
    /// contains it, which would then refer to both.
    ///
    /// Throws (65) if it is not a number, because a code or a name describes its record.
    private func mustReplace(
        _ value: Value, in work: SQLiteConnection, _ cloud: SQLiteConnection
    ) throws(GodwitError) -> Bool {
        let (parent, column) = (target.parent.name, target.column)
        // Several records may share a reference of their own.
        guard !held.contains(where: { $0.isHeld(by: parent, column) }) else { return false }
        for store in [work, cloud] {
            let rows = try store.source(parent)
            let count = "SELECT count(*) FROM \(rows) WHERE \(quoted(column)) IS ? COLLATE BINARY"
            guard try store.first(count, [value]) == .integer(1) else { return false }
        }
        guard let child = try holder(of: value, in: [work, cloud]) else { return false }
        switch value {
        case .integer, .real: return true
        default: break
        }
        throw GodwitError(
            .copy, .data,
            "a record of `\(parent)` in `\(work.name)` has the same `\(column)` as another one in "
                + "`\(cloud.name)`, and `\(child)` refers to `\(parent)` by `\(column)`; nothing was changed",
            hint:
                "Give one of them another `\(column)` in the app, or name a column in `by` that identifies "
                + "the records of `\(parent)`.")
    }

    /// A table with a record that refers to a parent by this value.
    private func holder(of value: Value, in stores: [SQLiteConnection]) throws(GodwitError) -> String? {
        for store in stores {
            let shape = try store.readShape()
            for one in held where one.holds(target.column, of: target.parent.name) {
                guard shape.table(named: one.table)?.column(named: one.column) != nil else { continue }
                let found = try store.first(
                    "SELECT 1 FROM \(store.source(one.table)) WHERE \(quoted(one.column)) = ? COLLATE BINARY LIMIT 1",
                    [value]
                )
                if found != nil { return one.table }
            }
        }
        return nil
    }

    /// The parent's column, and every column that contains its values.
    private var columns: [(table: String, column: String)] {
        [(target.parent.name, target.column)]
            + held.filter { $0.holds(target.column, of: target.parent.name) }.map { ($0.table, $0.column) }
    }

    /// A UUID derived from entity and key, equal on every device: version 8 of RFC 9562, section 5.8.
    static func identifier(_ entity: String, _ key: Value) -> (bytes: [UInt8], text: String) {
        let hash = sha256Hex(Array("godwit:\(entity):".utf8) + TypedJSON.array(of: [key])).utf8
        var bytes: [UInt8] = []
        for place in 0..<16 {
            let digits = hash.dropFirst(place * 2).prefix(2)
            bytes.append(UInt8(String(decoding: Array(digits), as: UTF8.self), radix: 16) ?? 0)
        }
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Array("0123456789ABCDEF".utf8)
        var text: [UInt8] = []
        for (place, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(place) { text.append(0x2D) }
            text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return (bytes, String(decoding: text, as: UTF8.self))
    }

    private func make(in store: SQLiteConnection) throws(GodwitError) {
        let (key, value) = (type(of: target.parent.key), type(of: target.column))
        try store.execute("CREATE TABLE \(name)(key \(key), old \(value), new \(value))")
        try store.execute("CREATE INDEX \(name)_key ON \(name)(key)")
        try store.execute("CREATE INDEX \(name)_old ON \(name)(old)")
    }

    private func type(of column: String) -> String {
        table.shape.column(named: column)?.affinity(inStrict: table.shape.isStrict).typeName ?? "BLOB"
    }

    // MARK: Applying it

    /// Copies the map to another private store.
    func copy(from store: SQLiteConnection, to other: SQLiteConnection) throws(GodwitError) {
        try make(in: other)
        let rows = try store.prepare("SELECT key, old, new FROM \(name) ORDER BY rowid")
        let insertion = try other.prepare("INSERT INTO \(name) VALUES (?, ?, ?)")
        while try rows.step() {
            try insertion.bind(rows.row())
            try insertion.run()
        }
    }

    /// Sets the new values of parents and of the references to them.
    func apply(to store: SQLiteConnection) throws(GodwitError) {
        guard try store.first("SELECT 1 FROM \(name) LIMIT 1") != nil else { return }
        let shape = try store.readShape()
        let (parent, key, column) = (table.name, table.key, quoted(target.column))
        let isSame = "\(name).key IS \(parent).\(key) COLLATE BINARY AND typeof(\(name).key) = typeof(\(parent).\(key))"
        try store.execute(
            """
            UPDATE \(parent) SET \(column) = (SELECT new FROM \(name) WHERE \(isSame))
            WHERE EXISTS (SELECT 1 FROM \(name) WHERE \(isSame))
            """)
        var waiting = held.filter { $0.holds(target.column, of: target.parent.name) }
        var done: [HeldColumn] = []
        while let next = waiting.popLast() {
            guard !done.contains(where: { $0.isHeld(by: next.table, next.column) }) else { continue }
            done.append(next)
            guard shape.table(named: next.table)?.column(named: next.column) != nil else { continue }
            let (child, place) = (quoted(next.table), "\(quoted(next.table)).\(quoted(next.column))")
            let holds = "\(name).old = \(place) COLLATE BINARY"
            try store.execute(
                """
                UPDATE \(child) SET \(quoted(next.column)) =
                  (SELECT new FROM \(name) WHERE \(holds) ORDER BY \(name).rowid LIMIT 1)
                WHERE EXISTS (SELECT 1 FROM \(name) WHERE \(holds))
                """)
            // References to this column must follow it.
            waiting += held.filter { $0.holds(next.column, of: next.table) }
        }
    }
}
