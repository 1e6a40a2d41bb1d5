internal import GodwitModel
internal import GodwitSQLite

/// Foreign keys that records would break after the copy, so that SQLite refuses the commit.
///
/// SQLite only reports that there are some. Most refer to a table that the manifest does not name, whose records are
/// not copied; others to a record that exists in neither store, or that the copy itself replaces.
struct UnresolvedReferences {
    /// One foreign key, and the number of records that break it.
    private struct Broken {
        let table: String
        var state: ReferenceState
    }

    private let store: String
    private let manifest: Manifest
    /// Tables that records may refer to.
    private let target: SchemaShape
    private var broken: [Broken]

    /// Nil if the commit would not fail for any foreign key.
    ///
    /// - Parameter isForAll: whether foreign keys are off, so that SQLite counted none that are broken.
    init?(in store: SQLiteConnection, _ manifest: Manifest, checkingAll isForAll: Bool) throws(GodwitError) {
        guard isForAll || store.hasUnresolvedReferences else { return nil }
        (self.store, self.manifest) = (store.name, manifest)
        target = try store.readShape()
        broken = try Self.broken(in: store, target)
        if broken.isEmpty { return nil }
    }

    private static func broken(
        in store: SQLiteConnection, _ shape: SchemaShape
    ) throws(GodwitError) -> [Broken] {
        var found: [Broken] = []
        for table in shape.tables {
            for state in try store.referenceStates(of: table.name, in: shape) where state.dangling > 0 {
                found.append(Broken(table: table.name, state: state))
            }
        }
        return found
    }

    /// Subtracts what was broken before the copy, read from a store after the copy was rolled back.
    mutating func leaveOut(brokenIn store: SQLiteConnection) throws(GodwitError) {
        let before = try Self.broken(in: store, store.readShape())
        let introduced = broken.compactMap { one in
            let earlier = before.first {
                $0.table.isSameName(as: one.table) && $0.state.reference(of: "") == one.state.reference(of: "")
            }
            var new = one
            new.state.dangling -= earlier?.state.dangling ?? 0
            return new.state.dangling > 0 ? new : nil
        }
        // If the numbers are equal but the records are others, it is unknown which are new.
        if !introduced.isEmpty { broken = introduced }
    }

    /// The error for them (65).
    var error: GodwitError {
        let shown = broken.prefix(3).map { one in
            "\(one.state.dangling.counted("record")) of `\(one.table)` would refer to `\(one.state.parent)` by "
                + one.state.columns.map { "`\($0)`" }.joined(separator: ", ")
        }
        let rest = broken.count > 3 ? ", and \((broken.count - 3).counted("foreign key")) more" : ""
        return GodwitError(
            .copy, .data,
            "`\(store)` can't take the copy: \(shown.joined(separator: "; "))\(rest), but that record "
                + "would not exist",
            hint: broken.first.map(hint))
    }

    /// The column of a reference whose orphans the manifest keeps, which the foreign key forbids.
    private func keptColumn(of one: Broken) -> String? {
        guard one.state.columns.count == 1, let column = one.state.columns.first else { return nil }
        let isKept = manifest.entities.contains { entity in
            entity.name.isSameName(as: one.table)
                && entity.belongsTo.contains { $0.missing == .keep && $0.column.isSameName(as: column) }
        }
        return isKept ? column : nil
    }

    private func hint(_ one: Broken) -> String {
        let (table, parent) = (one.table, one.state.parent)
        guard let entity = manifest.entities.first(where: { $0.name.isSameName(as: parent) }) else {
            let keys = target.table(named: parent)?.columns.filter { $0.primaryKeyIndex > 0 }.count ?? 0
            let isPossible = one.state.columns.count == 1 && keys < 2
            return "Copy the records of `\(parent)`, which is not an entity of the manifest"
                + (isPossible
                    ? ": make it one, or insert" : " (its key has several columns, so it can't be one): insert")
                + " there what `\(table)` refers to, by INSERT OR IGNORE in a new schema file"
                + (isPossible ? "." : ", or remove the foreign key from `\(table)` in one.")
        }
        guard manifest.container.localLayout == .sqlite || entity.source != nil else {
            return
                "Give the entity `\(parent)` a `source` in the manifest: nothing of it is read from the "
                + "local store now."
        }
        if let column = keptColumn(of: one) {
            return
                "Set `missing: setAside` for `\(table).\(column)` in the manifest, correct the references in the app, "
                + "or remove the foreign key in a new schema file."
        }
        return
            "Correct the references of `\(table)` in the app, or remove the foreign key in a new schema file."
    }
}
