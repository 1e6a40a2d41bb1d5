internal import GodwitModel

// What each stage's report says, finding by finding. More than a thousand of a kind are only counted: nobody reads them
// one by one, and a viewer of test results has to hold them all.

extension Finding {
    /// Findings of one kind before the rest is only counted.
    static let listed = 1_000

    /// A line for those that are not listed.
    static func rest(
        _ kind: String, _ count: Int, _ verdict: FindingVerdict = .passed, at place: FilePosition? = nil
    ) -> [Finding] {
        guard count > 0 else { return [] }
        var finding = Finding(kind, "and \(count.grouped) more", verdict, "not listed one by one", at: place)
        finding.count = count
        return [finding]
    }
}

extension SchemaReport {
    /// Adopted, created, each file applied; else that there was nothing to apply.
    func findings(_ tense: Tense, _ places: ReportPositions, prefix: String = "") -> [Finding] {
        guard outcome.hasChanges else { return [Finding("schema", prefix + headline(tense), .passed, outcome.phrase)] }
        let name = store?.phrase ?? "store"
        var findings: [Finding] = []
        if created {
            findings.append(Finding("created", "\(prefix)\(name)", .passed, tense.passive("created")))
        } else if let adoptedAt {
            let version = Self.label(adoptedAt)
            findings.append(
                Finding("adopted", "\(prefix)\(name) at \(version)", .passed, tense.passive("adopted at \(version)")))
        }
        findings += applied.map { migration in
            Finding(
                "applied", "\(prefix)\(Self.label(migration.version)) \(migration.name)", .passed,
                tense.passive("applied"), at: places.place(of: migration))
        }
        return findings
    }
}

extension LegacyReport {
    /// Each key, worst first by bucket; a value left behind fails where every value is demanded.
    func findings(_ tense: Tense, isStrict: Bool, _ setting: ReportSetting) -> [Finding] {
        let text = LedgerText(lines: [], style: setting.style)
        let findings = KeyOutcome.allCases.flatMap { bucket -> [Finding] in
            let lines = ledger.filter { $0.bucket == bucket }
            let listed = lines.prefix(Finding.listed).map { line in
                Finding(
                    bucket.phrase, line.key, line.verdict(isStrict: isStrict),
                    text.reason(line).isEmpty ? bucket.meaning : text.reason(line),
                    at: setting.places.place(ofLegacyKey: line.key))
            }
            return listed
                + Finding.rest(
                    bucket.phrase, lines.count - listed.count, bucket.verdict(isStrict: isStrict),
                    at: setting.places.placeOfLegacyRules)
        }
        if !findings.isEmpty { return findings }
        return [Finding("legacy", headline(tense), .passed, outcome.phrase)]
    }
}

extension LedgerLine {
    /// The bucket's verdict, or that of an item that was not taken.
    fileprivate func verdict(isStrict: Bool) -> FindingVerdict {
        max(bucket.verdict(isStrict: isStrict), (items?["rejected"] ?? 0) > 0 ? .doubtful : .passed)
    }
}

extension KeyOutcome {
    /// What becomes of a line of it.
    func verdict(isStrict: Bool) -> FindingVerdict {
        switch self {
        case .migrated, .defaulted, .coerced, .alreadyPresent, .localOnly: .passed
        case .unmapped: .noticed
        case .unsupported, .conflict: isStrict ? .failed : .doubtful
        }
    }

    /// The bucket as a sentence, for a line that says nothing else.
    var meaning: String {
        switch self {
        case .migrated: "stored unchanged"
        case .defaulted: "no file has it; the default is stored"
        case .coerced: "stored in another type or spelling"
        case .alreadyPresent: "the store had a record already"
        case .localOnly: "stays where it is, by intent"
        case .unsupported: "its type can't be stored where it should go"
        case .conflict: "its value is not in the value map, or contradicts something"
        case .unmapped: "the manifest does not speak of it"
        }
    }
}

extension DedupeReport {
    /// Each group; else that there are none.
    func findings(_ tense: Tense, _ places: ReportPositions, prefix: String = "") -> [Finding] {
        guard groupCount > 0 || !groups.isEmpty else {
            return [Finding("dedupe", prefix + headline(tense), .passed, outcome.phrase)]
        }
        let listed = groups.prefix(Finding.listed).map { group in
            Finding(
                group.entity, "\(prefix)\(group.entity) \(group.key)", .passed,
                group.reason.phrase(records: group.losers.count + 1), at: places.place(ofEntity: group.entity))
        }
        return listed + Finding.rest("groups", max(groupCount, groups.count) - listed.count)
    }
}

extension UndoReport {
    /// Each store.
    func findings(_ tense: Tense) -> [Finding] {
        guard !stores.isEmpty else { return [Finding("undo", headline(tense), .passed, outcome.phrase)] }
        return stores.map { store in
            Finding(
                "undo", store.store.phrase, store.kept > 0 ? .noticed : .passed,
                store.outcome.hasChanges ? store.summary(tense) : store.outcome.phrase)
        }
    }
}

extension CopyReport {
    /// What was done to the cloud store first, then each entity, references that lead nowhere, and the flag.
    func findings(_ tense: Tense, _ places: ReportPositions) -> [Finding] {
        guard outcome.hasChanges else { return [Finding("copy", headline(tense), .passed, outcome.phrase)] }
        var findings = schema?.findings(tense, places, prefix: "cloud store: ") ?? []
        if let dedupe, dedupe.outcome.hasChanges {
            findings += dedupe.findings(tense, places, prefix: "cloud store: ")
        }
        findings += entities.map { entity in
            Finding("copied", entity.name, .passed, entity.sentence, at: places.place(ofEntity: entity.name))
        }
        findings += orphans.sorted { $0.key < $1.key }.map { place, count in
            let entity = place.split(separator: ".").first.map(String.init) ?? place
            return Finding(
                "orphans", place, .doubtful, "\(count.counted("reference")) to a record that does not exist",
                at: places.place(ofEntity: entity))
        }
        if let flag, added == nil {
            findings.append(
                Finding(
                    "flag", "flag \(flag.key)", flag.isSet ? .passed : .doubtful,
                    flag.isSet ? tense.passive("set") : "not set"))
        }
        return findings
    }
}

extension CopiedEntity {
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

extension VerifyReport {
    /// Each check; else that there is nothing to check.
    func findings(_ tense: Tense) -> [Finding] {
        guard !checks.isEmpty else {
            return [Finding("verify", headline(planned: tense.planned), outcome == .failed ? .failed : .passed, "")]
        }
        var findings = checks.map { check in
            let kind = check.name.split(separator: ".").first.map(String.init) ?? check.name
            let verdict: FindingVerdict =
                switch check.verdict {
                case .passed: .passed
                case .failed: .failed
                case .skipped: .skipped
                }
            return Finding(kind, check.name, verdict, check.detail + (check.count.map { " (\($0.grouped))" } ?? ""))
        }
        findings += (changedInCloud ?? []).map { Finding("changedInCloud", $0.entity, .noticed, $0.sentence) }
        if outcome == .failed, !findings.contains(where: { $0.verdict == .failed }) {
            findings.append(Finding("verify", "verify", .failed, "failed before the checks were complete"))
        }
        return findings
    }
}
