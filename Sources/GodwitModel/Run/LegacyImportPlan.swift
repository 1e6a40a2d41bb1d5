/// The records in the store that a legacy import could meet.
package struct LegacyTargets: Sendable {
    /// The tables, for the types of columns.
    package let shape: SchemaShape
    /// Keys of existing records by entity; only for entities that legacy keys fill.
    package let keys: [String: Set<Value>]

    package init(shape: SchemaShape, keys: [String: Set<Value>]) {
        (self.shape, self.keys) = (shape, keys)
    }

    package func hasRecords(_ entity: String) -> Bool { !(keys[entity] ?? []).isEmpty }
}

/// What a legacy import writes, and the outcome of each key.
///
/// It is decided from values only; `LegacyInsertion` writes it.
package struct LegacyImportPlan: Sendable {
    package var sources: [RunReport.Legacy.Source] = []
    package var ledger: [RunReport.Legacy.Key] = []
    package var records: [PlannedRecord] = []
    /// Whether a file has a key that the manifest maps into the store; without one, there is nothing to complete.
    package var hasMappedKeys = false

    package init() {}
}

package struct PlannedRecord: Sendable, Equatable {
    package let entity: String
    package let columns: [String]
    package let values: [Value]

    package init(entity: String, columns: [String], values: [Value]) {
        (self.entity, self.columns, self.values) = (entity, columns, values)
    }
}
