internal import GodwitJSON
package import GodwitModel
package import GodwitSQLite

/// The part of a legacy import's receipt that permits a later import of keys that are mapped later: the outcome of each
/// key, and the records made from settings.
package struct ImportedKeys: Sendable {
    /// By the bytes of the key: Swift compares strings by canonical equivalence.
    private var buckets: [[UInt8]: RunReport.Legacy.KeyOutcome] = [:]
    /// The rules of those keys; none from an older Godwit.
    private var rules: [[UInt8]: ImportedRule] = [:]
    /// By entity: the value of each column at the time of the import.
    private var records: [String: [String: Value]] = [:]
    /// The preferences files that existed, in their order.
    private var files: [String] = []

    package init() {}

    /// Nil if the receipt does not contain them, as those of an older Godwit.
    package init?(_ receipt: Receipt) {
        guard receipt.stage == .legacy, let members = receipt.members, let keys = members["keys"]?.elements else {
            return nil
        }
        for case .array(let pair) in keys where pair.count == 2 {
            if let key = pair[0].text, let bucket = pair[1].text.flatMap(RunReport.Legacy.KeyOutcome.init) {
                buckets[Array(key.utf8)] = bucket
            }
        }
        for case .array(let parts) in members["rules"]?.elements ?? [] where parts.count == 3 {
            guard let key = parts[0].text, let into = parts[1].text, let digest = parts[2].text else { continue }
            rules[Array(key.utf8)] = ImportedRule(into: into, digest: digest)
        }
        files = (members["sources"]?.elements ?? []).compactMap { $0["sha256"]?.text == nil ? nil : $0["path"]?.text }
        for pair in members["records"]?.pairs ?? [] {
            guard let members = TypedJSON.members(of: Array((pair.value.text ?? "").utf8)) else { continue }
            records[pair.key] = Dictionary(members) { first, _ in first }
        }
    }

    /// The outcome of an imported key; nil if no file had it then, or nothing mapped it.
    package func bucket(of key: String) -> RunReport.Legacy.KeyOutcome? {
        guard let bucket = buckets[Array(key.utf8)], bucket != .defaulted, bucket != .unmapped else { return nil }
        return bucket
    }

    /// Whether a key that a file has is still to be imported: nothing mapped it, or its rule was corrected since.
    ///
    /// - Parameters:
    ///   - source: the preferences file that has it.
    ///   - named: the preferences files of the manifest, in their order.
    package func isOpen(_ rule: SettingRule, source: String, named: [String]) -> Bool {
        guard let bucket = bucket(of: rule.key), bucket != .localOnly else { return true }
        let before = rules[Array(rule.key.utf8)]
        guard let before, before != ImportedRule(rule, source: source) else { return false }
        guard let old = files.first(where: { before == ImportedRule(rule, source: $0) }) else { return true }
        return isCorrected(from: old, to: source, named)
    }

    /// Whether the manifest is the reason that a key is taken from another file.
    ///
    /// An app may remove a key from one file, or write it into another: its value was imported once, and stays.
    private func isCorrected(from old: String, to new: String, _ named: [String]) -> Bool {
        guard let oldPlace = named.firstIndex(of: old), let newPlace = named.firstIndex(of: new),
            let before = files.firstIndex(of: new), let other = files.firstIndex(of: old)
        else { return true }
        return (newPlace < oldPlace) != (before < other)
    }

    /// Whether a list that a file has is still to be imported.
    ///
    /// Favorites that were imported stay as they are: users may have deleted some since. So only another entity or column
    /// counts, or a list that could not be read.
    package func isOpen(_ rule: FavoritesRule) -> Bool {
        guard let bucket = bucket(of: rule.key), bucket != .localOnly else { return true }
        guard let before = rules[Array(rule.key.utf8)] else { return false }
        let now = ImportedRule(rule)
        return before.into != now.into || before != now && [.unsupported, .conflict].contains(bucket)
    }

    /// A record that an import made; nil if none did.
    package func record(of entity: String) -> [String: Value]? { records[entity] }

    /// Combines both; the later one has priority.
    package func merging(_ later: ImportedKeys) -> ImportedKeys {
        var merged = self
        merged.buckets.merge(later.buckets) { $1 }
        merged.rules.merge(later.rules) { $1 }
        merged.records.merge(later.records) { $1 }
        if !later.files.isEmpty { merged.files = later.files }
        return merged
    }

    /// Adds the outcomes of the keys in a report, and the rules by which they came about.
    package mutating func add(_ ledger: [RunReport.Legacy.Key], by legacy: LegacyRules) {
        for line in ledger where line.bucket != .unmapped {
            let key = Array(line.key.utf8)
            buckets[key] = line.bucket
            if let rule = legacy.favorites.first(where: { $0.key.utf8.elementsEqual(key) }) {
                rules[key] = ImportedRule(rule)
            } else if let rule = legacy.settings.first(where: { $0.key.utf8.elementsEqual(key) }) {
                rules[key] = line.source.map { ImportedRule(rule, source: $0) }
            }
        }
    }

    /// Adds the current record of a store, if it exists.
    package mutating func add(recordOf entity: Entity, in store: SQLiteConnection) throws(GodwitError) {
        guard let key = entity.singleton, let row = try store.row(of: entity, key: .string(key)) else { return }
        records[entity.name] = row
    }

    /// The member `keys`: the outcome of each.
    package var outcomes: LegacyValue {
        let sorted = buckets.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        return .array(
            sorted.map { .array([.string(String(decoding: $0.key, as: UTF8.self)), .string($0.value.rawValue)]) })
    }

    /// The member `rules`: key, entity and column, and digest of each.
    package var ruleTexts: LegacyValue {
        let sorted = rules.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        return .array(
            sorted.map { key, rule in
                .array([.string(String(decoding: key, as: UTF8.self)), .string(rule.into), .string(rule.digest)])
            })
    }

    /// The member `records`: each record as a text that `TypedJSON` reads.
    package var recordTexts: LegacyValue {
        .dictionary(
            records.sorted { $0.key < $1.key }.map { entity, row in
                let members = row.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
                return LegacyPair(
                    key: entity, value: .string(String(decoding: TypedJSON.object(of: members), as: UTF8.self)))
            })
    }
}

extension SQLiteConnection {
    /// The columns of a record, by name; nil if no record has this key.
    package func row(of entity: Entity, key: Value) throws(GodwitError) -> [String: Value]? {
        let shape = try readShape()
        guard let table = shape.table(named: entity.name), table.column(named: entity.key) != nil else { return nil }
        let columns = table.columnsInFile.map(\.name)
        let list = columns.map(quoted).joined(separator: ", ")
        let rows = try rows(
            "SELECT \(list) FROM \(source(entity.name, in: "main")) WHERE \(quoted(entity.key)) = ? COLLATE BINARY",
            [key])
        return rows.first.map { Dictionary(zip(columns, $0)) { first, _ in first } }
    }

    /// Writes the receipt of a stage again with added details; run and time of the first one stay.
    package func renew(_ receipt: Receipt) throws(GodwitError) {
        guard try readReceipt(receipt.stage) != nil else { return try write(receipt) }
        try execute(
            "UPDATE godwit_receipt SET manifestSha256 = ?, detail = ? WHERE stage = ?",
            [.string(receipt.manifestSHA256), .string(receipt.detail), .string(receipt.stage.rawValue)])
    }
}
