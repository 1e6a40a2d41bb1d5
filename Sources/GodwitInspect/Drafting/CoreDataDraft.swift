internal import GodwitCoreData
internal import GodwitModel
internal import GodwitSQLite

/// Entities, their `source:` and the first schema file for a Core Data store.
///
/// Godwit never writes that store, so the schema is that of the cloud store.
///
/// Values are copied as stored, so that nothing is lost: dates stay seconds since 2001, to the last bit. Only UUIDs
/// become text, because their bytes are not readable.
struct CoreDataDraft {
    var entities: [EntityDraft] = []
    var tables: [String] = []
    var leftOut: [Warning] = []
    /// Left-out tables and entities that may have records.
    private(set) var tablesLeft: [String] = []
    let store: StoreInspection
    let model: CoreDataModel
    private var names = UniqueNames()
    /// The manifest's name of each entity.
    private var entityNames: [String: String] = [:]
    private var keys: [String: Key] = [:]
    /// Whether some references have an unknown target: then each record keeps its row number.
    private let hasUnresolvedRelations: Bool
    /// Entities whose records are referred to by row number.
    private var numbered: Set<String> = []

    struct Key {
        /// The end of a path to it: `uuid`, or `Z_PK`.
        let path: String
        let type: String
        let isUUID: Bool
        /// nil for the row number.
        let attribute: CoreDataAttribute?
        let evidence: KeyEvidence
    }

    init(_ store: StoreInspection, model: CoreDataModel, refused: [String: String]) {
        (self.store, self.model) = (store, model)
        hasUnresolvedRelations = model.entities.contains { entity in
            entity.table != nil && entity.relations.contains { Self.isUnresolved($0, in: model) }
        }
        for entity in model.entities { keys[entity.name] = key(of: entity) }
        numbered = Self.numbered(in: model, keys)
        for entity in model.entities where entity.table != nil && entityNames[entity.name] == nil {
            entityNames[entity.name] = names.take(entity.name)
        }
        var taken: Set<String> = []
        for (entity, table) in zip(model.entities, store.tables) {
            guard entity.table != nil else {
                leave(entity.name, "the store has no table for it")
                continue
            }
            // A manifest cannot distinguish two entities with one name.
            guard taken.insert(entity.name).inserted else {
                leave(
                    entity.name, "there are two entities of this name; \(entity.count.counted("record")) are not read")
                continue
            }
            take(entity, table, refused)
        }
        for entity in model.entities.dropFirst(store.tables.count) { leave(entity.name, "there are too many entities") }
        for join in model.joins { take(join, refused) }
        takeIndexes()
        entities = EntityDraft.withoutCircles(entities)
        for table in store.virtualTables where table.mayLoseRecords { leave(table.name, table.loss ?? table.kind) }
        for name in model.otherTables.foreign where !store.tablesBehind.contains(name.foldedName) {
            leave(name, "Core Data knows nothing of this table, and it is not read")
        }
        leftOut += model.untoldColumns.sorted { $0.key < $1.key }.map { Warning(ambiguous: $0.value, in: $0.key) }
        if model.strayRecords > 0 {
            leave("Z_PRIMARYKEY", "\(model.strayRecords.counted("record")) belong to no known entity")
        }
    }

    private mutating func leave(_ name: String, _ reason: String) {
        leftOut.append(Warning("noEntity", "\(name): \(reason)"))
        if name != "Z_PRIMARYKEY" { tablesLeft.append(name) }
    }

    /// An attribute in a path: by its column if several entities share the table and only the column is certain.
    func path(of attribute: CoreDataAttribute, in entity: CoreDataEntity) -> String {
        let isPlain =
            !attribute.name.utf8.contains(UInt8(ascii: ".")) && attribute.name.utf8.first != UInt8(ascii: "Z")
        return attribute.kind != nil && isPlain ? attribute.name : attribute.column
    }

