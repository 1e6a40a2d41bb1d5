package import GodwitModel

extension Manifest {
    /// Returns the manifest with the fallbacks of its sources in their stored form.
    ///
    /// Throws (78) at the first default or target of a value map that its column cannot hold by the rules for values.
    package func storingValues(as schema: SchemaShape) throws(GodwitError) -> Manifest {
        for (index, rule) in legacy.settings.enumerated() {
            let path = "legacy.settings[\(index)]"
            let column = Column(rule.entity, rule.column, in: schema)
            if let value = rule.defaultValue { _ = try store(value, in: column, at: "\(path).default") }
            for mapping in rule.values ?? [] {
                _ = try store(mapping.to, in: column, at: "\(path).values.\(mapping.spelling)")
            }
        }
        var manifest = self
        for (index, entity) in entities.enumerated() {
            guard var source = entity.source else { continue }
            for (number, field) in source.fields.enumerated() {
                guard let value = field.givenFallback else { continue }
                source.fields[number].fallback = try store(
                    value, in: Column(entity.name, field.column, in: schema),
                    at: "entities.\(entity.name).source.fields.\(field.column).default")
            }
            manifest.entities[index].source = source
        }
        return manifest
    }

    private struct Column {
        let name: String
        let type: DeclaredType

        init(_ entity: String, _ column: String, in schema: SchemaShape) {
            name = "\(entity).\(column)"
            type = schema.declaredType(of: column, in: entity)
        }
    }

    private func store(_ value: ManifestValue, in column: Column, at path: String) throws(GodwitError) -> Value {
        switch SettingCoercion.coerce(given: value, into: column.type) {
        case .exact(let stored), .coerced(let stored, _, _): return stored
        case .unsupported(let reason):
            throw refusal(
                of: path, "\(named(value.text)) can't be stored in \(named(column.name)): \(reason)",
                hint: "Write a value that fits \(column.type.columnName), or change the column in a schema file.")
        }
    }
}
