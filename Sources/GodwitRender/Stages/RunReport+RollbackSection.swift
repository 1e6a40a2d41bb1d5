internal import GodwitModel

extension RunReport.Backup {
    /// `3 files backed up (1,204 bytes)`, then the folder.
    func section(_ tense: Tense) -> OutlineSection {
        OutlineSection(
            .backup, tense.planned ? .pointer : .good, headline(tense), lines: [.path(indent: 4, folder)],
            items: files.map { file in
                OutlineItem(
                    "backup", file.file, .passed,
                    file.exists ? "\(tense.passive("backed up")) in \(folder)" : "did not exist")
            })
    }

    func headline(_ tense: Tense) -> String {
        let existing = files.filter(\.exists)
        let bytes = existing.reduce(Int64(0)) { $0 + $1.bytes }
        return "\(existing.count.counted("file")) \(tense.passive("backed up")) (\(bytes.counted("byte")))"
    }
}

extension RunReport.Rollback {
    /// `2 files put back as of 2026-11-21 06:00:00 UTC`, then each file, then the flag.
    func section(_ tense: Tense) -> OutlineSection {
        var lines: [TextLine] = []
        for file in files where file.action != .unchanged {
            lines.append(TextLine(indent: 4, .item, file.sentence(tense)))
            if let kept = file.keptAs { lines.append(.path(indent: 6, kept)) }
        }
        if let flag { lines.append(flag.line(tense)) }
        return OutlineSection(
            .rollback, outcome.symbol(planned: tense.planned), headline(tense), lines: lines,
            items: files.map { file in
                OutlineItem(
                    "rollback", file.file, .passed,
                    [file.sentence(tense), file.keptAs].compactMap(\.self).joined(separator: " "))
            })
    }

    func headline(_ tense: Tense) -> String {
        guard outcome.hasChanges else { return "all files are those of the backup already" }
        let (back, aside) = (files.count { $0.action == .restored }, files.count { $0.action == .removed })
        let renamed = aside > 0 ? ", \(aside.grouped) more renamed" : ""
        return "\(back.counted("file")) \(tense.passive("put back")) as of \(madeAt.readable)\(renamed)"
    }
}

extension RunReport.Rollback.File {
    /// `cloud store: put back; the file that was there has a new name:`.
    fileprivate func sentence(_ tense: Tense) -> String {
        let name =
            switch role {
            case .preferences: "preferences"
            case .cloud: "cloud store"
            case .local: "local store"
            }
        let renamed = "\(tense.planned ? "would have" : "has") a new name"
        return switch action {
        case .restored:
            "\(name): \(tense.passive("put back"))" + (keptAs == nil ? "" : "; the file that was there \(renamed):")
        case .removed: "\(name): not in the backup; the file that was there \(renamed):"
        case .unchanged: "\(name): not changed"
        }
    }
}

extension RunReport.Flag {
    /// `flag cloudMigrationDone is not set`.
    func line(_ tense: Tense) -> TextLine {
        TextLine(indent: 4, .item, "flag \(key) \(tense.planned ? "would be" : "is") \(isSet ? "set" : "not set")")
    }
}
