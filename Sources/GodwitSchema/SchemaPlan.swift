package import GodwitLedger
package import GodwitModel

/// What must be done to bring one store to the latest version: decided here, from values alone.
package struct SchemaPlan: Sendable, Equatable {
    /// The version a store without history is taken to stand at; nil where it has a history.
    package let adoptedAt: Int?
    /// The version before anything is applied.
    package let from: Int
    package let pending: [SchemaFile]

    package var hasWork: Bool { adoptedAt != nil || !pending.isEmpty }

    /// Decides from the history of a store, or from its shape where it has none.
    ///
    /// - Parameters:
    ///   - shape: tables and columns of the store.
    ///   - indexes: names of its indexes; looked at only where several versions have its shape.
    ///   - baseline: the version to adopt at where the shape is that of no version, or of several.
    /// - Throws: 65 for an edited (divergent), missing, newer or out-of-order migration, and for a shape that equals no
    ///   version's, or several versions' alike.
    package static func decide(
        files: SchemaFiles, history: [MigrationRecord]?, shape: SchemaShape, indexes: Set<String> = [],
        baseline: Int?, name: String
    ) throws(GodwitError) -> SchemaPlan {
        if let history, !history.isEmpty {
            try check(history, against: files, name: name)
            try refuseForeignCode(shape, known: files.shapes[history.count], files.earlierCode, name: name)
            return SchemaPlan(adoptedAt: nil, from: history.count, pending: Array(files.files[history.count...]))
        }
        if shape == SchemaShape() {
            return SchemaPlan(adoptedAt: nil, from: 0, pending: files.files)
        }
        let version = try adoptedVersion(
            files: files, shape: shape, indexes: indexes, baseline: baseline, name: name)
        try refuseForeignCode(shape, known: files.shapes[version], files.earlierCode, name: name)
        return SchemaPlan(adoptedAt: version, from: version, pending: Array(files.files[version...]))
    }

    private static func check(
        _ history: [MigrationRecord], against files: SchemaFiles, name: String
    ) throws(GodwitError) {
        for (index, record) in history.enumerated() {
            guard record.version == index + 1 else {
                throw GodwitError(
                    .schema, .data, "The history of \(name) lacks migration \(index + 1).",
                    hint: "Somebody edited godwit_migration; restore the store from a backup.")
            }
            guard index < files.latest else {
                throw GodwitError(
                    .schema, .data,
                    "\(name) is at version \(history.count), newer than the latest migration here (\(files.latest)).",
                    hint: "Use the schema files of the app version that wrote the store.")
            }
            let file = files.files[index]
            guard record.checksum == file.checksum else {
                throw GodwitError(
                    .schema, .data, "\(file.title) was edited after it was applied to \(name): it is divergent.",
                    hint: "Restore the file as it was shipped and put the change into a new migration."
                ).placed(in: files.path(of: file))
            }
        }
    }

    /// What no migration made would be computed or carried out on every record Godwit writes: triggers, expressions of
    /// indexes, checks, defaults.
    ///
    /// References that carry deletes on are none of it: they name columns and run nothing, and where Godwit itself removes
    /// or renames a record that others refer to, it looks at what else is changed (`SideEffectGuard`). A schema file may leave
    /// one out that the local store's own records break.
    ///
    /// Tables that no migration made are never written, so what belongs to them is left alone; their triggers are not,
    /// since a trigger can be moved by what another one does. Where a schema file names the table as left out, they are if
    /// nothing that the files make can move them.
    private static func refuseForeignCode(
        _ shape: SchemaShape, known: SchemaShape, _ earlier: Set<SchemaCode>, name: String
    ) throws(GodwitError) {
        let foreign = shape.code.subtracting(known.code).subtracting(earlier).filter {
            $0.kind == .trigger
                ? !known.leavesOut($0, of: shape) : known.table(named: $0.table) != nil && !$0.isReference
        }
        guard let first = foreign.min(by: { ($0.name, $0.text) < ($1.name, $1.text) }) else { return }
        let what =
            switch first.kind {
            case .trigger: "a trigger ('\(first.name)')"
            case .index: "an index with an expression or condition ('\(first.name)')"
            case .table: "a check or default of table '\(first.name)'"
            }
        throw GodwitError(
            .schema, .data, "\(name) has \(what) that no migration made; it would run on what is written.",
            hint: "Make it in a migration if it is yours, or drop it with the app that made it.")
    }

    private static func adoptedVersion(
        files: SchemaFiles, shape: SchemaShape, indexes: Set<String>, baseline: Int?, name: String
    ) throws(GodwitError) -> Int {
        let differences = files.shapes.map { $0.differences(from: shape) }
        let equal = differences.indices.filter { differences[$0].isEmpty }
        if let baseline {
            guard baseline >= 0, baseline <= files.latest else {
                throw GodwitError(
                    .schema, .usage, "--baseline \(baseline) is not a version here; the latest is \(files.latest).",
                    hint: "Use a version from 0 to \(files.latest).")
            }
            // One baseline is given for all stores of a run: what a store shows by itself weighs more.
            return equal.count == 1 ? equal[0] : baseline
        }
        if !equal.isEmpty { return try version(among: equal, files: files, indexes: indexes, name: name) }
        let nearest = differences.indices.dropFirst().min { differences[$0].count < differences[$1].count } ?? 0
        throw GodwitError(
            .schema, .data,
            "\(name) has tables but no history, and equals no version of the schema; "
                + "nearest is version \(nearest): \(differences[nearest].first ?? "").",
            hint: (differences[nearest].first?.hasSuffix("is missing in the store") ?? false)
                ? "Correct the schema files: version \(nearest) must have the tables and columns of this store."
                : "Add the migration that leads to this store, or override with --baseline N if you know better.")
    }

    /// Which of several versions of one shape a store stands at: the one with its indexes.
    ///
    /// Migrations that only change data leave no trace. Taking the later version would skip them for good, the earlier
    /// one would run them twice, so neither is guessed.
    private static func version(
        among versions: [Int], files: SchemaFiles, indexes: Set<String>, name: String
    ) throws(GodwitError) -> Int {
        if versions.count == 1 { return versions[0] }
        let sets = versions.map { files.indexes[$0] }
        let shared = sets.dropFirst().reduce(sets[0]) { $0.intersection($1) }
        let telling = sets.reduce(Set()) { $0.union($1) }.subtracting(shared)
        let matching = versions.filter { files.indexes[$0].intersection(telling) == indexes.intersection(telling) }
        if matching.count == 1 { return matching[0] }
        let list = (matching.isEmpty ? versions : matching).map(String.init).joined(separator: ", ")
        throw GodwitError(
            .schema, .data, "\(name) has tables but no history, and equals versions \(list) of the schema alike.",
            hint: "Say with --baseline N which of them it stands at; the migrations after N are then applied.")
    }
}
