package import GodwitModel

/// The properties of an export that decide if it is kept.
package struct RetentionCandidate: Sendable, Equatable {
    package var name: String
    package var app: String
    package var exportId: String
    package var exportedAt: Instant
    /// The identifier of an increment's base; nil for a complete export.
    package var baseId: String?
    /// The selected entities as one text; empty for all.
    package var selection: String
    /// The exported store and its CloudKit environment, as one text.
    package var source: String

    package init(
        name: String, app: String, exportId: String, exportedAt: Instant, baseId: String? = nil, selection: String = "",
        source: String = ""
    ) {
        (self.name, self.app, self.exportId, self.exportedAt) = (name, app, exportId, exportedAt)
        (self.baseId, self.selection, self.source) = (baseId, selection, source)
    }
}

/// The decision for each export of a folder.
package struct RetentionPlan: Sendable, Equatable {
    /// An export and the reasons to keep it; without a reason it is removed.
    package struct Decision: Sendable, Equatable {
        package let export: RetentionCandidate
        package var reasons: [String]

        package var isKept: Bool { !reasons.isEmpty }
    }

    /// By series, newest first.
    package private(set) var decisions: [Decision] = []

    /// Applies a policy to each series: the exports of one app, one selection, one store and one CloudKit environment.
    ///
    /// Complete exports and increments are separate series, and exports of the other store replace nothing. In
    /// addition, it keeps the base of every kept increment, exports that are dated in the future, and the exports that
    /// `latest` links refer to.
    ///
    /// - Parameters:
    ///   - now: exports dated more than five minutes later have a wrong clock and are not counted.
    ///   - latest: the names that `latest` links refer to.
    package init(_ exports: [RetentionCandidate], _ policy: RetentionPolicy, now: Instant, latest: Set<String> = []) {
        let series = Dictionary(grouping: exports, by: Series.init)
        for (_, members) in series.sorted(by: { $0.key < $1.key }) {
            let sorted = members.sorted { ($0.exportedAt, $0.name) > ($1.exportedAt, $1.name) }
            let ahead = sorted.prefix { $0.exportedAt.isAhead(of: now) }
            decisions += ahead.map { Decision(export: $0, reasons: ["dated in the future"]) }
            let counted = sorted.dropFirst(ahead.count)
            let reasons = policy.reasons(for: counted.map(\.exportedAt))
            decisions += zip(counted, reasons).map { Decision(export: $0, reasons: $1) }
        }
        for index in decisions.indices where latest.contains(decisions[index].export.name) {
            decisions[index].reasons.append("latest")
        }
        keepBases()
    }

    /// An increment cannot be restored without its base.
    private mutating func keepBases() {
        let needed = Set(decisions.filter(\.isKept).compactMap(\.export.baseId))
        for index in decisions.indices where needed.contains(decisions[index].export.exportId) {
            decisions[index].reasons.append("base of an increment")
        }
    }

    private struct Series: Hashable, Comparable {
        let app: String
        let selection: String
        let source: String
        let isIncrement: Bool

        init(_ export: RetentionCandidate) {
            (app, selection, source) = (export.app, export.selection, export.source)
            isIncrement = export.baseId != nil
        }

        static func < (a: Series, b: Series) -> Bool {
            (a.app, a.selection, a.source, a.isIncrement ? 1 : 0) < (
                b.app, b.selection, b.source, b.isIncrement ? 1 : 0
            )
        }
    }
}
