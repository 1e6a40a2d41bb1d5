extension RunReport {
    /// The result of the run, in a few words: `40 Workout, 600 ExerciseSet` or `no records`.
    public var summary: String { summary(inOrder: copy?.entities.map(\.name) ?? counts.keys.sorted()) }

    /// The same, with the entities in a given order.
    package func summary(inOrder entities: [String]) -> String {
        let counts = counts
        if let undo {
            let restored = counts.values.reduce(0, +)
            return "\(restored.counted("duplicate")) of run \((undo.runId ?? "?").prefix(8)) put back"
        }
        if let reopen { return "copy reopened\(reopen.all ? ", all records" : "")" }
        let records = entities.compactMap { entity in
            counts[entity].flatMap { $0 > 0 ? "\($0.grouped) \(entity)" : nil }
        }
        if !records.isEmpty { return records.joined(separator: ", ") }
        if copy?.outcome == .healed { return "completion flag set" }
        let removed = (dedupe?.removed.values.reduce(0, +) ?? 0)
        if removed > 0 { return "\(removed.counted("duplicate")) set aside" }
        if let schema, schema.outcome == .done { return "schema at version \(schema.toVersion)" }
        return "no records"
    }

    /// The number of records by entity that the run copied, put back or inserted.
    package var counts: [String: Int64] {
        if let copied = copy?.entities, !copied.isEmpty {
            return Dictionary(copied.map { ($0.name, $0.local) }, uniquingKeysWith: { first, _ in first })
        }
        if let undo {
            return undo.stores.reduce(into: [:]) { counts, store in
                for (name, count) in store.restored { counts[name, default: 0] += Int64(count) }
            }
        }
        return (legacy?.inserted ?? [:]).mapValues { Int64($0) }
    }
}
