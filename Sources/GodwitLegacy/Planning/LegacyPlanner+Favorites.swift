internal import GodwitModel

extension LegacyPlanner {
    /// Adds each new favorite, and returns the key's line with the outcomes of its items.
    func planFavorites(
        _ rule: FavoritesRule, _ entry: LegacyEntry, _ targets: LegacyTargets, _ taken: inout AcceptedFavorites
    ) -> RunReport.Legacy.Key {
        let into = "\(rule.entity).\(rule.column)"
        guard let entity = manifest.entity(named: rule.entity) else {
            return RunReport.Legacy.Key(key: rule.key, bucket: .unsupported, into: into, note: "no such entity")
        }
        switch FavoritesDecoder.decode(entry.value, as: rule.encoding, dates: rule.dates) {
        case .unsupported(let reason):
            return RunReport.Legacy.Key(key: rule.key, bucket: .unsupported, into: into, note: reason)
        case .decoded(let list):
            let tally = tally(list, rule, entity, entry, targets, &taken)
            var line = RunReport.Legacy.Key(key: rule.key, bucket: tally.bucket, into: into, note: tally.note)
            if isClosed(rule, entity, targets) {
                line.bucket = .alreadyPresent
                let missing = tally.notTaken == 0 ? nil : tally.notTakenNote
                line.note = ["\(entity.name) has records already", missing].compactMap(\.self).joined(separator: "; ")
            }
            line.items = tally.items
            return line
        }
    }

    /// Whether the entity has records and accepts no more.
    private func isClosed(_ rule: FavoritesRule, _ entity: Entity, _ targets: LegacyTargets) -> Bool {
        rule.mode == .onlyIntoEmpty && targets.hasRecords(entity.name)
    }

    private func tally(
        _ list: DecodedFavorites, _ rule: FavoritesRule, _ entity: Entity, _ entry: LegacyEntry,
        _ targets: LegacyTargets,
        _ taken: inout AcceptedFavorites
    ) -> FavoritesTally {
        let existing = targets.keys[entity.name] ?? []
        let isClosed = isClosed(rule, entity, targets)
        let type = targets.shape.declaredType(of: entity.key, in: entity.name)
        var tally = FavoritesTally(list)
        for favorite in list.favorites {
            switch FavoriteKey(favorite, in: type) {
            case .refused(let reason): tally.refuse(reason)
            case .taken(let key, _) where existing.contains(key): tally.present += 1
            case .taken where isClosed: tally.notTaken += 1
            case .taken(let key, let isCoerced):
                let date = favorite.date ?? entry.modified
                if taken.take(key, into: entity, rule.column, date: date) {
                    tally.insert(isCoerced ? key.className : nil)
                } else {
                    tally.repeated += 1
                }
            }
        }
        return tally
    }

    func records(_ taken: AcceptedFavorites, _ targets: LegacyTargets) -> [PlannedRecord] {
        taken.favorites.map { favorite in
            var columns = [favorite.column]
            var values = [favorite.key]
            if let modified = favorite.entity.modified {
                columns.append(modified.column)
                values.append(storedDate(favorite.date, for: favorite.entity, targets.shape))
            }
            return PlannedRecord(entity: favorite.entity.name, columns: columns, values: values)
        }
    }
}
