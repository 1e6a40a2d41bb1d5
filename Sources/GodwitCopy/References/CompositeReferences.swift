package import GodwitModel
package import GodwitSQLite

/// Foreign keys of several columns without the key of an entity, in a merge of two stores.
///
/// Records are merged by key. So the same values may refer to one parent in the source and to another one in the cloud
/// store, and the merge keeps only one of the two. Such values are not translated, unlike those of one column
/// (`ReferenceTranslation`).
/// Invariant: after a merge, every record in the cloud store refers to the same parent, by its key, as in its own
/// store.
package struct CompositeReferences {
    private let manifest: Manifest
    private let source: SQLiteConnection
    private let cloud: SQLiteConnection

    package init(manifest: Manifest, source: SQLiteConnection, cloud: SQLiteConnection) {
        (self.manifest, self.source, self.cloud) = (manifest, source, cloud)
    }

    /// Throws (65) if a record would refer to another parent after the merge.
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
            let columns = reference.parentColumns.map { "`\($0)`" }.joined(separator: ", ")
            throw GodwitError(
                .copy, .data,
                "\(count.counted("record")) of `\(reference.table)` would refer to another `\(parent.name)` in "
                    + "`\(cloud.name)`: both stores have records of `\(parent.name)` with the same values of "
                    + "\(columns) and different values of `\(parent.key)`",
                hint:
                    "Change \(columns) of one of them in the app, and of the records of `\(reference.table)` "
                    + "that refer to it."
            )
        }
    }

    /// Whether the manifest has a reference with one of its columns, which is enough to identify the parent.
    private func isTranslated(_ reference: CompositeReference, to parent: Entity) -> Bool {
        let entity = manifest.entities.first { $0.name.isSameName(as: reference.table) }
        return entity?.belongsTo.contains { one in
            one.parent == parent.name && reference.columns.contains { $0.isSameName(as: one.column) }
        } ?? false
    }

    /// One such foreign key, with the parents that its values refer to in each store.
    private struct Check {
        let reference: CompositeReference
        let parent: Entity
        let source: SQLiteConnection
        let cloud: SQLiteConnection
        private let mine: KeySearch
        private let theirs: KeySearch
        /// Keys of parents whose local record replaces the cloud's, or that the cloud lacks.
        private let winners: SpillableRowMap

        init(
            _ reference: CompositeReference, _ parent: Entity, _ source: SQLiteConnection, _ cloud: SQLiteConnection,
            _ shape: SchemaShape, _ cloudShape: SchemaShape
        ) throws(GodwitError) {
            (self.reference, self.parent, self.source, self.cloud) = (reference, parent, source, cloud)
            let matches = reference.parentColumns.map { "\(quoted($0)) = ?" }.joined(separator: " AND ")
            func search(_ store: SQLiteConnection) throws(GodwitError) -> KeySearch {
                // For each record that refers to a parent.
                try store.useSoundIndexes(of: [parent.name])
                let rows = try store.source(parent.name)
                return KeySearch(
                    try store.prepare("SELECT \(quoted(parent.key)) FROM \(rows) WHERE \(matches) LIMIT 1"))
            }
            mine = try search(source)
            theirs = try search(cloud)
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

        /// Number of records that would refer to another parent: local ones that are copied, and cloud ones that stay.
        func strays(
            _ manifest: Manifest, _ shape: SchemaShape, _ cloudShape: SchemaShape
        ) throws(GodwitError) -> Int {
            var count = 0
            let entity = manifest.entities.first { $0.name.isSameName(as: reference.table) }
            guard let entity, shape.table(named: entity.name) != nil else {
                let list = reference.columns.map(quoted).joined(separator: ", ")
                let rows = try cloud.prepare("SELECT \(list) FROM \(cloud.source(reference.table))")
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

        /// The key twice, the date if there is one, and the columns of the reference, in key order.
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

    /// Finds the key of the record with certain values.
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
