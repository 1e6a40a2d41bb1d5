package import GodwitModel
package import GodwitPropertyList

/// Decides the outcome of every legacy key: pure, from the manifest, the files and the contents of the store.
///
/// Invariant: each key in any file gets exactly one line, and so does each mapped key that no file has and whose
/// default is stored. So the sum of the outcomes is the number of lines.
package struct LegacyPlanner: Sendable {
    let manifest: Manifest
    let now: Instant
    /// Whether lines have values (`--verbose`), not only types and reasons.
    let showsValues: Bool

    package init(manifest: Manifest, now: Instant, showsValues: Bool) {
        (self.manifest, self.now, self.showsValues) = (manifest, now, showsValues)
    }

    /// A file in the manifest's list; its content is nil if it does not exist.
    package struct Input: Sendable {
        package let name: String
        package let file: LegacyFile?

        package init(name: String, file: LegacyFile?) {
            (self.name, self.file) = (name, file)
        }
    }

    /// A key with the value of the first file that has it.
    struct LegacyEntry {
        let value: LegacyValue
        let source: String
        let modified: Instant
        /// Later files with the same key.
        var shadowed: [String] = []
        /// Whether one of those files has another value.
        var isContested = false
    }

    package func plan(_ inputs: [Input], targets: LegacyTargets) -> LegacyImportPlan {
        let (keys, found) = collect(inputs)
        var plan = LegacyImportPlan()
        plan.sources = inputs.map { input in
            RunReport.Legacy.Source(
                path: input.name, format: input.file?.format, size: input.file?.size ?? 0, sha256: input.file?.sha256,
                keyCount: input.file?.root.count ?? 0, modifiedAt: input.file?.modified)
        }
        var lines: [Bytes: RunReport.Legacy.Key] = [:]
        var defaults: [RunReport.Legacy.Key] = []
        planSettings(found, targets, &plan, &lines, &defaults)
        var taken = AcceptedFavorites()
        for rule in manifest.legacy.favorites {
            guard let entry = found[Bytes(rule.key)] else { continue }
            lines[Bytes(rule.key)] = planFavorites(rule, entry, targets, &taken)
        }
        plan.records += records(taken, targets)
        plan.hasMappedKeys = !lines.isEmpty
        plan.ledger = keys.map { key in
            let entry = found[Bytes(key)]
            var line = lines[Bytes(key)] ?? unmappedLine(key, entry?.value)
            line.source = entry?.source
            if let shadowed = entry?.shadowed, !shadowed.isEmpty {
                let also =
                    "also in \(shadowed.joined(separator: ", "))"
                    + (entry?.isContested == true ? " with another value; the first file counts" : "")
                line.note = line.note.map { "\($0); \(also)" } ?? also
            }
            return line
        }
        if plan.hasMappedKeys { plan.ledger += defaults }
        return plan
    }

    private func collect(_ inputs: [Input]) -> (keys: [String], found: [Bytes: LegacyEntry]) {
        var keys: [String] = []
        var found: [Bytes: LegacyEntry] = [:]
        for input in inputs {
            guard let file = input.file else { continue }
            for pair in file.root {
                if let first = found[Bytes(pair.key)]?.value {
                    found[Bytes(pair.key)]?.shadowed.append(input.name)
                    if first != pair.value { found[Bytes(pair.key)]?.isContested = true }
                    continue
                }
                keys.append(pair.key)
                found[Bytes(pair.key)] = LegacyEntry(value: pair.value, source: input.name, modified: file.modified)
            }
        }
        return (keys, found)
    }

    private func unmappedLine(_ key: String, _ value: LegacyValue?) -> RunReport.Legacy.Key {
        let name = Bytes(key)
        if manifest.legacy.localOnly.contains(where: { Bytes($0) == name }) {
            return RunReport.Legacy.Key(key: key, bucket: .localOnly, note: "stays in the preferences, by intent")
        }
        if manifest.ignore.namesKey(key) {
            return RunReport.Legacy.Key(key: key, bucket: .localOnly, note: "ignored, by intent")
        }
        if Bytes(manifest.copy.flag) == name {
            return RunReport.Legacy.Key(key: key, bucket: .localOnly, note: "the completion flag")
        }
        if manifest.sync.enabledKey.map(Bytes.init) == name {
            return RunReport.Legacy.Key(key: key, bucket: .localOnly, note: "whether sync is on")
        }
        if let reason = value?.firstUnheld?.reason {
            return RunReport.Legacy.Key(key: key, bucket: .unsupported, note: reason)
        }
        return RunReport.Legacy.Key(key: key, bucket: .unmapped)
    }

    /// A date for a record, not later than now, in the encoding of its column.
    ///
    /// A column of whole numbers gets whole seconds: a STRICT table rejects other values, and an app may not expect
    /// them.
    package func storedDate(_ date: Instant, for entity: Entity, _ shape: SchemaShape) -> Value {
        let moment = min(date, now)
        let encoding = entity.modified?.encoding
        guard let column = entity.modified?.column,
            shape.table(named: entity.name)?.column(named: column) != nil
        else { return moment.value(as: encoding) }
        let affinity = shape.declaredType(of: column, in: entity.name)
        switch affinity {
        case .integer, .real, .numeric: return moment.value(as: encoding ?? .unixSeconds, wholly: affinity == .integer)
        default: return moment.value(as: encoding)
        }
    }
}

/// A key compared by bytes, because Swift's strings compare by canonical equivalence.
struct Bytes: Hashable {
    private let bytes: [UInt8]

    init(_ text: String) { bytes = Array(text.utf8) }
}
