internal import GodwitModel
internal import GodwitSQLite

/// Counts duplicates that hardly resemble the record that stays: a wrong `key:` makes strangers duplicates of each other.
///
/// A record counts as unlike if it has another identifier, a column that is not the key but looks like one, and most of its
/// other columns differ. Duplicates of one thing may differ as well: so most of an entity's duplicates have to be unlike.
struct DuplicateLikeness {
    private let entity: Entity
    private let identifier: (name: String, index: Int)?
    /// The columns that say what a record is about: not its key, its date or its identifiers.
    private let compared: [Int]
    private let isParent: Bool
    private var setAside = 0
    private var unlike = 0

    /// - Parameter isParent: whether records of other tables refer to the entity's.
    init(of table: EntityTable, isParent: Bool) {
        (entity, self.isParent) = (table.entity, isParent)
        let names = ["id", "uuid", "guid", "identifier", entity.name + "Id"]
        let keys = table.shape.columns.filter { $0.primaryKeyIndex > 0 }.map(\.name)
        let identifiers = table.columns.indices.filter { index in
            let name = table.columns[index]
            return keys == [name] || names.contains { name.isSameName(as: $0) }
        }
        identifier = identifiers.first { $0 != table.keyIndex }.map { (table.columns[$0], $0) }
        let others = identifiers + [table.keyIndex, table.modifiedIndex].compactMap(\.self)
        compared = table.columns.indices.filter { !others.contains($0) }
    }

    /// Counts a record that is set aside.
    mutating func add(_ record: [Value], besides winner: [Value]) {
        setAside += 1
        if entity.singleton == nil {
            guard let index = identifier?.index, record[index] != .null, record[index] != winner[index] else { return }
        }
        // A value that only one of them has says nothing against their being one thing.
        let known = compared.filter { record[$0] != .null && winner[$0] != .null }
        if known.count(where: { record[$0] != winner[$0] }) * 2 > known.count { unlike += 1 }
    }

    /// What was found, if it says that the manifest is wrong.
    ///
    /// Each device may have made a record of settings, and those may well differ; of a singleton it takes more records. But
    /// no record refers to settings.
    var finding: UnlikeDuplicates? {
        guard unlike * 2 > setAside, entity.singleton == nil || isParent || unlike > 4 else { return nil }
        return UnlikeDuplicates(
            entity: entity.name, key: entity.key, identifier: entity.singleton == nil ? identifier?.name : nil,
            setAside: setAside, unlike: unlike)
    }
}
