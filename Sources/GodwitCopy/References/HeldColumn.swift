internal import GodwitModel
internal import GodwitSQLite

/// A column that contains values of a parent's column: by the manifest, or by a foreign key of one of the stores.
struct HeldColumn: Hashable {
    let table: String
    let column: String
    let parent: String
    let parentColumn: String

    /// Compares names as SQLite does.
    func isHeld(by table: String, _ column: String) -> Bool {
        self.table.isSameName(as: table) && self.column.isSameName(as: column)
    }

    /// Whether it contains values of this column of this parent.
    func holds(_ column: String, of parent: String) -> Bool {
        self.parent.isSameName(as: parent) && parentColumn.isSameName(as: column)
    }

    /// All such columns of a manifest's entities, in its order.
    static func all(
        in manifest: Manifest, _ stores: [SQLiteConnection]
    ) throws(GodwitError) -> [HeldColumn] {
        var found: [HeldColumn] = []
        func add(_ held: HeldColumn) {
            let isKnown = found.contains {
                $0.isHeld(by: held.table, held.column) && $0.holds(held.parentColumn, of: held.parent)
            }
            if !isKnown { found.append(held) }
        }
        for entity in manifest.entities {
            for reference in entity.belongsTo {
                guard let column = manifest.parentColumn(of: reference) else { continue }
                add(
                    HeldColumn(
                        table: entity.name, column: reference.column, parent: reference.parent, parentColumn: column))
            }
        }
        func name(_ table: String) -> String? { manifest.entities.first { $0.name.isSameName(as: table) }?.name }
        for store in stores {
            for key in try store.readReferenceColumns(store.readShape()) {
                guard let table = name(key.table), let parent = name(key.parent) else { continue }
                add(HeldColumn(table: table, column: key.column, parent: parent, parentColumn: key.parentColumn))
            }
        }
        return found
    }
}
