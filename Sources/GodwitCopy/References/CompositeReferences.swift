package import GodwitModel
package import GodwitSQLite

/// Foreign keys of several columns that hold no key of an entity, in a merge of two stores.
///
/// Records are merged by key; so the same values may name one parent in the source and another one in the cloud store, and
/// the merge keeps one of the two. Such values are not translated, as those of one column are (`ReferenceTranslation`).
///
/// Invariant: no record that a merge leaves in the cloud store names another parent, known by its key, than in its own store.
package struct CompositeReferences {
    private let manifest: Manifest
    private let source: SQLiteConnection
    private let cloud: SQLiteConnection

    package init(manifest: Manifest, source: SQLiteConnection, cloud: SQLiteConnection) {
        (self.manifest, self.source, self.cloud) = (manifest, source, cloud)
    }

    /// Throws (65) if a record would name another parent after the merge.
    package func requireSameParents() throws(GodwitError) {
        let (shape, cloudShape) = (try source.readShape(), try cloud.readShape())
        for reference in try cloud.readCompositeReferences(cloudShape) {
            guard let parent = manifest.entities.first(where: { $0.name.isSameName(as: reference.parent) }),
                !reference.parentColumns.contains(where: { $0.isSameName(as: parent.key) }),
                let table = shape.table(named: parent.name),
                reference.parentColumns.allSatisfy({ table.column(named: $0) != nil }),
                !isTranslated(reference, to: parent)
            else { continue }
            let check = try Check(reference, parent, source, cloud, shape, cloudShape)
            let count = try check.strays(manifest, shape, cloudShape)
            guard count > 0 else { continue }
            let columns = reference.parentColumns.joined(separator: ", ")
            throw GodwitError(
                .copy, .data,
                "\(count.counted("record")) of \(reference.table) would refer to another \(parent.name) in \(cloud.name): "
                    + "both stores have records of \(parent.name) with the same values of \(columns) and different values of \(parent.key).",
                hint:
                    "Change \(columns) of one of them in the app, and of the records of \(reference.table) that refer to it."
            )
        }
    }

    /// Whether the manifest names a column of it, which alone tells the parent.
    private func isTranslated(_ reference: CompositeReference, to parent: Entity) -> Bool {
        let entity = manifest.entities.first { $0.name.isSameName(as: reference.table) }
        return entity?.belongsTo.contains { one in
            one.parent == parent.name && reference.columns.contains { $0.isSameName(as: one.column) }
        } ?? false
    }

    /// One such foreign key, and what its values name in each store.
    private struct Check {
        let reference: CompositeReference
        let parent: Entity
        let source: SQLiteConnection
        let cloud: SQLiteConnection
        private let mine: KeySearch
        private let theirs: KeySearch
        /// Whether the source's record of a key takes the place of the cloud's, or there is none.
        private let winners: SpillableRowMap

        init(
            _ reference: CompositeReference, _ parent: Entity, _ source: SQLiteConnection, _ cloud: SQLiteConnection,
            _ shape: SchemaShape, _ cloudShape: SchemaShape
        ) throws(GodwitError) {
            (self.reference, self.parent, self.source, self.cloud) = (reference, parent, source, cloud)
            let matches = reference.parentColumns.map { "\(quoted($0)) = ?" }.joined(separator: " AND ")
            let sql = "SELECT \(quoted(parent.key)) FROM \(quoted(parent.name)) WHERE \(matches) LIMIT 1"
            mine = KeySearch(try source.prepare(sql))
            theirs = KeySearch(try cloud.prepare(sql))
            winners = SpillableRowMap(stage: .copy, cancellation: Cancellation())
            let (winners, name) = (winners, parent.name)
            let list = parent.key
            try EntityComparison.meet(
                source.prepare(source.table(for: parent, in: shape).select(list, orderedBy: list, withDate: true)), 0,
                cloud.prepare(cloud.table(for: parent, in: cloudShape).select(list, orderedBy: list, withDate: true)), 0
            ) { order, mine, theirs throws(GodwitError) in
                guard order < 0 || order == 0 && parent.isReplaced(by: mine, theirs) else { return }
                try winners.note(of: RowIdentifier(table: name, identity: [mine.value(0)]))
            }
        }

        /// Records that would name another parent: those of the source that get into the cloud store, and those that stay there.
        func strays(
            _ manifest: Manifest, _ shape: SchemaShape, _ cloudShape: SchemaShape
        ) throws(GodwitError) -> Int {
            var count = 0
            let entity = manifest.entities.first { $0.name.isSameName(as: reference.table) }
            guard let entity, shape.table(named: entity.name) != nil else {
                let list = reference.columns.map(quoted).joined(separator: ", ")
                let rows = try cloud.prepare("SELECT \(list) FROM \(quoted(reference.table))")
                while try rows.step() {
                    if try isStray(rows.row(), isLocal: false) { count += 1 }
                }
                return count
            }
            let first = 2 + (entity.modified == nil ? 0 : 1)
            try EntityComparison.meet(
                source.prepare(select(entity, source.table(for: entity, in: shape))), 0,
                cloud.prepare(select(entity, cloud.table(for: entity, in: cloudShape))), 0
            ) { order, mine, theirs throws(GodwitError) in
                let isLocal = order < 0 || order == 0 && entity.isReplaced(by: mine, theirs)
                let row = isLocal ? mine.row() : theirs.row()
                if try isStray(Array(row[first...]), isLocal: isLocal) { count += 1 }
            }
            return count
        }

        /// The key twice, the date if there is one, and the columns of the reference, in the order of the keys.
        private func select(_ entity: Entity, _ table: EntityTable) -> String {
            let start = table.select(entity.key, orderedBy: entity.key, withDate: true)
            let columns = reference.columns.map { ", " + quoted($0) }.joined()
            return start.replacing(" FROM ", with: columns + " FROM ", maxReplacements: 1)
        }

        private func isStray(_ values: [Value], isLocal: Bool) throws(GodwitError) -> Bool {
            guard !values.contains(.null), let other = try theirs.key(values), let own = try mine.key(values),
                own != other
            else { return false }
            return try winners.has(RowIdentifier(table: parent.name, identity: [own])) != isLocal
        }
    }

    /// Finds the key of the record that has some values.
    private final class KeySearch {
        private let statement: SQLiteCursor

        init(_ statement: consuming SQLiteCursor) { self.statement = statement }

        func key(_ values: [Value]) throws(GodwitError) -> Value? {
            defer { statement.reset() }
            try statement.bind(values)
            return try statement.step() ? statement.value(0) : nil
        }
    }
}
