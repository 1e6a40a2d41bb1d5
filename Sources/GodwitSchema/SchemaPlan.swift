package import GodwitLedger
package import GodwitModel

/// The steps that bring one store to the latest version; depends on values only.
package struct SchemaPlan: Sendable, Equatable {
    /// The assumed version of a store without history; nil if it has a history.
    package let adoptedAt: Int?
    /// The version before anything is applied.
    package let from: Int
    package let pending: [SchemaFile]

    package var hasWork: Bool { adoptedAt != nil || !pending.isEmpty }

    /// Decides by the history of a store, or by its shape if it has none.
    ///
    /// - Parameters:
    ///   - indexes: names of its indexes; used only if several versions have its shape.
    ///   - baseline: the version to adopt if no version, or more than one, has the shape.
    ///
    /// - Throws: 65 for an edited (divergent), missing, newer or out-of-order migration, and for a shape that equals no
    ///   version's, or several versions'.
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
                    .schema, .data,
                    "the history of `\(name)` lacks schema file \(index + 1): godwit_migration was edited",
                    hint: "Restore the store from a backup.")
            }
            guard index < files.latest else {
                throw GodwitError(
                    .schema, .data,
                    "`\(name)` is at version \(history.count), newer than the latest schema file "
                        + "(\(files.latest))",
                    hint: "Use the schema files of the app version that wrote the store.")
            }
            let file = files.files[index]
            guard record.checksum == file.checksum else {
                throw GodwitError(
                    .schema, .data, "\(files.path(of: file)): changed after it was applied to `\(name)`",
                    hint: "Restore the released file, and put the change into a new schema file."
                ).placed(in: files.path(of: file))
            }
        }
    }

    /// Throws for code that no migration made and that would run for every record that Godwit writes: triggers,
    /// expressions of indexes, checks, defaults.
    ///
    /// References with actions are permitted: they run no code, and if Godwit removes a record or changes its key, it
    /// checks for other changes (`SideEffectGuard`). A schema file may omit a reference that local records break.
    /// Tables that no migration made are never written, so their code is ignored, except triggers, which another
    /// trigger may fire. Triggers of tables that a schema file lists as left out are ignored if nothing in the files
    /// can fire them.
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
            .schema, .data, "`\(name)` has \(what) that no schema file made; it would run on what is written",
            hint: "Make it in a schema file if it is yours, or drop it with the app that made it.")
    }

    private static func adoptedVersion(
        files: SchemaFiles, shape: SchemaShape, indexes: Set<String>, baseline: Int?, name: String
    ) throws(GodwitError) -> Int {
        let differences = files.shapes.map { $0.differences(from: shape) }
        let equal = differences.indices.filter { differences[$0].isEmpty }
        if let baseline {
            guard baseline >= 0, baseline <= files.latest else {
                throw GodwitError(
                    .schema, .usage,
                    "\(name: .baseline) \(baseline) is not a version of the schema; the latest is \(files.latest)",
                    hint: "Use a version from 0 to \(files.latest).")
            }
            // One baseline applies to all stores of a run, so a store's own evidence has priority.
            return equal.count == 1 ? equal[0] : baseline
        }
        if !equal.isEmpty { return try version(among: equal, files: files, indexes: indexes, name: name) }
        let nearest = differences.indices.dropFirst().min { differences[$0].count < differences[$1].count } ?? 0
        throw GodwitError(
            .schema, .data,
            "`\(name)` has tables but no history, and equals no version of the schema; nearest is version "
                + "\(nearest): \(differences[nearest].first ?? "")",
            hint: (differences[nearest].first?.hasSuffix("is missing in the store") ?? false)
                ? "Correct the schema files: version \(nearest) must have the tables and columns of this store."
                : "Add the schema file that leads to this store, or, if the difference is intended, "
                    + "adopt it with \(name: .baselineNumber).")
    }

    /// The version of a store, if several versions have its shape: the one with its indexes.
    ///
    /// Migrations that only change data leave no trace. The later version would skip them forever, the earlier one
    /// would run them twice, so neither is guessed.
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
            .schema, .data, "`\(name)` has tables but no history, and equals versions \(list) of the schema alike",
            hint: "Name its version with \(name: .baselineNumber); Godwit then applies the later schema files.")
    }
}
