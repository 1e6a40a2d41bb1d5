internal import GodwitModel

extension LegacyPlanner {
    /// Plans one record for each singleton without a record, from the legacy values and defaults of its rules.
    func planSettings(
        _ found: [Bytes: LegacyEntry], _ targets: LegacyTargets, _ plan: inout LegacyImportPlan,
        _ lines: inout [Bytes: RunReport.Legacy.Key], _ defaults: inout [RunReport.Legacy.Key]
    ) {
        for entity in manifest.entities {
            let rules = manifest.legacy.settings.filter { $0.entity == entity.name }
            if rules.isEmpty { continue }
            var draft = Draft()
            for rule in rules {
                let into = "\(rule.entity).\(rule.column)"
                if let entry = found[Bytes(rule.key)] {
                    guard !targets.hasRecords(entity.name) else {
                        lines[Bytes(rule.key)] = leave(entry, rule, into, targets)
                        continue
                    }
                    lines[Bytes(rule.key)] = take(entry, rule, into, targets, &draft)
                } else if let value = storedDefault(rule, targets), !targets.hasRecords(entity.name) {
                    draft.set(rule.column, value, datedBy: nil)
                    defaults.append(RunReport.Legacy.Key(key: rule.key, bucket: .defaulted, into: into))
                }
            }
            if !draft.isEmpty { plan.records.append(record(draft, entity, targets.shape)) }
        }
        // Defaults without any mapped key in a file are not written.
        let hasFavorites = manifest.legacy.favorites.contains { found[Bytes($0.key)] != nil }
        if lines.isEmpty, !hasFavorites { plan.records = [] }
    }

    /// The end of a note: a record that the import does not change has no value where the key has one.
    package static let emptyColumn = "has a record already, in which this column is empty"

    /// The outcome of a key whose singleton has a record: the record does not change, so a value that only the file has
    /// is left behind.
    private func leave(
        _ entry: LegacyEntry, _ rule: SettingRule, _ into: String, _ targets: LegacyTargets
    ) -> RunReport.Legacy.Key {
        let isLeftBehind = entry.value != .null && targets.isUnfilled(rule.column, of: rule.entity)
        return RunReport.Legacy.Key(
            key: rule.key, bucket: isLeftBehind ? .conflict : .alreadyPresent, into: into,
            note: "\(rule.entity) \(isLeftBehind ? Self.emptyColumn : "has a record already")")
    }

    /// The columns of a planned record.
    private struct Draft {
        var columns: [String] = []
        var values: [Value] = []
        /// The date of the newest file with a value; nil while all values are defaults.
        var modified: Instant?

        var isEmpty: Bool { columns.isEmpty }

        mutating func set(_ column: String, _ value: Value, datedBy file: Instant?) {
            columns.append(column)
            values.append(value)
            if let file { modified = max(modified ?? file, file) }
        }
    }

    private func take(
        _ entry: LegacyEntry, _ rule: SettingRule, _ into: String, _ targets: LegacyTargets, _ draft: inout Draft
    ) -> RunReport.Legacy.Key {
        let type = targets.shape.declaredType(of: rule.column, in: rule.entity)
        switch outcome(of: entry.value, rule, type) {
        case .taken(let value, let bucket, let note):
            draft.set(rule.column, value, datedBy: entry.modified)
            return RunReport.Legacy.Key(
                key: rule.key, bucket: bucket, into: into, note: note,
                from: showsValues ? entry.value.readable : nil, to: showsValues ? value.readable : nil)
        case .refused(let bucket, let why):
            var note = why
            if let value = storedDefault(rule, targets) {
                draft.set(rule.column, value, datedBy: nil)
                note += "; the default was stored instead"
            }
            return RunReport.Legacy.Key(
                key: rule.key, bucket: bucket, into: into, note: note, from: showsValues ? entry.value.readable : nil)
        }
    }

    /// The default as its column stores it; nil for none.
    private func storedDefault(_ rule: SettingRule, _ targets: LegacyTargets) -> Value? {
        let type = targets.shape.declaredType(of: rule.column, in: rule.entity)
        return rule.defaultValue.flatMap { SettingCoercion.stored($0, in: type) }
    }

    private enum SettingDecision {
        case taken(Value, RunReport.Legacy.KeyOutcome, note: String?)
        case refused(RunReport.Legacy.KeyOutcome, String)
    }

    private func outcome(of value: LegacyValue, _ rule: SettingRule, _ type: DeclaredType) -> SettingDecision {
        if case .unheld(let unheld) = value { return .refused(.unsupported, unheld.reason) }
        if let mappings = rule.values {
            switch ValueMap(mappings).target(of: value) {
            case .none(let reason): return .refused(.unsupported, reason)
            case .unlisted(let reason): return .refused(.conflict, reason)
            case .found(let target):
                guard let stored = SettingCoercion.stored(target, in: type) else {
                    return .refused(.unsupported, "the value map's value can't be stored in \(type.columnName)")
                }
                let isSame = value.mappingText.map { stored == .string($0) } == true
                return .taken(stored, isSame ? .migrated : .coerced, note: isSame ? nil : "by the value map")
            }
        }
        switch SettingCoercion.coerce(value, into: type) {
        case .exact(let stored): return .taken(stored, .migrated, note: nil)
        case .coerced(let stored, _, _):
            return .taken(stored, .coerced, note: "\(value.typeName) stored as \(stored.className)")
        case .unsupported(let reason): return .refused(.unsupported, reason)
        }
    }

    /// A record with only defaults has a date in 1970, so that any other record wins a merge.
    private func record(_ draft: Draft, _ entity: Entity, _ shape: SchemaShape) -> PlannedRecord {
        var columns = [entity.key]
        var values = [Value.string(entity.singleton ?? "")]
        if let modified = entity.modified, !draft.columns.contains(modified.column) {
            columns.append(modified.column)
            values.append(storedDate(draft.modified ?? .epoch, for: entity, shape))
        }
        return PlannedRecord(entity: entity.name, columns: columns + draft.columns, values: values + draft.values)
    }
}

extension LegacyValue {
    /// The value for a reader, with `--verbose`.
    fileprivate var readable: String {
        switch self {
        case .date(let date): date.iso8601
        case .data(let bytes): bytes.count.counted("byte")
        case .array(let items): "array of \(items.count)"
        case .dictionary(let pairs): "dictionary of \(pairs.count)"
        default: mappingText ?? typeName
        }
    }
}

extension Value {
    /// The name of the storage class, for notes.
    var className: String {
        switch self {
        case .null: "NULL"
        case .integer: "integer"
        case .real: "real"
        case .text: "text"
        case .blob: "blob"
        }
    }
}
