/// Records of an entity that were set aside as duplicates, though they hardly resemble the records that stay.
///
/// Then `key:` names the wrong column, or `singleton:` an entity of many records.
package struct UnlikeDuplicates: Sendable, Codable, Hashable {
    /// The entity.
    package var entity: String
    /// The column that `key:` names.
    package var key: String
    /// The column that seems to be the key; nil for a singleton.
    package var identifier: String?
    /// How many records were set aside.
    package var setAside: Int
    /// How many of them hardly resemble the record that stays.
    package var unlike: Int

    /// Findings about one entity.
    package init(entity: String, key: String, identifier: String?, setAside: Int, unlike: Int) {
        (self.entity, self.key, self.identifier) = (entity, key, identifier)
        (self.setAside, self.unlike) = (setAside, unlike)
    }

    package var warning: Warning { Warning("unlikeDuplicates", message, hint: hint) }

    private var message: String {
        let records = "\(unlike.grouped) of \(setAside.counted("`\(entity)` record"))"
        guard let identifier else {
            return "`\(entity)` is a singleton, but \(records) that count as its duplicates have little in common with "
                + "the record that stays"
        }
        return "\(records) that count as duplicates by `\(key)` have another `\(identifier)` and little in common with "
            + "the record that stays"
    }

    private var hint: String {
        let cause =
            identifier.map { "Check `key:` of `\(entity)`: it must be different in each record, as in `\($0)`." }
            ?? "Remove `singleton:` from `\(entity)` if it has more than one record."
        return cause + " If a run has set them aside, correct the manifest: then \(name: .verify) names the "
            + "commands that bring them back."
    }
}
