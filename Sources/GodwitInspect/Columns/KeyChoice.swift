package import GodwitModel

/// Chooses the key of a table from names, indexes and values; pure.
package struct KeyChoice: Equatable {
    package let column: String
    package let evidence: KeyEvidence

    package init(column: String, evidence: KeyEvidence) { (self.column, self.evidence) = (column, evidence) }

    /// A column that may be the key.
    package struct Candidate {
        package let name: String
        package let kind: ValueKind
        /// Number of records without a value.
        package let missing: Int64
        /// Number of different values; nil if they were not counted.
        package let distinct: Int64?
        package var isPrimaryKey = false
        /// Whether SQLite numbers the records in this column: `INTEGER PRIMARY KEY`.
        package var isRowNumber = false
        package var hasUniqueIndex = false
        /// Whether it is part of a primary key or unique index of several columns, or refers to another table.
        package var isPartOfMore = false

        package init(
            name: String, kind: ValueKind, missing: Int64, distinct: Int64?, isPrimaryKey: Bool = false,
            isRowNumber: Bool = false, hasUniqueIndex: Bool = false, isPartOfMore: Bool = false
        ) {
            (self.name, self.kind, self.missing, self.distinct) = (name, kind, missing, distinct)
            (self.isPrimaryKey, self.isRowNumber) = (isPrimaryKey, isRowNumber)
            (self.hasUniqueIndex, self.isPartOfMore) = (hasUniqueIndex, isPartOfMore)
        }

        /// Number of records that share their value with an earlier one; nil if not counted.
        package func repeated(of count: Int64) -> Int64? { distinct.map { max(0, count - missing - $0) } }
    }

    /// If only the name suggests a key, one record in this many may repeat another's value.
    static let recordsPerRepeat: Int64 = 100

    /// The key of a table; nil if no name sounds like a key and no values prove one.
    ///
    /// - Parameters:
    ///   - count: Number of records in the table.
    ///   - allowsNatural: Whether a `url` or `code` may be the key by its values only. If the store numbers its records,
    ///     those numbers are better, because the next record may repeat a natural value.
    package static func decide(
        _ candidates: [Candidate], entity: NameParts, count: Int64, allowsNatural: Bool = true
    ) -> KeyChoice? {
        func isWhole(_ candidate: Candidate) -> Bool { candidate.missing == 0 }
        func isProven(_ candidate: Candidate) -> Bool { isWhole(candidate) && candidate.distinct == count && count > 0 }
        func choice(_ candidate: Candidate?, _ evidence: KeyEvidence) -> KeyChoice? {
            candidate.map { KeyChoice(column: $0.name, evidence: evidence) }
        }
        let candidates = candidates.filter { !$0.isPartOfMore || $0.isPrimaryKey || $0.hasUniqueIndex }
        let identities = candidates.filter { NameParts($0.name).soundIdentity(of: entity) && !$0.isRowNumber }
        let naturals = candidates.filter { allowsNatural && NameParts($0.name).soundNaturalKey(of: entity) }
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
        // A link that was saved twice is a case for dedupe. A value that many records share is not a key: dedupe would
        // set aside all but one of each.
        let likely = identities.filter { repeatsSeldom($0, of: count) }
        let nearly = naturals.first { candidate in
            isWhole(candidate) && !NameParts(candidate.name).soundTitle && count > 1
                && repeatsSeldom(candidate, of: count)
        }
        return choice(likely.first(where: isWhole), .name) ?? choice(nearly, .name) ?? choice(likely.first, .name)
    }

    /// Whether few enough records repeat another's value; false if not counted.
    private static func repeatsSeldom(_ candidate: Candidate, of count: Int64) -> Bool {
        candidate.repeated(of: count).map { $0 <= count / recordsPerRepeat } ?? false
    }

    /// The column whose name sounds like a key, but whose values too many records share.
    package static func refused(_ candidates: [Candidate], entity: NameParts, count: Int64) -> Candidate? {
        candidates.first { candidate in
            !candidate.isPartOfMore && NameParts(candidate.name).soundIdentity(of: entity)
                && !repeatsSeldom(candidate, of: count) && candidate.distinct != nil
        }
    }
}