    /// A declared type with the same affinity as Core Data's, so that values do not change.
    static func type(_ declared: String) -> String {
        switch ColumnAffinity(declaredType: declared, isStrict: false) {
        case .text: "TEXT"
        case .integer: "INTEGER"
        case .real: "REAL"
        case .numeric: "NUMERIC"
        case .blob: "BLOB"
        }
    }

    // MARK: Entities

    /// A column of the new table, with the field that fills it.
    private struct Column {
        var name: String
        var type: String
        var field: String
        var note: String?
    }

    private mutating func take(_ entity: CoreDataEntity, _ table: TableInspection, _ refused: [String: String]) {
        let key = keys[entity.name] ?? self.key(of: entity)
        let name = entityNames[entity.name] ?? names.take(entity.name)
        if let reason = refused[name] { return leave(name, reason) }
        var columnNames = UniqueNames()
        let keyName = columnNames.take(key.attribute?.name ?? (entity.hasAttribute("id") ? "recordNumber" : "id"))
        var columns = [
            Column(name: keyName, type: key.type, field: Self.field([key.path], as: key.isUUID ? "uuid" : nil))
        ]
        var draft = EntityDraft(name: name, count: table.entity.count, key: keyName, evidence: key.evidence)
        draft.comments = comments(entity, table, key)
        if hasUnresolvedRelations || numbered.contains(entity.name), key.attribute != nil {
            columns.append(
                Column(
                    name: columnNames.take("recordNumber"), type: "INTEGER", field: "Z_PK",
                    note: "what references by the number of a row name"))
        }
        for attribute in entity.attributes where attribute.column != key.attribute?.column {
            let seen = table.entity.columns.first { $0.name == attribute.name }
            let column = columnNames.take(attribute.name)
            let isUUID = attribute.kind == .uuid || (seen?.kind == .uuid && Self.type(attribute.declaredType) == "BLOB")
            columns.append(
                Column(
                    name: column, type: isUUID ? "TEXT" : Self.type(attribute.declaredType),
                    field: Self.field(
                        [path(of: attribute, in: entity)],
                        as: isUUID ? "uuid" : isExternal(attribute, of: entity) ? "externalData" : nil),
                    note: Self.note(seen, attribute)))
            if attribute.name == table.entity.modified {
                draft.modified = (column, seen?.encoding == .iso8601 ? nil : seen?.encoding ?? .coreData)
            }
        }
        for relation in entity.relations {
            take(relation, table.entity, &columns, &columnNames, &draft)
        }
        let hasOthers = model.entities.contains { $0.superNumber == entity.number }
        draft.source = Self.source("entity: \(YAMLText.scalar(entity.name))", columns, excludesSubentities: hasOthers)
        entities.append(draft)
        tables.append(Self.table(name, columns, count: table.entity.count))
    }

    private func comments(_ entity: CoreDataEntity, _ table: TableInspection, _ key: Key) -> [String] {
        var comments = [
            "\(table.entity.count.counted("record"))" + (entity.superName.map { ", a kind of \($0)" } ?? "")
        ]
        switch key.evidence {
        case .rowNumber:
            comments.append(
                "The key is the number that Core Data gave the record in this one store: no attribute is proven to tell "
                    + "records apart. Stores of several devices count alike, so never merge two of them by it.")
        case .values:
            comments.append("No two records have the same \(key.attribute?.name ?? "key"), though nothing enforces it.")
        default: break
        }
        return comments
    }

    private static func note(_ seen: InspectedColumn?, _ attribute: CoreDataAttribute) -> String? {
        switch seen?.kind {
        case .date? where seen?.encoding == .coreData: "seconds since 2001-01-01"
        case .keyedArchive?: "a keyed archive; `as: keyedArchive` in the manifest makes JSON of it"
        case .boolean?: "0 or 1"
        default: attribute.kind == .transformable ? "as the app's transformer wrote it" : nil
        }
    }

