internal import GodwitModel

extension BackupReport {
    /// `3 files backed up (1,204 bytes)`, then the folder.
    func stageText(planned: Bool, _ style: TextStyle) -> StageText {
        StageText(
            .backup, planned ? .pointer : .good, headline(Tense(planned: planned)),
            details: [.path(indent: 4, folder)])
    }

    func headline(_ tense: Tense) -> String {
        let existing = files.filter(\.exists)
        let bytes = existing.reduce(Int64(0)) { $0 + $1.bytes }
        return "\(existing.count.counted("file")) \(tense.passive("backed up")) (\(bytes.counted("byte")))"
    }

    /// Each file.
    func findings(_ tense: Tense) -> [Finding] {
        files.map { file in
            Finding(
                "backup", file.file, .passed,
                file.exists ? "\(tense.passive("backed up")) in \(folder)" : "did not exist")
        }
    }
}

extension RollbackReport {
    /// `2 files put back as of 2026-11-21 06:00:00 UTC`, then each file, then the flag.
    func stageText(planned: Bool, _ style: TextStyle) -> StageText {
        let tense = Tense(planned: planned)
        var details: [TextLine] = []
        for file in files where file.action != .unchanged {
            details.append(TextLine(indent: 4, .item, file.sentence(tense)))
            if let kept = file.keptAs { details.append(.path(indent: 6, kept)) }
        }
        if let flag {
            details.append(
                TextLine(indent: 4, .item, "flag \(flag.key): \(flag.isSet ? "set" : "not set")"))
        }
        return StageText(.rollback, outcome.symbol(planned: planned), headline(tense), details: details)
    }

    func headline(_ tense: Tense) -> String {
        guard outcome.hasChanges else { return "all files are those of the backup already" }
        let (back, aside) = (files.count { $0.action == .restored }, files.count { $0.action == .removed })
        let renamed = aside > 0 ? ", \(aside.grouped) only renamed" : ""
        return "\(back.counted("file")) \(tense.passive("put back")) as of \(madeAt.readable)\(renamed)"
    }

    /// Each file.
    func findings(_ tense: Tense) -> [Finding] {
        files.map { file in
            Finding(
                "rollback", file.file, .passed,
                [file.sentence(tense), file.keptAs].compactMap(\.self).joined(separator: " "))
        }
    }
}

extension RolledBackFile {
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
