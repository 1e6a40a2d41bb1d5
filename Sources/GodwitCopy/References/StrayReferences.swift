internal import GodwitModel
internal import GodwitSQLite

/// Records of the source whose parent does not exist there, but whose reference would refer to another record in the
/// cloud store, because rowids differ between stores.
struct StrayReferences {
    /// By `Entity.column`.
    var counts: [String: Int] = [:]
    /// Keys of the first of them, in the first column by name.
    var firstKeys: [String] = []

    var first: (name: String, count: Int)? {
        counts.min { $0.key < $1.key }.map { ($0.key, $0.value) }
    }
}

extension CopyStage {
    /// Counts them; throws (65) for any, unless orphans are permitted.
    func strays(in source: SQLiteConnection, _ cloud: SQLiteConnection) throws(GodwitError) -> StrayReferences {
        var found = StrayReferences()
        let (shape, cloudShape) = (try source.readShape(), try cloud.readShape())
        for entity in manifest.entities where shape.table(named: entity.name) != nil {
            for reference in entity.belongsTo {
                guard let parent = manifest.entity(named: reference.parent), let by = reference.by,
                    !by.isSameName(as: parent.key), shape.table(named: parent.name) != nil,
                    cloudShape.table(named: parent.name) != nil, cloudShape.table(named: entity.name) != nil
                else { continue }
                try find(reference, of: entity, parent, by, source, cloud, into: &found)
            }
        }
        guard !allowsOrphans, let first = found.first else { return found }
        let keys = found.firstKeys.map { "'\($0)'" }.joined(separator: ", ")
        throw GodwitError(
            .copy, .data,
            "\(first.count.counted("orphan")): `\(first.name)` refers to a record that does not exist in "
                + "\(keys)\(first.count > 3 ? " …" : ""); in the cloud store it would name another record",
            hint: "Correct them in the app, or copy them unchanged with \(name: .allowOrphans).")
    }

    private func find(
        _ reference: Reference, of entity: Entity, _ parent: Entity, _ by: String, _ source: SQLiteConnection,
        _ cloud: SQLiteConnection, into found: inout StrayReferences
    ) throws(GodwitError) {
        let column = quoted(reference.column)
        let (key, holder) = (quoted(entity.key), quoted(by))
        let rows = try source.prepare(
            """
            SELECT \(key), \(column) FROM \(source.source(entity.name)) WHERE \(column) IS NOT NULL AND \(column) COLLATE BINARY NOT IN
              (SELECT \(holder) FROM \(source.source(parent.name)) WHERE \(holder) IS NOT NULL)
            ORDER BY \(key) COLLATE BINARY
            """)
        let other = try cloud.prepare(
            "SELECT 1 FROM \(cloud.source(parent.name)) WHERE \(holder) = ? COLLATE BINARY LIMIT 1")
        // A record that is equal in the cloud store adds nothing.
        let same = try cloud.prepare(
            """
            SELECT 1 FROM \(cloud.source(entity.name))
            WHERE \(key) IS ? COLLATE BINARY AND \(column) IS ? COLLATE BINARY LIMIT 1
            """)
        let name = "\(entity.name).\(reference.column)"
        while try rows.step() {
            try other.bind(rows.value(1), at: 1)
            defer {
                other.reset()
                same.reset()
            }
            guard try other.step() else { continue }
            try same.bind([rows.value(0), rows.value(1)])
            guard try !same.step() else { continue }
            if found.counts.keys.allSatisfy({ name < $0 }) { found.firstKeys = [] }
            if found.firstKeys.count < 3, found.counts.keys.allSatisfy({ name <= $0 }) {
                found.firstKeys.append(rows.value(0).readable)
            }
            found.counts[name, default: 0] += 1
        }
    }
}
