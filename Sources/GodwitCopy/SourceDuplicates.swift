package import GodwitModel

/// What dedupe removed from a private copy of the source; the local store itself still has it.
package struct SourceDuplicates: Sendable, ExpressibleByDictionaryLiteral {
    /// Number of records by entity.
    let counts: [String: Int]
    /// The dates that decided; only the copy's report shows them.
    let dates: DateFindings

    /// Undeclared references whose parents were among them.
    let unnamed: [UnnamedReference]
    /// Entities whose duplicates hardly resemble the records that stay; nil for none.
    let unlike: [UnlikeDuplicates]?

    /// - Parameter report: of the dedupe of that private copy.
    package init(_ report: RunReport.Dedupe) {
        (counts, dates) = (report.removed, report.dates)
        (unnamed, unlike) = (report.unnamedReferences ?? [], report.unlikeDuplicates)
    }

    /// Number of records by entity, without findings about dates.
    package init(dictionaryLiteral elements: (String, Int)...) {
        counts = Dictionary(elements) { $0 + $1 }
        dates = DateFindings()
        (unnamed, unlike) = ([], nil)
    }
}
