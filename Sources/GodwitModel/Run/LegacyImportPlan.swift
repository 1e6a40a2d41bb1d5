/// The records in the store that a legacy import could meet.
package struct LegacyTargets: Sendable {
    /// The tables, for the types of columns.
    package let shape: SchemaShape
    /// Keys of existing records by entity; only for entities that legacy keys fill.
    package let keys: [String: Set<Value>]
    /// Columns that are NULL in all existing records, by entity, folded; only columns that legacy keys fill.
    private let unfilled: [String: Set<[UInt8]>]

    package init(shape: SchemaShape, keys: [String: Set<Value>], unfilled: [String: Set<[UInt8]>] = [:]) {
        (self.shape, self.keys, self.unfilled) = (shape, keys, unfilled)
    }

    /// Whether there are records of the entity, and none has a value in the column.
    package func isUnfilled(_ column: String, of entity: String) -> Bool {
        hasRecords(entity) && unfilled[entity]?.contains(column.foldedName) == true
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
