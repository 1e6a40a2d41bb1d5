extension RunReport {
    /// Data of the local store that no rule of the manifest copies and that `ignore` does not list.
    public struct LeftBehind: Sendable, Codable, Hashable {
        /// The kind of data.
        package enum Kind: String, Sendable, Codable, CaseIterable {
            /// A table; also a virtual one.
            case table
            /// An entity of Core Data.
            case entity
            /// A column of a table, or an attribute of an entity of Core Data.
            case column
            /// A many-to-many relation of Core Data.
            case relation
        }

        /// The kind of data.
        package var kind: Kind
        /// Its name; a column has the entity's name first: `Workout.note`.
        public var name: String
        /// Number of records, of values in a column, or of pairs in a relation; nil if not known.
        public var count: Int64?
        /// One line for the reader.
        public var message: String
        /// What to do next.
        public var hint: String?

        package init(_ kind: Kind, _ name: String, count: Int64?, _ message: String, hint: String? = nil) {
            (self.kind, self.name, self.count, self.message, self.hint) = (kind, name, count, message, hint)
        }
    }
}

extension [RunReport.LeftBehind] {
    /// One warning for everything, with sums and the first names of each kind; empty for nothing.
    package var warnings: [Warning] {
        guard !isEmpty else { return [] }
        let parts = RunReport.LeftBehind.Kind.allCases.compactMap { kind -> String? in
            let ofKind = filter { $0.kind == kind }
            return ofKind.isEmpty ? nil : ofKind.phrase(kind)
        }
        return [
            Warning(
                "leftBehind", "left behind: \(parts.joined(separator: ", "))",
                hint: "Map them in the manifest, or list them under `ignore:`.")
        ]
    }

    /// Such as `2 tables with 8,715 records (Log, Cache)`.
    private func phrase(_ kind: RunReport.LeftBehind.Kind) -> String {
        let many = kind == .entity ? "entities" : nil
        let unit = kind == .column ? "value" : kind == .relation ? "pair" : "record"
        let known = compactMap(\.count)
        let sum = known.isEmpty ? "" : " with \(known.reduce(0, +).counted(unit))"
        let shown = count <= 4 ? self[...] : prefix(3)
        let names = shown.map(\.name).joined(separator: ", ") + (shown.count < count ? " …" : "")
        return "\(count.counted(kind.rawValue, many))\(sum) (\(names))"
    }
}
