internal import GodwitModel
internal import GodwitSQLite

/// How to insert the records of an announced entity into a table; depends on values only.
struct RestorationPlan {
    struct Column {
        let name: String
        /// Index of its parameter, from 1; 0 for a column that SQLite computes.
        let parameter: Int
        let affinity: ColumnAffinity
    }

    let entity: DocumentEntity
    let table: TableShape
    let columns: [Column]

    /// Throws 65 if the table does not have exactly the announced columns.
    ///
    /// - Parameter version: the table's schema version, for messages.
    init(_ entity: DocumentEntity, in shape: SchemaShape, version: Int) throws(GodwitError) {
        guard let table = shape.table(named: entity.name) else {
            throw Self.misfit("there is no table '\(entity.name)'", version)
        }
        var columns: [Column] = []
        var parameters = 0
        // Compares bytes: Swift's strings are equal in every Unicode form, but names in SQLite are not.
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

    /// The columns that get values, in the order of their parameters, quoted for SQL.
    var insertedColumns: [String] { columns.filter { $0.parameter > 0 }.map { quoted($0.name) } }

    private static func misfit(_ what: String, _ version: Int) -> GodwitError {
        GodwitError(
            .import, .data, "the export does not fit the schema at version \(version): \(what)",
            hint: "Use the manifest and the schema files of the app that it was exported from.")
    }
}
