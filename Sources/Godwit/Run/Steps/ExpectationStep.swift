internal import GodwitJSON
internal import GodwitLedger
internal import GodwitModel
internal import GodwitPropertyList
internal import GodwitSQLite
internal import GodwitCopy

/// Reads the facts of an expectation from the stores after a run, and from their ledgers.
///
/// The ledger of earlier runs counts like that of this run, so that a container gives the same before its run, in a dry
/// run, and after it.
struct ExpectationStep: RunStep {
    let stores: StoreOpener

    /// Groups of duplicates that are listed at most.
    private static let listedWinners = 1000

    /// The state of the container.
    func describe(
        _ report: RunReport, selecting selections: [RecordSelection], file: String
    ) throws(GodwitError) -> [LegacyPair] {
        let survey = try survey(checkingIntegrity: false)
        var stores: [String: StoreFacts] = [:]
        for role in [StoreRole.local, .cloud] where try files[role].exists() {
            stores[role.rawValue] = try facts(role)
        }
        func part(_ value: (StoreFacts) -> LegacyValue?) -> LegacyValue {
            .dictionary(
                stores.sorted { $0.key < $1.key }.compactMap { role, facts in
                    value(facts).map { LegacyPair(key: role, value: $0) }
                })
        }
        let winners = stores.sorted { $0.key < $1.key }.flatMap { $0.value.winners }
        return [
            LegacyPair(key: "activeStore", value: .string(survey.activeStore?.rawValue ?? "none")),
            LegacyPair(key: "flagIsSet", value: .bool(survey.isFlagSet)),
            LegacyPair(key: "schema", value: part { $0.version.map { .integer(Int64($0)) } }),
            LegacyPair(key: "counts", value: part { .numbers($0.counts) }),
            LegacyPair(key: "orphans", value: part { .numbers($0.orphans) }),
            LegacyPair(key: "setAside", value: part { .numbers($0.setAside) }),
            LegacyPair(key: "replaced", value: part { .numbers($0.replaced) }),
            LegacyPair(key: "winners", value: .array(Array(winners.prefix(Self.listedWinners)))),
            LegacyPair(key: "legacy", value: legacyFacts(report, survey)),
            LegacyPair(key: "records", value: .array(try records(selections, survey.activeStore, file: file))),
        ]
    }

    /// The facts about one store.
    private struct StoreFacts {
        /// Nil of a store that schema files have no part in.
        var version: Int?
        var counts: [String: Int64] = [:]
        var orphans: [String: Int64] = [:]
        var setAside: [String: Int64] = [:]
        var replaced: [String: Int64] = [:]
        var winners: [LegacyValue] = []
    }

    private func facts(_ role: StoreRole) throws(GodwitError) -> StoreFacts {
        let snapshot = try stores.snapshot(role, .verify)
        let store = snapshot.connection
        var facts = StoreFacts()
        if role == .cloud || !isCoreData { facts.version = try store.readHistory()?.last?.version ?? 0 }
        let shape = try store.readShape()
        for entity in manifest.entities where shape.table(named: entity.name) != nil {
            facts.counts[entity.name] = try store.countRecords(of: entity.name)
        }
        if manifest.entities.allSatisfy({ shape.table(named: $0.name) != nil }) {
            facts.orphans = try OrphanSearch(manifest: manifest).count(in: store).mapValues { Int64($0) }
        }
        guard try store.has(.removed) else { return facts }
        let own = try ownRows(store)
        facts.setAside = try counts(store, "\(own) AND reason NOT LIKE 'replaced:%'")
        facts.replaced = try counts(store, "\(own) AND reason LIKE 'replaced:%'")
        facts.winners = try winners(store, own, role)
        return facts
    }

    /// The rows of the ledger about this store that were not undone; the ledger of an older Godwit does not have these
    /// facts.
    private func ownRows(_ store: SQLiteConnection) throws(GodwitError) -> String {
        let present = try store.columnNames(of: .removed)
        let conditions = ["carriedFrom", "undoneBy"].filter(present.contains).map { "\($0) IS NULL" }
        return (["entity IS NOT NULL"] + conditions).joined(separator: " AND ")
    }

