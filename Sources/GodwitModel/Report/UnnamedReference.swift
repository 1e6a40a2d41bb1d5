/// A column that seems to hold a parent's primary key though neither the manifest nor a foreign key says so.
///
/// When the parent is removed as a duplicate or merged into another record, such records lose their parent.
package struct UnnamedReference: Sendable, Codable, Hashable {
    /// The entity with the column, or a table that is not an entity.
    package var entity: String
    /// The column.
    package var column: String
    /// The entity whose primary keys the column holds.
    package var parent: String
    /// The parent's primary key.
    package var by: String

    /// A column of an entity.
    package init(entity: String, column: String, parent: String, by: String) {
        (self.entity, self.column, self.parent, self.by) = (entity, column, parent, by)
    }

    package var warning: Warning {
        Warning("unnamedReference", message, hint: hint)
    }

    private var message: String {
        "`\(entity).\(column)` has the \(by) of \(parent) records that are removed as duplicates or merged "
            + "into others, but the manifest does not name this reference: its records would lose their \(parent)"
    }

    private var hint: String {
        "Add to the entity \(entity) in the manifest (name the table as an entity first if it is not one): "
            + "belongsTo: { \(column): { entity: \(parent), by: \(by) } }."
    }
}
