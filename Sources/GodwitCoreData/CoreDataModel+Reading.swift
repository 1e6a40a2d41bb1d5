package import GodwitModel
package import GodwitSQLite

/// Reads the model from a store: its schema, `Z_PRIMARYKEY`, `Z_METADATA`, and the number of records in each table.
extension SQLiteConnection {
    /// The model of a Core Data or SwiftData store; nil for other stores.
    ///
    /// - Parameter archives: reads property lists, for `Z_METADATA` and for the model in `Z_MODELCACHE`; without it,
    ///   both stay unknown.
    /// - Throws: 65 for invalid numbers of entities.
    package func readCoreDataModel(
        archives: CoreDataArchives? = nil
    ) throws(GodwitError) -> CoreDataModel? {
        let shape = try readShape()
        guard let primaryKey = shape.table(named: CoreDataTable.primaryKey), primaryKey.isPrimaryKeyOfCoreData else {
            return nil
        }
        let numbers = try readEntityNumbers(primaryKey)
        let indexes = try rows("SELECT name FROM sqlite_schema WHERE type = 'index'").map(
            \.[0].readable.asciiUppercased)
        var survey = CoreDataSurvey(shape: shape, numbers: numbers, indexes: Set(indexes))
        try survey.placeEntities { name in self.damaged(name) }
        for table in survey.entityTables { survey.counts[table] = try countByNumber(table, in: shape) }
        for table in survey.joinTables { survey.joinCounts[table] = try countRecords(of: table) }
        var model = survey.model
        if let archives {
            model.metadata = try readMetadata(shape, archives)
            if let known = try readArchivedModel(shape, archives)?.aligned(with: model) {
                var users: [String: [String: Set<Int64>]] = [:]
                for (table, columns) in model.contestedColumns(by: known)
                where shape.table(named: table)?.column(named: "Z_ENT") != nil {
                    users[table] = try readUsers(of: columns, in: table)
                }
                model = model.naming(by: known, users: users)
            }
        }
        return try conserving(model, shape)
    }

    /// The rows of `Z_PRIMARYKEY` in the order of their numbers; ignores rows without name or number.
    private func readEntityNumbers(_ table: TableShape) throws(GodwitError) -> [CoreDataSurvey.Number] {
        let superColumn = table.column(named: "Z_SUPER") == nil ? "NULL" : "Z_SUPER"
        let maxColumn = table.column(named: "Z_MAX") == nil ? "NULL" : "Z_MAX"
        let rows = try rows(
            "SELECT Z_ENT, Z_NAME, \(superColumn), \(maxColumn) FROM \(source(table.name)) "
                + "ORDER BY Z_ENT LIMIT \(CoreDataSurvey.mostEntities + 1)")
        guard rows.count <= CoreDataSurvey.mostEntities else { throw damaged("more entities than any model has") }
        return rows.compactMap { row in
            guard case .integer(let number) = row[0], case .text(let name) = row[1], !name.isEmpty else { return nil }
            var parent: Int64?
            if case .integer(let number) = row[2], number > 0 { parent = number }
            var highest: Int64 = 0
            if case .integer(let number) = row[3] { highest = number }
            return .init(
                number: number, name: String(decoding: name, as: UTF8.self), parent: parent, highestKey: highest)
        }
    }

    /// Number of records in a table by `Z_ENT`; nil for those without a number.
    private func countByNumber(_ table: String, in shape: SchemaShape) throws(GodwitError) -> [Int64?: Int64] {
        guard shape.table(named: table)?.column(named: "Z_ENT") != nil else {
            return [nil: try countRecords(of: table)]
        }
        let cursor = try prepare("SELECT Z_ENT, count(*) FROM \(source(table)) GROUP BY Z_ENT")
        var counts: [Int64?: Int64] = [:]
        while try cursor.step() {
            let number: Int64? = cursor.type(0) == .integer ? cursor.integer(0) : nil
            // Numbers beyond the limit are counted together.
            let isBounded = counts.count < CoreDataSurvey.mostEntities
            counts[isBounded ? number : nil, default: 0] += cursor.integer(1)
        }
        return counts
    }

    func damaged(_ what: String) -> GodwitError {
        GodwitError(
            stage, .data,
            "`\(name)`: the table of entities (Z_PRIMARYKEY) is damaged, or the store is not a Core "
                + "Data store",
            hint: "Open it in the app, or restore it from a backup.",
            underlying: what)
    }
}

enum CoreDataTable {
    static let primaryKey = "Z_PRIMARYKEY"
    static let metadata = "Z_METADATA"
    static let modelCache = "Z_MODELCACHE"
}

extension TableShape {
    fileprivate var isPrimaryKeyOfCoreData: Bool { column(named: "Z_ENT") != nil && column(named: "Z_NAME") != nil }
}
