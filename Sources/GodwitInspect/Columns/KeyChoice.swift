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
    /// - Parameters:
    ///   - count: records of the table.
    ///   - allowsNatural: whether a `url` or `code` may be the key for the data's sake alone; where the store has numbers
    ///     of its own for records, those are better than what the next record may prove wrong.
    static func decide(
        _ candidates: [Candidate], entity: NameWords, count: Int64, allowsNatural: Bool = true
    ) -> KeyChoice? {
        func isWhole(_ candidate: Candidate) -> Bool { candidate.missing == 0 }
        func isProven(_ candidate: Candidate) -> Bool { isWhole(candidate) && candidate.distinct == count && count > 0 }
        func choice(_ candidate: Candidate?, _ evidence: KeyEvidence) -> KeyChoice? {
            candidate.map { KeyChoice(column: $0.name, evidence: evidence) }
        }
        let identities = candidates.filter { NameWords($0.name).soundIdentity(of: entity) && !$0.isRowNumber }
        let naturals = candidates.filter { allowsNatural && NameWords($0.name).soundNaturalKey(of: entity) }
        let proven =
            choice(candidates.first { $0.isPrimaryKey && !$0.isRowNumber && isWhole($0) }, .primaryKey)
            ?? choice(identities.first { $0.hasUniqueIndex && isWhole($0) }, .uniqueIndex)
            ?? choice(identities.first { $0.kind == .uuid && isProven($0) }, .values)
            ?? choice(identities.first { $0.kind == .text && isProven($0) }, .values)
            ?? choice(candidates.first { $0.isRowNumber }, .primaryKey)
            ?? choice(candidates.first { $0.hasUniqueIndex && isWhole($0) }, .uniqueIndex)
            ?? choice(identities.first(where: isProven), .values)
            ?? choice(naturals.first { count > 1 && isProven($0) }, .values)
        if let proven { return proven }
        // A link that was saved twice is what dedupe is for; a title that three records share is none.
        let nearly = naturals.first { candidate in
            isWhole(candidate) && !NameWords(candidate.name).soundTitle
                && (candidate.distinct ?? 0) * 5 >= count * 3 && count > 1
        }
        return choice(identities.first(where: isWhole), .name) ?? choice(nearly, .name)
            ?? choice(identities.first, .name)
    }
}
