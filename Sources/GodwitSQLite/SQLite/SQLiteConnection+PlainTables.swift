package import GodwitModel

/// Tables for records in a private store while a command runs.
extension SQLiteConnection {
    /// Creates a table for each entity of a schema, with its columns and affinities, but without keys, checks and
    /// triggers.
    ///
    /// Invariant: a value that a column of the schema stores is stored here unchanged.
    package func makePlainTables(for entities: [Entity], in shape: SchemaShape) throws(GodwitError) {
        for (number, entity) in entities.enumerated() {
            guard let table = shape.table(named: entity.name) else { continue }
            let columns = table.storedColumns.map { column in
                "\(quoted(column.name)) \(column.affinity(inStrict: table.isStrict).typeName)"
                    + (column.constantDefault.map { " DEFAULT \($0)" } ?? "")
            }
            try execute("CREATE TABLE \(quoted(table.name))(\(columns.joined(separator: ", ")))")
            let indexed = Self.comparedColumns(of: entity, among: entities).filter { table.column(named: $0) != nil }
            for (index, name) in indexed.enumerated() {
                try execute(
                    "CREATE INDEX \(quoted("source_\(number)_\(index)")) ON \(quoted(table.name))(\(quoted(name)))")
            }
        }
    }

    /// The columns that are compared between two stores, or that identify parents.
    private static func comparedColumns(of entity: Entity, among entities: [Entity]) -> [String] {
        var columns = [entity.key]
        let named = entities.flatMap(\.belongsTo).filter { $0.parent == entity.name }.compactMap(\.by)
        for name in entity.belongsTo.map(\.column) + named where !columns.contains(where: { $0.isSameName(as: name) }) {
            columns.append(name)
        }
        return columns
    }
}

extension WorkingStore {
    /// A private store with copies of the records of some entities, in such tables, with the same rowids.
    package static func copy(
        of source: SQLiteConnection, entities: [Entity], cancellation: Cancellation
    ) throws(GodwitError) -> WorkingStore {
        let store = try WorkingStore(
            stage: source.stage, cancellation: cancellation, name: source.name, isUTF16: source.isUTF16)
        let (shape, target) = (try source.readShape(), store.connection)
        try target.makePlainTables(for: entities, in: shape)
        let made = try target.readShape()
        for entity in entities {
            guard let table = shape.table(named: entity.name), let copied = made.table(named: entity.name) else {
                continue
            }
            var (names, wanted) = (
                copied.storedColumns.map { quoted($0.name) }, table.storedColumns.map { quoted($0.name) }
            )
            if let rowid = table.rowidName, let own = copied.rowidName {
                names.append(own)
                wanted.append(rowid)
            }
            let rows = try source.prepare(
                "SELECT \(wanted.joined(separator: ", ")) FROM \(source.source(table.name))")
            let insertion = try target.prepare(
                """
                INSERT INTO \(quoted(copied.name))(\(names.joined(separator: ", ")))
                VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))
                """)
            var done = 0
            while try rows.step() {
                for index in names.indices { try insertion.bind(column: index, of: rows, at: index + 1) }
                try insertion.run()
                done += 1
                if done & 1023 == 0 { try cancellation.check(source.stage) }
            }
        }
        return store
    }
}

extension ColumnAffinity {
    /// A declared type with this affinity.
    package var typeName: String {
        switch self {
        case .text: "TEXT"
        case .numeric: "NUMERIC"
        case .integer: "INTEGER"
        case .real: "REAL"
        case .blob: "BLOB"
        }
    }
}
