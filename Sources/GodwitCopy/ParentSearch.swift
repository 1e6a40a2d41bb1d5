package import GodwitModel
package import GodwitSQLite

/// Finds orphans that a copy would add, before anything is written: among local records and planned records of the
/// import.
package struct ParentSearch {
    private let manifest: Manifest
    /// The stores that may contain the parent.
    private let stores: [(connection: SQLiteConnection, shape: SchemaShape)]
    private let planned: [PlannedRecord]
    /// Entities that are not copied, because they were before: of these only the parents in the cloud store count.
    private let uncopied: [Entity]

    /// - Parameter uncopied: entities whose parents must be in the last store.
    package init(
        manifest: Manifest, stores: [SQLiteConnection], planned: [PlannedRecord], uncopied: [Entity] = []
    ) throws(GodwitError) {
        (self.manifest, self.planned, self.uncopied) = (manifest, planned, uncopied)
        var read: [(SQLiteConnection, SchemaShape)] = []
        for store in stores { read.append((store, try store.readShape())) }
        self.stores = read
    }

    /// The orphans of each reference that has any, sorted by name.
    ///
    /// - Parameter local: the store whose records are copied; nil if there is none yet.
    package func orphans(in local: SQLiteConnection?) throws(GodwitError) -> [Orphans] {
        var found: [Orphans] = []
        for entity in manifest.entities.sorted(by: { $0.name < $1.name }) where !isUncopied(entity.name) {
            for reference in entity.belongsTo.sorted(by: { $0.column < $1.column }) where reference.missing == .refuse {
                var orphans = Orphans(entity, reference)
                if let local { try add(to: &orphans, entity, reference, in: local) }
                try addPlanned(to: &orphans, entity, reference)
                if orphans.count > 0 { found.append(orphans) }
            }
        }
        return found
    }

    private func add(
        to orphans: inout Orphans, _ entity: Entity, _ reference: Reference, in local: SQLiteConnection
    ) throws(GodwitError) {
        try visit(reference, entity, in: local) { key, _ in
            orphans.add(key)
            return true
        }
        guard orphans.count > 1 else { return }
        orphans.areAllReferences = try local.countReferences(of: reference, entity) == orphans.count
    }

    /// The identities of a table's rows without a parent, in key order.
    ///
    /// - Parameter most: maximum number of rows; nil for all.
    package func identities(
        of reference: Reference, _ entity: Entity, in local: SQLiteConnection, most: Int?
    ) throws(GodwitError) -> [[Value]] {
        var found: [[Value]] = []
        try visit(reference, entity, in: local) { _, identity in
            found.append(identity)
            return found.count < most ?? .max
        }
        return found
    }

    /// Calls a closure with key and identity of each row without a parent, until it returns false.
    private func visit(
        _ reference: Reference, _ entity: Entity, in local: SQLiteConnection,
        _ take: (_ key: Value, _ identity: [Value]) -> Bool
    ) throws(GodwitError) {
        let shape = try local.readShape()
        // SQLite would read an unknown quoted name as text; a schema file of this run may add the column.
        guard let table = shape.table(named: entity.name),
            [entity.key, reference.column].allSatisfy({ table.column(named: $0) != nil })
        else { return }
        if !isUncopied(reference.parent), let parent = manifest.entity(named: reference.parent),
            let own = shape.table(named: parent.name),
            own.column(named: reference.by ?? parent.key) == nil
        {
            return
        }
        let identity = try EntityTable.identity(of: table, store: local.name, stage: local.stage)
        var isFirst = true
        for rows in try suspects(reference, entity, in: local) {
            let key = quoted(entity.key)
            let found = try local.prepare(
                "SELECT \(key), \(quoted(reference.column)), \(identity.joined(separator: ", ")) FROM \(rows) "
                    + "ORDER BY \(key) COLLATE BINARY")
            while try found.step() {
                let row = found.row()
                if isFirst { try useParentIndexes(reference) }
                isFirst = false
                if try !hasParent(row[1], reference), !take(row[0], Array(row[2...])) { return }
            }
        }
    }

    /// The rows that may lack their parent: those whose parent is not in the same store, or all with a reference if only the
    /// cloud store can have it.
    private func suspects(
        _ reference: Reference, _ entity: Entity, in local: SQLiteConnection
    ) throws(GodwitError) -> [String] {
        guard !isUncopied(reference.parent) else {
            return ["\(try local.source(entity.name)) WHERE \(quoted(reference.column)) IS NOT NULL"]
        }
        var (one, child) = (manifest, entity)
        child.belongsTo = [reference]
        one.entities = manifest.entities.map { $0.name == entity.name ? child : $0.withoutReferences }
        var rows: [String] = []
        for column in try OrphanSearch(manifest: one).columns(in: local) where try column.mayHaveOrphans() {
            rows.append(column.orphans)
        }
        return rows
    }

    private func isUncopied(_ entity: String) -> Bool { uncopied.contains { $0.name == entity } }

    private func addPlanned(
        to orphans: inout Orphans, _ entity: Entity, _ reference: Reference
    ) throws(GodwitError) {
        for record in planned where record.entity == entity.name {
            guard let value = record.value(of: reference.column), value != .null else { continue }
            if try !hasParent(value, reference) { orphans.add(record.value(of: entity.key) ?? value) }
        }
    }

    /// Before parents are searched, one for each row.
    private func useParentIndexes(_ reference: Reference) throws(GodwitError) {
        guard let parent = manifest.entity(named: reference.parent) else { return }
        for (store, _) in stores { try store.useSoundIndexes(of: [parent.name]) }
    }

    private func hasParent(_ value: Value, _ reference: Reference) throws(GodwitError) -> Bool {
        guard let parent = manifest.entity(named: reference.parent) else { return false }
        let key = reference.by ?? parent.key
        if planned.contains(where: { $0.entity == parent.name && $0.value(of: key) == value }) { return true }
        let stores = isUncopied(reference.parent) ? stores.suffix(1) : stores[...]
        for (store, shape) in stores where shape.table(named: parent.name)?.column(named: key) != nil {
            let rows = try store.source(parent.name, in: "main")
            let sql = "SELECT 1 FROM \(rows) WHERE \(quoted(key)) = ? COLLATE BINARY LIMIT 1"
            if try store.first(sql, [value]) != nil { return true }
        }
        return false
    }
}

extension PlannedRecord {
    fileprivate func value(of column: String) -> Value? {
        columns.firstIndex { $0.isSameName(as: column) }.map { values[$0] }
    }
}

extension Entity {
    fileprivate var withoutReferences: Entity {
        var entity = self
        entity.belongsTo = []
        return entity
    }
}
