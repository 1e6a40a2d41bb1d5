internal import GodwitModel

extension LegacyPlanner {
    /// One record for each favourite that is not there yet, and the key's line with what became of its items.
    func planFavorites(
        _ rule: FavoritesRule, _ entry: Found, _ targets: LegacyTargets, _ plan: inout LegacyImportPlan
    ) -> LedgerLine {
        let into = "\(rule.entity).\(rule.column)"
        guard let entity = manifest.entity(named: rule.entity) else {
            return LedgerLine(key: rule.key, bucket: .unsupported, into: into, note: "no such entity")
        }
        switch FavoritesDecoder.decode(entry.value, as: rule.encoding) {
        case .unsupported(let reason):
            return LedgerLine(key: rule.key, bucket: .unsupported, into: into, note: reason)
        case .decoded(let list):
            if rule.mode == .onlyIntoEmpty, targets.hasRecords(entity.name) {
                return notTaken(list, rule, entity, targets)
            }
            return take(list, rule, entity, entry, targets, &plan)
        }
    }

    /// The entity has records: the list stays where it is, and the line says how much of it the entity lacks.
    private func notTaken(
        _ list: DecodedFavorites, _ rule: FavoritesRule, _ entity: Entity, _ targets: LegacyTargets
    ) -> LedgerLine {
        let existing = targets.keys[entity.name] ?? []
        let present = list.favorites.count { existing.contains(key($0.key, entity, targets.shape)) }
        let absent = list.favorites.count - present
        var counts = items(list, inserted: 0, present: present)
        if absent > 0 { counts["notTaken"] = absent }
        let note = "\(entity.name) has records already"
        return LedgerLine(
            key: rule.key, bucket: .alreadyPresent, into: "\(rule.entity).\(rule.column)",
            note: absent == 0
                ? note : note + "; \(absent) of \(list.favorites.count) are not among them (mode: merge adds them)",
            items: counts)
    }

    private func take(
        _ list: DecodedFavorites, _ rule: FavoritesRule, _ entity: Entity, _ entry: Found, _ targets: LegacyTargets,
        _ plan: inout LegacyImportPlan
    ) -> LedgerLine {
        let existing = targets.keys[entity.name] ?? []
        var inserted = 0
        var present = 0
        for favorite in list.favorites {
            let key = key(favorite.key, entity, targets.shape)
            if existing.contains(key) {
                present += 1
                continue
            }
            inserted += 1
            var columns = [rule.column]
            var values = [key]
            if let modified = entity.modified {
                columns.append(modified.column)
                values.append(storedDate(favorite.date ?? entry.modified, for: entity, targets.shape))
            }
            plan.records.append(PlannedRecord(entity: entity.name, columns: columns, values: values))
        }
        var line = LedgerLine(
            key: rule.key, bucket: .migrated, into: "\(rule.entity).\(rule.column)",
            items: items(list, inserted: inserted, present: present))
        if let first = list.rejected.first {
            line.bucket = first.bucket
            line.note = "\(list.rejected.count) of \(list.itemCount) items not taken: \(first.reason)"
        } else if inserted == 0, present > 0 {
            line.bucket = .alreadyPresent
        } else if list.coercedCount > 0 {
            line.bucket = .coerced
            line.note = "\(list.coercedCount) of \(list.itemCount) items stored as text"
        }
        return line
    }

    /// How many items of the list ended where; the sum is the number of items.
    private func items(_ list: DecodedFavorites, inserted: Int, present: Int) -> [String: Int] {
        let all = [
            "migrated": inserted, "alreadyPresent": present, "duplicate": list.duplicates,
            "notFavorite": list.notFavorites, "rejected": list.rejected.count,
        ]
        return all.filter { $0.value > 0 }
    }

    /// The key as its column stores it: text, or an integer in an integer column where the text is one.
    private func key(_ text: String, _ entity: Entity, _ shape: SchemaShape) -> Value {
        let type = shape.table(named: entity.name)?.column(named: entity.key)?.type ?? ""
        switch SettingCoercion.coerce(.string(text), intoColumnOfType: type) {
        case .exact(let value), .coerced(let value, _, _): return value
        case .unsupported: return .string(text)
        }
    }
}
