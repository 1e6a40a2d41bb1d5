internal import GodwitLedger
internal import GodwitModel
internal import GodwitSQLite
internal import GodwitSchema

/// Checks before the first write if a store can be adopted at a given version.
struct AdoptionRequirements: RunStep {
    let stores: StoreOpener

    /// Throws (65) if an entity of the local store has a column that no schema file makes: the cloud store could not take it,
    /// and the copy would stop after the adoption was committed.
    func requireKnownColumns(_ survey: ContainerSurvey) throws(GodwitError) {
        guard let version = options.baseline, schemaFiles.shapes.indices.contains(version), isLocalWritable,
            survey.hasLocal, !survey.isFlagSet
        else { return }
        let local = try stores.snapshot(.local, .schema)
        guard try local.connection.readHistory() == nil else { return }
        let shape = try local.connection.readShape()
        var known = [schemaFiles.shapes[version], schemaFiles.shape]
        if survey.hasCloud {
            let cloud = try stores.snapshot(.cloud, .schema)
            known.append(try cloud.connection.readShape())
        }
        for entity in manifest.entities {
            guard let table = shape.table(named: entity.name) else { continue }
            for column in table.storedColumns
            where !known.contains(where: { $0.table(named: entity.name)?.column(named: column.name) != nil }) {
                throw GodwitError(
                    .schema, .data,
                    "no schema file makes the column `\(entity.name).\(column.name)` of `\(files.local.name)`, so the "
                        + "cloud store could not take it; nothing was written",
                    hint: "Add the column to the schema file that makes the table, then run the same command again.")
            }
        }
    }
}
