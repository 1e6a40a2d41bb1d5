internal import GodwitModel
internal import GodwitStore

extension ParentReference {
    /// All references to an entity's table: its foreign keys, and what the manifest says beyond them.
    static func all(
        to parent: EntityTable, in shape: SchemaShape, manifest: Manifest, _ connection: SQLiteConnection
    ) throws(GodwitError) -> [ParentReference] {
        var found: [ParentReference] = []
        for table in shape.tables {
            for columns in try foreignKeys(of: table, to: parent, connection) {
                found.append(try ParentReference(table, columns, isForeignKey: true, manifest, connection))
            }
        }
        for entity in manifest.entities {
            guard let table = shape.table(named: entity.name) else { continue }
            for reference in entity.belongsTo where reference.parent == parent.entity.name {
                _ = try connection.table(for: entity, in: shape)
                let pair = Pair(child: reference.column, parent: parent.keyIndex)
                let isKnown = found.contains {
                    $0.table == table.name && $0.columns.count == 1 && $0.columns[0].parent == pair.parent
                        && $0.columns[0].child.isSameName(as: pair.child)
                }
                if isKnown { continue }
                found.append(try ParentReference(table, [pair], isForeignKey: false, manifest, connection))
            }
        }
        return found
    }

    private init(
        _ table: TableShape, _ columns: [Pair], isForeignKey: Bool, _ manifest: Manifest,
        _ connection: SQLiteConnection
    ) throws(GodwitError) {
        self.table = table.name
        shape = table
        self.columns = columns
        self.isForeignKey = isForeignKey
        identity = try EntityTable.identity(of: table, store: connection.name, stage: connection.stage)
        identityColumns = try connection.identityColumns(of: table)
        let entity = manifest.entities.first { table.name.isSameName(as: $0.name) }
        isEntity = entity != nil
        bookName = entity?.name ?? table.name
        key = entity.flatMap { table.column(named: $0.key) }.map { quoted($0.name) } ?? identity[0]
    }

    /// `PRAGMA foreign_key_list`: id, seq, table, from, to (NULL: the primary key), …; <https://sqlite.org/pragma.html>.
    private static func foreignKeys(
        of table: TableShape, to parent: EntityTable, _ connection: SQLiteConnection
    ) throws(GodwitError) -> [[Pair]] {
        let primaryKey = parent.shape.columns.filter { $0.primaryKeyPlace > 0 }
            .sorted { $0.primaryKeyPlace < $1.primaryKeyPlace }.map(\.name)
        var keys: [Value: [(place: Value, pair: Pair)]] = [:]
        for row in try connection.rows("PRAGMA foreign_key_list(\(quoted(table.name)))")
        where row[2].readable.isSameName(as: parent.entity.name) {
            guard case .integer(let place) = row[1], place < primaryKey.count || row[4] != .null else { continue }
            let target = row[4] == .null ? primaryKey[Int(place)] : row[4].readable
            guard let index = parent.columns.firstIndex(where: { $0.isSameName(as: target) }) else {
                throw GodwitError(
                    .dedupe, .data,
                    "\(table.name) refers to \(parent.entity.name).\(target), which is no stored column.",
                    hint: "Godwit can't point its rows at another record; change the schema.")
            }
            keys[row[0], default: []].append((row[1], Pair(child: row[3].readable, parent: index)))
        }
        return keys.sorted { $0.key < $1.key }.map { $0.value.sorted { $0.place < $1.place }.map(\.pair) }
    }
}