    private mutating func take(
        _ relation: CoreDataRelation, _ entity: InspectedEntity, _ columns: inout [Column],
        _ taken: inout UniqueNames, _ draft: inout EntityDraft
    ) {
        let target = relation.target.flatMap { model.entity(named: $0) }
        let key = target.flatMap { keys[$0.name] }
        let stem = relation.isHiddenInverse ? (relation.target ?? "owner").loweringFirst : relation.name
        let column = taken.take(stem + "Id")
        if let target, let key, target.table != nil {
            let way = relation.isHiddenInverse ? [target.name, relation.name, key.path] : [relation.name, key.path]
            columns.append(
                Column(
                    name: column, type: key.type,
                    field: Self.field([way.joined(separator: ".")], as: key.isUUID ? "uuid" : nil),
                    note: "\(target.name).\(key.attribute?.name ?? "Z_PK")"))
            let seen = entity.relations.first { $0.name == relation.name }
            let isFamily = model.family(of: target.name).count > 1
            if isFamily {
                draft.comments.append(
                    "\(column) refers to a \(target.name) or one of its subentities, so it is not in belongsTo.")
            } else if let orphans = seen?.orphans, orphans > 0 {
                draft.comments.append(
                    "\(column): \(orphans.counted("reference")) to a record that does not exist, which \(orphans == 1 ? "becomes" : "become") "
                        + "NULL, or to one of another entity.")
                draft.orphaned.insert(column)
                draft.belongsTo.append((column, entityNames[target.name] ?? target.name, by: nil))
            } else {
                draft.belongsTo.append((column, entityNames[target.name] ?? target.name, by: nil))
            }
        } else {
            columns.append(
                Column(
                    name: column, type: "INTEGER", field: Self.field([relation.column], as: nil),
                    note: "the number of a row; the store does not tell where it leads"))
            leftOut.append(Self.unresolved(relation, of: entity.name, column))
        }
        if let order = relation.orderColumn {
            columns.append(
                Column(
                    name: taken.take(stem + "Order"), type: "INTEGER", field: Self.field([order], as: nil),
                    note: "its place among those with the same \(column)"))
        }
    }

    // MARK: Joins

    private mutating func take(_ join: CoreDataJoin, _ refused: [String: String]) {
        let (first, second) = (join.first, join.second)
        guard let owner = first.entity, let ownerKey = keys[owner], let other = second.entity,
            let otherKey = keys[other]
        else {
            return leave(join.table, "the store does not tell what its \(join.count.counted("pair")) join")
        }
        let wanted = owner + second.relation.raisingFirst
        let name = names.take(wanted)
        if let reason = refused[name] { return leave(name, reason) }
        var taken = UniqueNames()
        let columns = [
            taken.take("id"), taken.take(owner.loweringFirst + "Id"), taken.take(other.loweringFirst + "Id"),
        ]
        func field(_ side: String, _ key: Key) -> String {
            Self.field(["\(side).\(key.path)"], as: key.isUUID ? "uuid" : nil)
        }
        let isUUID = ownerKey.isUUID && otherKey.isUUID
        let seen = store.tables.first { $0.entity.name == owner }?.entity.relations
            .first { $0.kind == "manyToMany" && $0.name == second.relation }
        let lost = seen?.orphans ?? 0
        // A pair with a missing record has no key on that side, only row numbers.
        let key =
            lost > 0
            ? Self.field([first.column, second.column], as: nil)
            : Self.field(["source.\(ownerKey.path)", "target.\(otherKey.path)"], as: isUUID ? "uuid" : nil)
        var made = [
            Column(
                name: columns[0], type: "TEXT", field: key,
                note: lost > 0 ? "both numbers of rows with a / between them" : "both keys with a / between them"),
            Column(name: columns[1], type: ownerKey.type, field: field("source", ownerKey)),
            Column(name: columns[2], type: otherKey.type, field: field("target", otherKey)),
        ]
        // By keywords, not by the column: its name has the number of an entity, which changes with the model.
        let isReversed = second.column.isSameName(as: "REFLEXIVE")
        for (end, way) in zip([first, second], isReversed ? ["order", "inverseOrder"] : ["inverseOrder", "order"]) {
            guard end.orderColumn != nil else { continue }
            made.append(
                Column(
                    name: taken.take(end.relation + "Order"), type: "INTEGER", field: Self.field([way], as: nil),
                    note: "the place in \(end.relation)"))
        }
        var draft = EntityDraft(name: name, count: join.count, key: columns[0], evidence: .values)
        draft.comments = ["\(join.count.counted("pair")) of \(owner).\(second.relation)"]
        if lost > 0 {
            draft.comments.append(
                "\(lost.counted("pair")) refer to records that do not exist. The key consists of row numbers, which mean "
                    + "nothing on another device.")
        }
        for (column, parent) in [(columns[1], owner), (columns[2], other)] where model.family(of: parent).count == 1 {
            draft.belongsTo.append((column, entityNames[parent] ?? parent, by: nil))
            if lost > 0 { draft.orphaned.insert(column) }
        }
        draft.source = Self.source(
            "join: \(YAMLText.scalar("\(owner).\(second.relation)"))", made, excludesSubentities: false)
        entities.append(draft)
        tables.append(Self.table(name, made, count: join.count))
    }

