package import GodwitModel

/// Checks a manifest against the tables of its schema files: every column that it names must exist.
extension Manifest {
    /// Throws at the first entity, column or legacy target that the schema does not have.
    ///
    /// Names are compared as SQLite compares them, ignoring ASCII case. Views and virtual tables are rejected because
    /// reading them runs code, and generated columns because their values cannot be set.
    package func validate(against schema: SchemaShape) throws(GodwitError) {
        for entity in entities {
            let path = "entities.\(entity.name)"
            let table = try table(of: entity, in: schema)
            try check(entity.key, of: table, at: "\(path).key")
            try checkFixedKey(of: entity, in: table, at: "\(path).singleton")
            if let modified = entity.modified {
                let partPath = "\(path).modified"
                let isMapping = positions["\(partPath).column"] != nil
                try check(modified.column, of: table, at: isMapping ? "\(partPath).column" : partPath)
            }
            for reference in entity.belongsTo {
                let partPath = "\(path).belongsTo.\(reference.column)"
                try check(reference.column, of: table, at: "\(partPath)#key")
                try checkNull(reference, of: entity, in: table, at: "\(partPath).missing")
                guard let by = reference.by, let parent = self.entity(named: reference.parent) else { continue }
                try check(by, of: self.table(of: parent, in: schema), at: "\(partPath).by")
            }
            if let source = entity.source { try check(source, of: table, at: "\(path).source.fields") }
        }
        for (number, rule) in legacy.settings.enumerated() {
            try checkTarget(rule.entity, rule.column, in: schema, at: "legacy.settings[\(number)].into")
        }
        for (number, rule) in legacy.favorites.enumerated() {
            try checkTarget(rule.entity, rule.column, in: schema, at: "legacy.favorites[\(number)].into")
        }
    }

    /// Throws if a column with `missing: setNull` cannot hold NULL or is the key.
    private func checkNull(
        _ reference: Reference, of entity: Entity, in table: TableShape, at path: String
    ) throws(GodwitError) {
        guard reference.missing == .setNull, let column = table.column(named: reference.column) else { return }
        let isKey = reference.column.isSameName(as: entity.key) || column.primaryKeyIndex > 0
        guard isKey || column.isNotNull else { return }
        throw refusal(
            of: path,
            "\(named(column.name)) of \(named(table.name)) can't be set to NULL: it "
                + "\(isKey ? "is the key" : "is NOT NULL")",
            hint: "Write `missing: setAside` to keep such records out of the cloud store.")
    }

    /// Throws if a field names an unknown column, or if a column that needs a value has no field.
    private func check(_ source: RecordSource, of table: TableShape, at path: String) throws(GodwitError) {
        for field in source.fields { try check(field.column, of: table, at: "\(path).\(field.column)#key") }
        let empty = table.storedColumns.first { column in
            column.isNotNull && column.constantDefault == nil && source.field(for: column.name) == nil
        }
        guard let empty else { return }
        throw refusal(
            of: "\(path)#key",
            "no field fills the column \(named(empty.name)) of \(named(table.name)), which can't be NULL",
            hint: "Add a field for it, or give the column a plain default in a schema file.")
    }

    private func table(of entity: Entity, in schema: SchemaShape) throws(GodwitError) -> TableShape {
        if let table = schema.table(named: entity.name) { return table }
        let partPath = "entities.\(entity.name)#key"
        if schema.views.contains(where: { $0.isSameName(as: entity.name) }) {
            throw refusal(
                of: partPath, "\(named(entity.name)) is a view", hint: "Name the table that holds the records.")
        }
        if schema.virtualTables.contains(where: { $0.isSameName(as: entity.name) }) {
            throw refusal(
                of: partPath, "\(named(entity.name)) is a virtual table",
                hint: "Name the table that holds the records.")
        }
        let names = schema.tables.map(\.name)
        throw refusal(
            of: partPath, "the schema has no table \(named(entity.name))",
            hint: NearestName.hint(for: entity.name, among: names) ?? Self.known("Use one of its tables:", names))
    }

    private func check(_ column: String, of table: TableShape, at path: String) throws(GodwitError) {
        guard let shape = table.column(named: column) else {
            let names = table.storedColumns.map(\.name)
            throw refusal(
                of: path, "the table \(named(table.name)) has no column \(named(column))",
                hint: NearestName.hint(for: column, among: names) ?? Self.known("Use one of its columns:", names))
        }
        guard !shape.isGenerated else {
            throw refusal(
                of: path, "the column \(named(column)) of \(named(table.name)) is generated",
                hint: "Name a column that stores its value.")
        }
    }

    /// A rowid holds only whole numbers: <https://sqlite.org/lang_createtable.html#rowid>.
    private func checkFixedKey(of entity: Entity, in table: TableShape, at path: String) throws(GodwitError) {
        guard let text = entity.singleton, let column = table.column(named: entity.key), Int64(text) == nil else {
            return
        }
        let isRowid =
            column.type.lowercased() == "integer" && column.primaryKeyIndex == 1 && !table.isWithoutRowid
            && table.columns.filter { $0.primaryKeyIndex > 0 }.count == 1
        guard isRowid || (table.isStrict && ["int", "integer"].contains(column.type.lowercased())) else { return }
        throw refusal(
            of: path, "\(named(text)) can't be the key of \(named(entity.name)), whose column holds whole numbers",
            hint: "Write a whole number, as in `singleton: \"1\"`.")
    }

    private func checkTarget(
        _ entity: String, _ column: String, in schema: SchemaShape, at path: String
    ) throws(GodwitError) {
        guard let table = schema.table(named: entity) else {
            throw refusal(of: path, "the schema has no table \(named(entity))")
        }
        try check(column, of: table, at: path)
    }

    /// A list of ten names at most.
    private static func known(_ beginning: String, _ names: [String]) -> String? {
        guard !names.isEmpty else { return nil }
        let shown = names.prefix(10).map { named($0) }.joined(separator: ", ")
        return "\(beginning) \(shown)\(names.count > 10 ? " …" : "")."
    }
}
