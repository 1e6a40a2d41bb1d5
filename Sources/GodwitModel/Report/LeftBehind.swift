/// Data of the local store that no rule of the manifest copies and that `ignore` does not name.
public struct LeftBehind: Sendable, Codable, Hashable {
    /// What is left behind.
    public enum Kind: String, Sendable, Codable, CaseIterable {
        /// A table, also a virtual one.
        case table
        /// An entity of Core Data.
        case entity
        /// A column of a table, or an attribute of an entity of Core Data.
        case column
        /// A many-to-many relation of Core Data.
        case relation
    }

    /// What it is.
    public var kind: Kind
    /// Its name; of a column with the name of its entity: `Workout.note`.
    public var name: String
    /// Records, values of a column, or pairs of a relation; nil where that is not known.
    public var count: Int64?
    /// One line for people.
    public var message: String
    /// What to do about it.
    public var hint: String?

    package init(_ kind: Kind, _ name: String, count: Int64?, _ message: String, hint: String? = nil) {
        (self.kind, self.name, self.count, self.message, self.hint) = (kind, name, count, message, hint)
    }
}

extension [LeftBehind] {
    /// One warning for all, with sums and the first names of each kind; none for nothing.
    package var warnings: [Warning] {
        guard !isEmpty else { return [] }
        let parts = LeftBehind.Kind.allCases.compactMap { kind -> String? in
            let ofKind = filter { $0.kind == kind }
            return ofKind.isEmpty ? nil : ofKind.phrase(kind)
        }
        return [
            Warning(
                "leftBehind", "Left behind: \(parts.joined(separator: ", ")).",
                hint: "Map them in the manifest, or list them there under `ignore:`.")
        ]
    }

    /// Such as `2 tables with 8,715 records (Log, Cache)`.
    private func phrase(_ kind: LeftBehind.Kind) -> String {
        let many = kind == .entity ? "entities" : nil
        let unit = kind == .column ? "value" : kind == .relation ? "pair" : "record"
        let known = compactMap(\.count)
        let sum = known.isEmpty ? "" : " with \(known.reduce(0, +).counted(unit))"
        let shown = count <= 4 ? self[...] : prefix(3)
        let names = shown.map(\.name).joined(separator: ", ") + (shown.count < count ? " …" : "")
        return "\(count.counted(kind.rawValue, many))\(sum) (\(names))"
    }
}
