package import GodwitModel

/// An export of a folder, as far as a decision on it asks.
package struct RetentionCandidate: Sendable, Equatable {
    package var name: String
    package var app: String
    package var exportId: String
    package var exportedAt: Instant
    /// The identifier of the export that this one only says the differences from; nil where it holds everything.
    package var baseId: String?
    /// The entities that it is a selection of, as one text; empty for all.
    package var selection: String
    /// Which store it is of, and of which CloudKit environment, as one text.
    package var source: String

    package init(
        name: String, app: String, exportId: String, exportedAt: Instant, baseId: String? = nil, selection: String = "",
        source: String = ""
    ) {
        self.name = name
        self.app = app
        self.exportId = exportId
        self.exportedAt = exportedAt
        self.baseId = baseId
        self.selection = selection
        self.source = source
    }
}

/// What becomes of each export of a folder.
package struct RetentionPlan: Sendable, Equatable {
    /// An export and why it stays; it goes where there is no reason.
    package struct Decision: Sendable, Equatable {
        package let export: RetentionCandidate
        package var reasons: [String]

        package var isKept: Bool { !reasons.isEmpty }
    }

    /// By app and kind of export, each the newest first.
    package private(set) var decisions: [Decision] = []

    /// Applies a policy to each series: the exports of one app, one selection of entities, and one store in one CloudKit
    /// environment, whole ones and increments apart: what was exported of the other store replaces nothing.
    ///
    /// Kept besides what the policy keeps: what an increment that is kept needs to be restored, what is dated in the
    /// future, and what the link `latest` leads to.
    ///
    /// - Parameters:
    ///   - now: what is dated more than five minutes later is of a wrong clock, and decides nothing.
    ///   - latest: the names that links `latest` lead to.
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

    /// An increment without its base restores nothing.
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
