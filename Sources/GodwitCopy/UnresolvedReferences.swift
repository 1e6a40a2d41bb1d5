internal import GodwitModel
internal import GodwitStore

/// Foreign keys of a store whose records lead nowhere by the end of a copy, for which SQLite would refuse the commit.
///
/// The commit says no more than that there are some. Most lead to a table that the manifest knows nothing of, whose
/// records are therefore not copied.
struct UnresolvedReferences {
    private let manifest: Manifest

    init(manifest: Manifest) { self.manifest = manifest }

    /// Throws 65, naming the first of them, where the commit would fail.
    func requireNone(in store: SQLiteConnection) throws(GodwitError) {
        guard store.hasUnresolvedReferences else { return }
        let shape = try store.readShape()
        for table in shape.tables {
            for state in try store.referenceStates(of: table.name, in: shape) where state.dangling > 0 {
                let columns = state.columns.joined(separator: ", ")
                throw GodwitError(
                    .copy, .data,
                    "\(store.name): \(state.dangling.counted("record")) of \(table.name) "
                        + "\(state.dangling == 1 ? "refers" : "refer") to \(state.parent) by \(columns), "
                        + "where there is no such record.",
                    hint: hint(table.name, state))
            }
        }
    }

    private func hint(_ table: String, _ state: ReferenceState) -> String {
        guard manifest.entities.contains(where: { $0.name.isSameName(as: state.parent) }) else {
            return
                "\(state.parent) is no entity of the manifest, so its records are not copied: make it one, or have a "
                + "new schema file put there what \(table) refers to."
        }
        return "Mend the records in the app, or take the foreign key out of \(table) in a new schema file."
    }
}
