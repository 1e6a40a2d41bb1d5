internal import GodwitCoreData
internal import GodwitFiles
internal import GodwitModel
internal import GodwitSQLite

/// The risks of migrating a store; pure.
struct StoreRisks {
    let found: StoreInspection
    let now: Instant
    /// The file's status; nil if not known.
    let file: FileStatus?

    /// Size of a value that is reported, because SQLite and every reader keep it in memory whole.
    static let hugeValue: Int64 = 16 << 20
    /// Seconds that a device's clock may be ahead.
    static let clockTolerance: Int64 = 300

    init(_ found: StoreInspection, now: Instant, set file: FileStatus?) {
        (self.found, self.now, self.file) = (found, now, file)
    }

    private var store: InspectedStore { found.report }

    var warnings: [Warning] {
        var all: [Warning] = []
        if let file, file.links > 1 {
            all.append(
                Warning(
                    "secondName", "the file has \(file.links) names; a write changes them all",
                    hint: "Work on a copy."))
        }
        if store.isMirrored {
            all.append(
                Warning(
                    "mirrored",
                    "Core Data mirrors this store to CloudKit: records that another program writes into it "
                        + "are lost",
                    hint: "Read from it, but never name it as `cloud:`."))
        }
        if let version = store.schemaVersion {
            all.append(
                Warning(
                    "ownHistory", "Godwit already migrated it to version \(version)",
                    hint: "Use the manifest and the schema files of that run."))
        }
        if let record = found.model?.strayRecords, record > 0 {
            all.append(
                Warning(
                    "strayRecords", "\(record.counted("record")) belong to no entity that the store knows",
                    hint: "Ignore them: no app shows them."))
        }
        all += (found.model?.untoldColumns ?? [:]).sorted { $0.key < $1.key }.map {
            Warning(ambiguous: $0.value, in: $0.key)
        }
        all += codeWarnings + collationWarnings
        for table in found.tables {
            if let fault = table.fault {
                all.append(
                    Warning(
                        "valuesNotRead", "the values of \(table.entity.name) could not be read: \(fault.message)",
                        hint: fault.hint))
            }
        }
        for entity in store.entities { all += warnings(about: entity) }
        for table in found.tables { all += constraintWarnings(about: table) }
        return all
    }

    /// Code that runs on every write.
    private var codeWarnings: [Warning] {
        var all: [Warning] = []
        if !store.triggers.isEmpty {
            all.append(
                Warning(
                    "triggers", "it has triggers (\(listed(store.triggers))), which run on each write",
                    hint: "Read them first: Godwit runs them only if the schema files make them."))
        }
        all += found.virtualTables.compactMap { table in
            table.loss.map {
                Warning(
                    "virtualRecords", "\(table.name) is \($0)",
                    hint: table.mayLoseRecords
                        ? "Move its records into a table: a virtual table can't be an entity of a manifest."
                        : nil)
            }
        }
        let virtual = found.virtualTables.filter { $0.holding == .nothing }.map(\.name)
        if !virtual.isEmpty {
            all.append(
                Warning(
                    "virtualTables", "it has virtual tables (\(listed(virtual)))",
                    hint: "Make them in a schema file, and fill them by triggers."))
        }
        return all
    }

    /// Collations that only the app knows.
    private var collationWarnings: [Warning] {
        var tables: [String: [String]] = [:]
        for statement in found.statements {
            for name in statement.unknownCollations
            where tables[name]?.contains(where: { $0.isSameName(as: statement.table) }) != true {
                tables[name, default: []].append(statement.table)
            }
        }
        return tables.sorted { $0.key < $1.key }.map { name, tables in
            Warning(
                "appCollation",
                "the collation \(name) of \(listed(tables)) is the app's own; its records are read, but "
                    + "the order of its indexes is not checked",
                hint:
                    "Run Godwit inside the app, with the app's connection, to write to such a table.")
        }
    }

