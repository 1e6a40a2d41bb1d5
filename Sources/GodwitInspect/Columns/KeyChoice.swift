internal import GodwitModel

/// Which column tells records apart: decided from names, indexes and what the values prove; pure.
struct KeyChoice: Equatable {
    let column: String
    let evidence: KeyEvidence

    /// A column that may be the key.
    struct Candidate {
        let name: String
        let kind: ValueKind
        /// Records without a value.
        let missing: Int64
        /// Different values; nil where they were not counted.
        let distinct: Int64?
        var isPrimaryKey = false
        /// Whether SQLite itself numbers the records in it: `INTEGER PRIMARY KEY`.
        var isRowNumber = false
        var hasUniqueIndex = false
    }

    /// The key of a table; nil where nothing is called like one and nothing proves one.
    ///
    /// - Parameter count: records of the table.
    static func decide(_ candidates: [Candidate], entity: NameWords, count: Int64) -> KeyChoice? {
        let identities = candidates.filter { NameWords($0.name).soundIdentity(of: entity) }
        let naturals = candidates.filter { NameWords($0.name).soundNaturalKey(of: entity) }
        func isWhole(_ candidate: Candidate) -> Bool { candidate.missing == 0 }
        func isProven(_ candidate: Candidate) -> Bool { isWhole(candidate) && candidate.distinct == count && count > 0 }
        func choice(_ candidate: Candidate?, _ evidence: KeyEvidence) -> KeyChoice? {
            candidate.map { KeyChoice(column: $0.name, evidence: evidence) }
        }
        let unnumbered = identities.filter { !$0.isRowNumber }
        return choice(candidates.first { $0.isPrimaryKey && !$0.isRowNumber && isWhole($0) }, .primaryKey)
            ?? choice(unnumbered.first { $0.hasUniqueIndex && isWhole($0) }, .uniqueIndex)
            ?? choice(unnumbered.first { $0.kind == .uuid && isProven($0) }, .values)
            ?? choice(unnumbered.first { $0.kind == .text && isProven($0) }, .values)
            ?? choice(candidates.first { $0.isRowNumber }, .primaryKey)
            ?? choice(candidates.first { $0.hasUniqueIndex && isWhole($0) }, .uniqueIndex)
            ?? choice(unnumbered.first(where: isProven), .values)
            ?? choice(naturals.first { count > 1 && isProven($0) }, .values)
            ?? choice(unnumbered.first, .name)
    }
}
