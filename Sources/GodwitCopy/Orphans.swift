package import GodwitModel

/// The records of one reference whose parent does not exist.
package struct Orphans: Sendable {
    package let entity: String
    package let column: String
    package let parent: String
    package private(set) var count = 0
    /// Whether all of several references in this column fail: then the wrong column is named, more likely than that all of
    /// the parents are gone.
    package var areAllReferences = false
    /// The first keys, three at most.
    package private(set) var keys: [String] = []

    package var reference: String { "\(entity).\(column)" }

    package init(_ entity: Entity, _ reference: Reference, count: Int = 0, keys: [String] = []) {
        (self.entity, column, parent) = (entity.name, reference.column, reference.parent)
        (self.count, self.keys) = (count, keys)
    }

    package mutating func add(_ key: Value) {
        count += 1
        if keys.count < 3 { keys.append(key.readable) }
    }

    /// For example: 2 `Stop` records refer to a record of `Trip` that does not exist (`trip` of the records 's2', 's3').
    fileprivate var phrase: String {
        let named = keys.prefix(3).map { "'\($0)'" }.joined(separator: ", ")
        let holders = count == 1 ? "the record" : "the records"
        let subject = count == 1 ? "1 `\(entity)` record refers" : "\(count.grouped) `\(entity)` records refer"
        return
            "\(subject) to a record of `\(parent)` that does not exist "
            + "(`\(column)` of \(holders) \(named)\(count > 3 ? " …" : ""))"
    }
}

extension GodwitError {
    /// The error for orphans that a copy does not accept, of all references.
    ///
    /// - Parameters:
    ///   - held: references that a foreign key of the cloud store refuses too, as `Entity.column`.
    ///   - isLater: whether a copy was made before: users may have deleted the parents in the cloud store since.
    package static func orphans(_ orphans: [Orphans], held: [String], isLater: Bool = false) -> GodwitError {
        let names = orphans.map { "`\($0.reference)`" }.joined(separator: ", ")
        let refused = orphans.contains { held.contains($0.reference) }
        let wrong = isLater ? nil : orphans.first(where: \.areAllReferences)
        let suspicion = wrong.map {
            "None of the references in `\($0.reference)` fits: check that `key:` of `\($0.parent)` and `belongsTo:` of "
                + "`\($0.entity)` name the right columns. If they do: "
        }
        let remedy =
            isLater
            ? "If users deleted these parents in the cloud store since the copy, set `missing: setAside` for \(names) "
                + "in the manifest. To bring the parents back, use \(name: .reopenAll), then run again."
            : refused
                ? "Set `missing: setNull` or `missing: setAside` for \(names) in the manifest, or correct "
                    + "the records in the app: a foreign key of the cloud store refuses them, also with `missing: keep` "
                    + "and \(name: .allowOrphans)."
                : "Set `missing:` for \(names) in the manifest, correct the records in the app, or copy "
                    + "them unchanged with \(name: .allowOrphans)."
        return GodwitError(
            .copy, .data, orphans.map(\.phrase).joined(separator: "; "), hint: (suspicion ?? "") + remedy)
    }
}