    private func counts(_ store: SQLiteConnection, _ condition: String) throws(GodwitError) -> [String: Int64] {
        let rows = try store.rows("SELECT entity, count(*) FROM godwit_removed WHERE \(condition) GROUP BY entity")
        return rows.reduce(into: [:]) { counts, row in
            if case .integer(let number) = row[1] { counts[row[0].readable] = number }
        }
    }

    /// Who stayed, and the keys of those that did not.
    private func winners(
        _ store: SQLiteConnection, _ own: String, _ role: StoreRole
    ) throws(GodwitError) -> [LegacyValue] {
        let rows = try store.prepare(
            """
            SELECT entity, winnerKey, reason, key FROM godwit_removed WHERE \(own) AND reason NOT LIKE 'replaced:%'
            ORDER BY entity, winnerKey, reason, id
            """)
        var groups: [(head: [Value], losers: [Value])] = []
        while try rows.step() {
            let head = [rows.value(0), rows.value(1), rows.value(2)]
            if let last = groups.last, last.head == head {
                if last.losers.count < Self.listedWinners { groups[groups.count - 1].losers.append(rows.value(3)) }
            } else {
                guard groups.count < Self.listedWinners else { break }
                groups.append((head, [rows.value(3)]))
            }
        }
        return try groups.map { group throws(GodwitError) in
            .dictionary([
                LegacyPair(key: "store", value: .string(role.rawValue)),
                LegacyPair(key: "entity", value: .string(group.head[0].readable)),
                LegacyPair(key: "winner", value: try LegacyValue(stored: group.head[1])),
                LegacyPair(key: "reason", value: .string(group.head[2].readable)),
                LegacyPair(key: "losers", value: .array(try group.losers.sorted().map(LegacyValue.init(stored:)))),
            ])
        }
    }

    /// The outcomes of the legacy keys: by bucket from the receipt, or from the report if there is none; by key only
    /// from the report, before the import.
    ///
    /// Without keys to import there is no receipt, and only the key list exists, before the run and after it. The flag
    /// that the run adds to the preferences is left out: `flagIsSet` has it.
    private func legacyFacts(_ report: RunReport, _ survey: ContainerSurvey) -> LegacyValue {
        let booked = survey.legacyReceipt.flatMap { try? JSONReader.read(Array($0.detail.utf8)) }
        var members: [LegacyPair] = []
        if case .dictionary(let pairs)? = booked, let buckets = pairs.first(where: { $0.hasKey("buckets") }) {
            members.append(buckets)
        } else if let legacy = report.legacy, survey.legacyReceipt == nil {
            let buckets = Dictionary(ledger(legacy).map { ($0.bucket.rawValue, Int64(1)) }, uniquingKeysWith: +)
            members.append(LegacyPair(key: "buckets", value: .numbers(buckets)))
        }
        if let legacy = report.legacy, legacy.outcome != .alreadyDone {
            let lines = ledger(legacy).map { line in
                let words = [line.bucket.rawValue, line.into].compactMap { $0 }
                return LegacyPair(key: line.key, value: .string(words.joined(separator: " ")))
            }
            members.append(LegacyPair(key: "keys", value: .dictionary(lines)))
        }
        return .dictionary(members)
    }

    /// The lines of keys that were there before the run.
    private func ledger(_ legacy: RunReport.Legacy) -> [RunReport.Legacy.Key] {
        guard legacy.outcome == .nothingToDo else { return legacy.ledger }
        return legacy.ledger.filter { !$0.key.utf8.elementsEqual(manifest.copy.flag.utf8) }
    }
}

extension LegacyValue {
    /// A stored value as an export writes it: what JSON can't hold keeps its type.
    init(stored value: Value) throws(GodwitError) {
        var json = JSONBuffer(capacity: 64)
        json.append(value)
        self = try JSONReader.read(json.bytes)
    }

    /// Numbers by name.
    fileprivate static func numbers(_ numbers: [String: Int64]) -> LegacyValue {
        .dictionary(numbers.map { LegacyPair(key: $0.key, value: .integer($0.value)) })
    }
}