    private func warnings(about entity: InspectedEntity) -> [Warning] {
        var all: [Warning] = []
        if entity.key == nil, found.model == nil {
            all.append(
                Warning(
                    "noKey",
                    "\(entity.name) has no single column that identifies its "
                        + "records\(repeated(in: entity)), so it can't be an entity of a manifest",
                    hint:
                        "Give it a key of one column in the app first."))
        } else if entity.keyEvidence == .name {
            let missing = entity.columns.first { $0.name == entity.key }?.missing ?? 0
            if entity.duplicates > 0 || missing > 0 {
                all.append(
                    Warning(
                        "keyNotUnique",
                        "\(entity.name).\(entity.key ?? "") is not a unique key: "
                            + "\(entity.duplicates.counted("record")) repeat another's, \(missing.grouped) have "
                            + "none",
                        hint: "Use it only if dedupe should keep one record of each key and set the others aside."))
            }
        }
        if found.model != nil, let repeated = repeatedKey(of: entity) {
            all.append(
                Warning(
                    "keyRepeated",
                    "\(entity.name).\(repeated.column): \(repeated.records.counted("record")) "
                        + "\(repeated.records == 1 ? "repeats" : "repeat") the value of another one",
                    hint: "Use it as the key only if dedupe should keep one record of each value."))
        }
        for relation in entity.relations where relation.orphans > 0 {
            all.append(
                Warning(
                    "orphans",
                    "\(entity.name).\(relation.name): \(relation.orphans.counted("reference")) to records "
                        + "that do not exist",
                    hint: "Set `missing:` in the manifest: the copy refuses them by default."))
        }
        for column in entity.columns {
            if let longest = column.longest, longest > Self.hugeValue {
                all.append(
                    Warning(
                        "hugeValue", "\(entity.name).\(column.name) has a value of \(longest.grouped) bytes",
                        hint:
                            "Store such values in files: Godwit and every reader of an export hold them in "
                            + "memory whole."))
            }
            let words = NameParts(column.name)
            guard words.soundModified || words.soundCreated, let latest = column.latest,
                latest > now.advanced(bySeconds: Self.clockTolerance)
            else { continue }
            all.append(
                Warning(
                    "clockSkew", "\(entity.name).\(column.name) has dates later than now",
                    hint: "Check the clocks of the devices: such a record wins every merge by date."))
        }
        return all
    }

    /// The column that sounds like a key, and why it is not one.
    private func repeated(in entity: InspectedEntity) -> String {
        guard let key = repeatedKey(of: entity) else { return "" }
        return ": \(key.records.counted("record")) \(key.records == 1 ? "repeats" : "repeat") another's \(key.column)"
    }

    private func repeatedKey(of entity: InspectedEntity) -> (column: String, records: Int64)? {
        found.tables.first { $0.entity.table == entity.table && $0.entity.name == entity.name }?.repeatedKey
    }

    /// Constraints of a table that its own records break.
    private func constraintWarnings(about table: TableInspection) -> [Warning] {
        let name = table.entity.name
        var all: [Warning] = []
        for state in table.references where state.dangling > 0 || !state.isUsable {
            // References to a likely key are in the entity's relations.
            let relation = table.entity.relations.first { $0.name.isSameName(as: state.columns[0]) }
            guard state.columns.count > 1 || relation.map({ $0.orphans == 0 }) != false else { continue }
            let what = "\(name): the foreign key \(state.columns.joined(separator: ", ")) to \(state.parent)"
            all.append(
                Warning(
                    "brokenReference",
                    state.isUsable
                        ? "\(what) refers to records that do not exist in \(state.dangling.counted("record"))"
                        : "\(what) can't be enforced: that table does not exist, or has nothing that is unique",
                    hint:
                        "Correct the records in the app; godwit init leaves the foreign key out of its "
                        + "schema file."
                ))
        }
        let broken = table.brokenChecks
        if broken.records > 0 {
            all.append(
                Warning(
                    "brokenCheck",
                    "\(name): \(broken.records.counted("record")) "
                        + "\(broken.records == 1 ? "breaks" : "break") a CHECK of the table",
                    hint:
                        "Correct them in the app, or leave the CHECK out of the schema file: a new store "
                        + "would refuse them."
                ))
        }
        return all
    }

    private func listed(_ names: [String]) -> String {
        names.prefix(5).joined(separator: ", ") + (names.count > 5 ? " and \((names.count - 5).grouped) more" : "")
    }
}

extension Warning {
    /// Columns of a Core Data table whose attribute no row shows.
    init(ambiguous columns: [String], in table: String) {
        self.init(
            "untoldColumns",
            "several properties of \(table) have the same name, and no record shows which column is whose: "
                + columns.prefix(10).joined(separator: ", ") + (columns.count > 10 ? " and others" : ""),
            hint:
                "Name the columns in the manifest when you know them; until then they are read as plain "
                + "columns."
        )
    }
}