    /// Creates an index on each table's key, with a name that no table has, because SQLite has one namespace for both.
    private mutating func takeIndexes() {
        for index in entities.indices {
            let (table, key) = (entities[index].name, entities[index].key)
            let name = names.take("\(table)_\(key)")
            tables[index] +=
                "\n\nCREATE INDEX \(Self.identifier(name)) ON \(Self.identifier(table)) (\(Self.identifier(key)));"
        }
    }

    // MARK: Text

    private static func field(_ paths: [String], as encoding: String?) -> String {
        let from =
            paths.count == 1
            ? YAMLText.scalar(paths[0]) : "[" + paths.map(YAMLText.scalar).joined(separator: ", ") + "]"
        if paths.count == 1, encoding == nil { return from }
        return "{ from: \(from)" + (encoding.map { ", as: \($0)" } ?? "") + " }"
    }

    private static func source(_ origin: String, _ columns: [Column], excludesSubentities: Bool) -> [String] {
        var lines = ["    source:", "      \(origin)"]
        if excludesSubentities {
            lines.append("      subentities: false                     # each kind is an entity of its own")
        }
        lines.append("      fields:")
        return lines + columns.map { "        \(YAMLText.scalar($0.name)): \($0.field)" }
    }

    private static func table(_ name: String, _ columns: [Column], count: Int64) -> String {
        var lines = ["CREATE TABLE \(identifier(name)) ("]
        for (index, column) in columns.enumerated() {
            let end = index + 1 < columns.count ? "," : ""
            let rule = index == 0 ? " NOT NULL" : ""
            let note = column.note.map { "    -- \(YAMLText.comment($0))" } ?? ""
            lines.append("    \(identifier(column.name)) \(column.type)\(rule)\(end)\(note)")
        }
        lines.append(");")
        return lines.joined(separator: "\n")
    }

    /// An identifier in quotes, because any word might be an SQL keyword.
    private static func identifier(_ name: String) -> String { quoted(name) }
}

/// Assigns unique names, as SQLite compares them.
struct UniqueNames {
    private var taken: Set<[UInt8]> = []

    /// The name, with a number after it if it was assigned before; never a reserved name.
    mutating func take(_ wanted: String) -> String {
        let folded = wanted.foldedName
        let isReserved = ["godwit_", "sqlite_"].contains { folded.starts(with: $0.utf8) }
        let base = wanted.isEmpty ? "column" : isReserved ? "app_" + wanted : wanted
        var name = base
        var number = 2
        while !taken.insert(name.foldedName).inserted {
            name = "\(base)\(number)"
            number += 1
        }
        return name
    }
}

extension CoreDataEntity {
    fileprivate func hasAttribute(_ name: String) -> Bool {
        attributes.contains { $0.name.isSameName(as: name) }
    }
}

extension String {
    fileprivate var loweringFirst: String { prefix(1).lowercased() + dropFirst() }
    fileprivate var raisingFirst: String { prefix(1).uppercased() + dropFirst() }
}
