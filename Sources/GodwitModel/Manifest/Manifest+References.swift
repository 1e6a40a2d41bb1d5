/// Which column of its parent a reference holds.
extension Manifest {
    /// The parent's column that the column of a reference holds: the one it names, else the parent's key.
    ///
    /// - Returns: nil if the manifest has no such parent.
    package func parentColumn(of reference: Reference) -> String? {
        guard let parent = entity(named: reference.parent) else { return nil }
        return reference.by ?? parent.key
    }

    /// The same manifest, in which a reference that names no column of its parent holds the one that a foreign key of the
    /// schema declares for it.
    package func naming(_ keys: [ReferenceColumns]) -> Manifest {
        var manifest = self
        for index in manifest.entities.indices {
            let name = manifest.entities[index].name
            for place in manifest.entities[index].belongsTo.indices {
                let reference = manifest.entities[index].belongsTo[place]
                guard reference.by == nil, let key = entity(named: reference.parent)?.key else { continue }
                let declared = keys.filter { $0.isDeclared(for: reference, of: name) }
                // One to the parent's key is the default in any case.
                guard let first = declared.first, !declared.contains(where: { $0.parentColumn.isSameName(as: key) })
                else { continue }
                manifest.entities[index].belongsTo[place].by = first.parentColumn
            }
        }
        return manifest
    }
}

/// A foreign key of one column, as a schema declares it.
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
