internal import GodwitModel

extension RunReport.Copy {
    /// `40 Workout, 600 ExerciseSet → cloud (new store)`, then the outcome of each entity.
    func section(_ tense: Tense, _ setting: ReportSetting) -> OutlineSection {
        OutlineSection(
            .copy, outcome.symbol(planned: tense.planned), headline(tense), lines: details(tense, setting.style),
            items: items(tense, setting.positions),
            table: OutlineTable("Records", "Entity", entityTable(TextStyle(verbose: true))))
    }

    /// The changes to the cloud store, then each entity, the orphans, and the flag.
    private func items(_ tense: Tense, _ positions: ReportPositions) -> [OutlineItem] {
        guard outcome.hasChanges else { return [OutlineItem("copy", headline(tense), .passed, outcome.phrase)] }
        var items = schema?.items(tense, positions, prefix: "cloud store: ") ?? []
        if let dedupe, dedupe.outcome.hasChanges {
            items += dedupe.items(tense, positions, prefix: "cloud store: ")
        }
        items += entities.map { entity in
            OutlineItem("copied", entity.name, .passed, entity.sentence, at: positions.position(ofEntity: entity.name))
        }
        items += orphans.sorted { $0.key < $1.key }.map { column, count in
            let entity = column.split(separator: ".").first.map(String.init) ?? column
            return OutlineItem(
                "orphans", column, .doubtful, "\(count.counted("reference")) to a record that does not exist",
                at: positions.position(ofEntity: entity))
        }
        if let flag, added == nil {
            let state = flag.isSet ? tense.passive("set") : "not set"
            items.append(OutlineItem("flag", "flag \(flag.key)", flag.isSet ? .passed : .doubtful, state))
        }
        return items
    }

    func headline(_ tense: Tense) -> String {
        switch outcome {
        case .failed: return "failed; the cloud store is as it was, and the flag was not set"
        case .nothingToDo: return "nothing to copy"
        case .alreadyDone:
            guard let flag, flag.isSet else { return "already done by an earlier run" }
            return "already done: the flag \(flag.key) is set"
        case .healed:
            return
                "copied by an earlier run; only its completion flag \(tense.planned ? "is" : "was") missing"
        case .done, .partial:
            // Entities without a record are in the table below.
            let copied = entities.contains { $0.local > 0 } ? entities.filter { $0.local > 0 } : entities
            let records = copied.map { "\($0.local.grouped) \($0.name)" }.joined(separator: ", ")
            if let since, copied.allSatisfy({ $0.local == 0 }) {
                return "no local record is newer than the copy of \(since.readable)"
            }
            let target =
                createdStore
                ? "(new store)"
                : added != nil ? "(new in the manifest)" : since != nil ? "(newer than the copy)" : "(merged)"
            let start = tense.planned ? "would copy " : ""
            return "\(start)\(records.isEmpty ? "no records" : records) → cloud \(target)"
        }
    }

    private func details(_ tense: Tense, _ style: TextStyle) -> [TextLine] {
        var lines: [TextLine] = []
        if let schema, schema.outcome.hasChanges || style.verbose {
            lines.append(TextLine(indent: 4, .item, schema.headline(tense)))
        }
        if let dedupe, dedupe.outcome.hasChanges || style.verbose {
            lines.append(TextLine(indent: 4, .item, "cloud store: \(dedupe.headline(tense))"))
            lines += dedupe.details(indent: 6, style)
        }
        if outcome.hasChanges, !entities.isEmpty { lines += entityTable(style).lines(indent: 4, style) }
        for (place, count) in orphans.sorted(by: { $0.key < $1.key }) {
            lines.append(
                TextLine(
                    indent: 4, .caution, "\(count.counted("reference")) in \(place) to a record that does not exist"))
        }
        for (place, count) in (referencesTakenBack ?? [:]).sorted(by: { $0.key < $1.key }) {
            lines.append(
                TextLine(
                    indent: 4, .item,
                    "\(count.counted("reference")) in \(place) that an earlier run changed "
                        + "\(tense.planned ? "would get" : "got") the value in the local store again"))
        }
        if let triggersHeldBack {
            let names = triggersHeldBack.prefix(5).joined(separator: ", ") + (triggersHeldBack.count > 5 ? ", …" : "")
            let count = triggersHeldBack.count.counted("trigger")
            lines.append(
                TextLine(
                    indent: 4, .item,
                    "\(count) \(tense.planned ? "would not" : "did not") run for copied records: \(names)"))
        }
        if outcome.hasChanges && added == nil || style.verbose, let flag { lines.append(flag.line(tense, style)) }
        return lines
    }

    /// The five outcomes of local records, then what the cloud held before (under
    /// `--verbose`) and holds now.
    func entityTable(_ style: TextStyle) -> NumberTable {
        let columns = ["local", "inserted", "updated", "equal", "kept", "duplicate", "before", "in cloud"]
        let rows = entities.map { entity in
            (
                name: entity.name,
                numbers: [
                    entity.local, entity.inserted, entity.updated, entity.equal, entity.cloudKept, entity.duplicates,
                    style.verbose ? entity.cloudBefore : 0, entity.cloudAfter,
                ]
            )
        }
        return NumberTable(columns: columns, rows: rows)
            .withoutEmptyColumns(except: ["local", "inserted", "in cloud"])
    }
}

extension RunReport.Flag {
    fileprivate func line(_ tense: Tense, _ style: TextStyle) -> TextLine {
        let state = isSet ? tense.passive("set") : "not set"
        let place = style.verbose ? file : file.split(separator: "/").last.map(String.init) ?? file
        return TextLine(indent: 4, isSet ? .item : .caution, "flag \(key) \(state) in \(place)")
    }
}

extension RunReport.Copy.Entity {
    /// `40 local: 38 inserted, 2 equal; 40 in the cloud`.
    var sentence: String {
        let parts: [(Int64, String)] = [
            (inserted, "inserted"), (updated, "updated"), (equal, "equal"), (cloudKept, "kept as in the cloud"),
            (duplicates, "duplicate"),
        ]
        let shown = parts.filter { $0.0 != 0 }.map { "\($0.0.grouped) \($0.1)" }.joined(separator: ", ")
        return "\(local.grouped) local\(shown.isEmpty ? "" : ": " + shown); \(cloudAfter.grouped) in the cloud"
    }
}
