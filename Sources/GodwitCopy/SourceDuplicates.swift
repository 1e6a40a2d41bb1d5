package import GodwitModel

/// What dedupe took out of a private copy of the source, which the local store itself still has.
package struct SourceDuplicates: Sendable, ExpressibleByDictionaryLiteral {
    /// Records by entity.
    let counts: [String: Int]
    /// The dates that took part in choosing them: nobody hears of that dedupe but by the copy's report.
    let dates: DateFindings

    /// References that nothing names, and whose parents were among them.
    let unnamed: [UnnamedReference]

    /// - Parameter report: of the dedupe of that private copy.
    package init(_ report: DedupeReport) {
        (counts, dates) = (report.removed, report.dates)
        unnamed = report.unnamedReferences ?? []
    }

    /// Records by entity, chosen by dates that say enough.
    package init(dictionaryLiteral elements: (String, Int)...) {
        counts = Dictionary(elements) { $0 + $1 }
        dates = DateFindings()
        unnamed = []
    }
}
