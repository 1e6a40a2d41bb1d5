internal import GodwitJSON
package import GodwitModel

/// The JSON object that a receipt holds as its detail.
extension Receipt {
    /// The receipt of a stage with these members, in their order; those without a value are left out.
    package init(
        stage: GodwitError.Stage, runIdentifier: String, completedAt: Instant, manifestSHA256: String,
        members: [(name: String, value: LegacyValue?)]
    ) {
        let pairs = members.compactMap { name, value in value.map { LegacyPair(key: name, value: $0) } }
        var json = JSONBuffer(capacity: 1024)
        json.append(tree: .dictionary(pairs))
        self.init(
            stage: stage, runIdentifier: runIdentifier, completedAt: completedAt, manifestSHA256: manifestSHA256,
            detail: String(decoding: json.bytes, as: UTF8.self))
    }

    /// The object; nil if it is unreadable: a store's content is untrusted, so the size is limited.
    var members: LegacyValue? {
        guard detail.utf8.count < 1 << 22 else { return nil }
        return JSONParser.parse(Array(detail.utf8), limits: .init(depth: 16, acceptsAnyEscape: true))
    }

    /// The CloudKit environment in a receipt; nil if it has none; those of an older Godwit have none.
    package var recordedEnvironment: String? { members?["environment"]?.text }

    /// Path of the local store that was copied, inside its container; nil if the receipt has none.
    package var copiedStore: String? { stage == .copy ? members?["local"]?.text : nil }

    /// Distinguishes that store from other stores (`keyDigest`); nil if the receipt has none.
    package var copiedDigest: String? { stage == .copy ? members?["digest"]?.text : nil }

    /// The SHA-256 of each file that a legacy import read, in hexadecimal; nil if the receipt has none.
    package var importedFiles: Set<String>? {
        guard stage == .legacy, let sources = members?["sources"]?.elements else { return nil }
        return Set(sources.compactMap { $0["sha256"]?.text })
    }

    /// How many legacy keys had each outcome; nil if the receipt has none.
    package var importedBuckets: [String: Int]? {
        guard let buckets = members?["buckets"]?.pairs else { return nil }
        return Dictionary(buckets.map { ($0.key, Int($0.value.wholeNumber ?? 0)) }) { first, _ in first }
    }

    /// What a copy did with each entity; nil if the receipt can't be read.
    package var copiedEntities: [RunReport.Copy.Entity]? {
        guard stage == .copy, let items = members?["entities"]?.elements else { return nil }
        let entities = items.compactMap { RunReport.Copy.Entity($0) }
        return entities.count == items.count ? entities : nil
    }
}

extension RunReport.Copy.Entity {
    private static var counts: [(name: String, path: WritableKeyPath<Self, Int64>)] {
        [
            ("local", \.local), ("inserted", \.inserted), ("updated", \.updated), ("equal", \.equal),
            ("cloudKept", \.cloudKept), ("duplicates", \.duplicates), ("sameDate", \.sameDate),
        ]
    }

    /// The entity as the receipt of a copy names it; `sameDate` only if there are such records.
    package var receiptItem: LegacyValue {
        var pairs = [LegacyPair(key: "name", value: .string(name))]
        for (name, path) in Self.counts where path != \.sameDate || sameDate > 0 {
            pairs.append(LegacyPair(key: name, value: .integer(self[keyPath: path])))
        }
        return .dictionary(pairs)
    }

    fileprivate init?(_ item: LegacyValue) {
        guard let name = item["name"]?.text else { return nil }
        self.init(name: name, local: 0)
        for (name, path) in Self.counts {
            guard let count = item[name]?.wholeNumber ?? (path == \.sameDate ? 0 : nil) else { return nil }
            self[keyPath: path] = count
        }
    }
}
