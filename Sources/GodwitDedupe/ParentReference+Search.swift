internal import GodwitModel
internal import GodwitSQLite

extension ParentReference {
    /// All references to an entity's table: its foreign keys, and other references in the manifest.
    static func all(
        to parent: EntityTable, in shape: SchemaShape, manifest: Manifest, _ connection: SQLiteConnection
    ) throws(GodwitError) -> [ParentReference] {
        var found: [ParentReference] = []
        for table in shape.tables {
            for columns in try foreignKeys(of: table, to: parent, connection) {
                found.append(try ParentReference(table, columns, isForeignKey: true, manifest, connection))
            }
        }
        let named = try named(to: parent, in: shape, manifest: manifest, connection)
        found += named.filter { one in
            !found.contains {
                $0.table == one.table && $0.columns.count == 1 && $0.columns[0].isSame(as: one.columns[0])
            }
        }
        for index in found.indices {
            found[index].dependents = try found[index].dependents(
                in: shape, manifest: manifest, connection, besides: [])
        }
        return found
    }

    /// The references in the manifest to an entity's table.
    private static func named(
        to parent: EntityTable, in shape: SchemaShape, manifest: Manifest, _ connection: SQLiteConnection
    ) throws(GodwitError) -> [ParentReference] {
        var found: [ParentReference] = []
        for entity in manifest.entities {
            guard let table = shape.table(named: entity.name) else { continue }
            for reference in entity.belongsTo where reference.parent == parent.entity.name {
                _ = try connection.table(for: entity, in: shape)
                let column = reference.by ?? parent.entity.key
                guard let place = parent.columns.firstIndex(where: { $0.isSameName(as: column) }) else {
                    throw noColumn(column, of: parent, table)
                }
                let pair = Pair(child: reference.column, parent: place)
                var one = try ParentReference(table, [pair], isForeignKey: false, manifest, connection)
                let primary = parent.shape.columns.filter { $0.primaryKeyIndex > 0 }
                one.mayBeShared =
                    place != parent.keyIndex && !(primary.count == 1 && primary[0].name.isSameName(as: column))
                found.append(one)
            }
        }
        return found
    }

    /// References in the manifest that contain the column which changes here, and must follow it.
    ///
    /// Those that are also foreign keys are left to SQLite, which propagates or refuses a new value.
    private func dependents(
        in shape: SchemaShape, manifest: Manifest, _ connection: SQLiteConnection, besides visited: Set<[UInt8]>
    ) throws(GodwitError) -> [ParentReference] {
        guard columns.count == 1, let entity = manifest.entities.first(where: { $0.name.isSameName(as: table) }) else {
            return []
        }
        let place = Array("\(bookName)\0\(columns[0].child)".utf8)
        guard !visited.contains(place) else { return [] }
        let own = try connection.table(for: entity, in: shape)
        var declared: [(table: String, columns: [Pair])] = []
        for table in shape.tables {
            declared += try Self.foreignKeys(of: table, to: own, connection).map { (table.name, $0) }
        }
        var found: [ParentReference] = []
        for var one in try Self.named(to: own, in: shape, manifest: manifest, connection)
        where own.columns[one.columns[0].parent].isSameName(as: columns[0].child) {
            let isDeclared = declared.contains {
                $0.table == one.table && $0.columns.count == 1 && $0.columns[0].isSame(as: one.columns[0])
            }
            if isDeclared { continue }
            one.dependents = try one.dependents(
                in: shape, manifest: manifest, connection, besides: visited.union([place]))
            found.append(one)
        }
        return found
    }

    private static func noColumn(_ column: String, of parent: EntityTable, _ table: TableShape) -> GodwitError {
        GodwitError(
            .dedupe, .data, "`\(table.name)` refers to `\(parent.entity.name).\(column)`, which is not a stored column",
            hint: "Change the schema, so that the reference names a stored column.")
    }

    private init(
        _ table: TableShape, _ columns: [Pair], isForeignKey: Bool, _ manifest: Manifest,
        _ connection: SQLiteConnection
    ) throws(GodwitError) {
        self.table = table.name
        shape = table
        (self.columns, self.isForeignKey) = (columns, isForeignKey)
        identity = try EntityTable.identity(of: table, store: connection.name, stage: connection.stage)
        identityColumns = try connection.identityColumns(of: table)
        let entity = manifest.entities.first { table.name.isSameName(as: $0.name) }
        conflicts = try ConflictClauses(of: table, in: connection)
        isEntity = entity != nil
        bookName = entity?.name ?? table.name
        key = entity.flatMap { table.column(named: $0.key) }.map { quoted($0.name) } ?? identity[0]
    }

    /// `PRAGMA foreign_key_list`: id, seq, table, from, to (NULL: the primary key), …;
    /// <https://sqlite.org/pragma.html>.
    private static func foreignKeys(
        of table: TableShape, to parent: EntityTable, _ connection: SQLiteConnection
    ) throws(GodwitError) -> [[Pair]] {
        let primaryKey = parent.shape.columns.filter { $0.primaryKeyIndex > 0 }
            .sorted { $0.primaryKeyIndex < $1.primaryKeyIndex }.map(\.name)
        var keys: [Value: [(place: Value, pair: Pair)]] = [:]
        for row in try connection.rows("PRAGMA foreign_key_list(\(quoted(table.name)))")
        where row[2].readable.isSameName(as: parent.entity.name) {
            guard case .integer(let place) = row[1], place < primaryKey.count || row[4] != .null else { continue }
            let target = row[4] == .null ? primaryKey[Int(place)] : row[4].readable
            guard let index = parent.columns.firstIndex(where: { $0.isSameName(as: target) }) else {
                throw noColumn(target, of: parent, table)
            }
            keys[row[0], default: []].append((row[1], Pair(child: row[3].readable, parent: index)))
        }
        return keys.sorted { $0.key < $1.key }.map { $0.value.sorted { $0.place < $1.place }.map(\.pair) }
    }
}
