/// The parent's column that a reference uses.
extension Manifest {
    /// The parent's column whose value a reference stores: the column that it names, or the parent's key.
    ///
    /// - Returns: nil if the manifest has no such parent.
    package func parentColumn(of reference: Reference) -> String? {
        guard let parent = entity(named: reference.parent) else { return nil }
        return reference.by ?? parent.key
    }

    /// Returns the manifest with `by` set, from the foreign keys of the schema, in each reference that does not set it.
    package func naming(_ keys: [ReferenceColumns]) -> Manifest {
        var manifest = self
        for index in manifest.entities.indices {
            let name = manifest.entities[index].name
            for referenceIndex in manifest.entities[index].belongsTo.indices {
                let reference = manifest.entities[index].belongsTo[referenceIndex]
                guard reference.by == nil, let key = entity(named: reference.parent)?.key else { continue }
                let declared = keys.filter { $0.isDeclared(for: reference, of: name) }
                // A foreign key to the parent's key is the default.
                guard let first = declared.first, !declared.contains(where: { $0.parentColumn.isSameName(as: key) })
                else { continue }
                manifest.entities[index].belongsTo[referenceIndex].by = first.parentColumn
            }
        }
        return manifest
    }
}

/// A foreign key with one column, as a schema declares it.
package struct ReferenceColumns: Sendable, Hashable {
    package let table: String
    package let column: String
    package let parent: String
    package let parentColumn: String

    package init(table: String, column: String, parent: String, parentColumn: String) {
        (self.table, self.column) = (table, column)
        (self.parent, self.parentColumn) = (parent, parentColumn)
    }

    fileprivate func isDeclared(for reference: Reference, of entity: String) -> Bool {
        table.isSameName(as: entity) && column.isSameName(as: reference.column)
            && parent.isSameName(as: reference.parent)
    }
}
