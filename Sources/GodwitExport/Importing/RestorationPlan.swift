internal import GodwitModel
internal import GodwitSQLite

/// How the records of an announced entity go into a table: decided here, from values alone.
struct RestorationPlan {
    /// What becomes of the value of an announced column.
    struct Column {
        let name: String
        /// The parameter it is bound to, from 1; 0 for a column that SQLite computes.
        let parameter: Int
        let affinity: ColumnAffinity
    }

    let entity: DocumentEntity
    let table: TableShape
    /// One for each announced column.
    let columns: [Column]

    /// Decides; 65 where the table has not exactly the columns that were announced.
    ///
    /// - Parameter version: the schema version the table stands at, for messages.
    init(_ entity: DocumentEntity, in shape: SchemaShape, version: Int) throws(GodwitError) {
        guard let table = shape.table(named: entity.name) else {
            throw Self.misfit("there is no table '\(entity.name)'", version)
        }
        var columns: [Column] = []
        var parameters = 0
        // By bytes: to Swift an é is an é in whatever way it is written, to SQLite it is not.
        var found: Set<[UInt8]> = []
        for announced in entity.columns {
            guard let column = table.column(named: announced.name), found.insert(Array(column.name.utf8)).inserted
            else {
                throw Self.misfit("table '\(entity.name)' has no column '\(announced.name)'", version)
            }
            guard column.isGenerated == announced.isGenerated else {
                let what = column.isGenerated ? "is generated" : "is not generated"
                throw Self.misfit("column '\(announced.name)' of '\(entity.name)' \(what)", version)
            }
            if !column.isGenerated { parameters += 1 }
            columns.append(
                Column(
                    name: announced.name, parameter: column.isGenerated ? 0 : parameters,
                    affinity: column.affinity(inStrict: table.isStrict)))
        }
        if let missing = table.storedColumns.first(where: { !found.contains(Array($0.name.utf8)) }) {
            throw Self.misfit("table '\(entity.name)' also has a column '\(missing.name)'", version)
        }
        (self.entity, self.table, self.columns) = (entity, table, columns)
    }

    /// The columns that get values, in the order of their parameters; ready for SQL.
    var insertedColumns: [String] { columns.filter { $0.parameter > 0 }.map { quoted($0.name) } }

    private static func misfit(_ what: String, _ version: Int) -> GodwitError {
        GodwitError(
            .import, .data, "The document does not fit the schema at version \(version): \(what).",
            hint: "Use the manifest and the schema files of the app that it was exported from.")
    }
}
