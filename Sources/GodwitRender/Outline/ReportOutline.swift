internal import GodwitModel

/// The content of a report for every format: sections, each with its lines and its items.
///
/// The text shows the lines. JUnit's XML, the annotations and the summary for GitHub, and the page show the items.
/// Invariant: an item failed exactly if the command ends with an exit code other than 0.
struct ReportOutline: Sendable {
    /// `godwit plan`.
    var title: String
    var app: String
    var container: String?
    /// The last sentence of the report.
    var conclusion: String
    var symbol: Symbol
    var startedAt: Instant?
    /// The clock, if it was set by hand.
    var clock: SetClock?
    var milliseconds: Int64?
    /// Names and values that identify the report.
    var properties: [(name: String, value: String)] = []
    /// The command as a whole, then its stages; only one section if the command has no stages.
    var sections: [OutlineSection] = []
    var warnings: [Warning] = []
    var nextSteps: [String] = []

    /// Whether the command ends with an exit code other than 0.
    var hasFailed: Bool { sections.contains { $0.items.contains { $0.verdict.isFailure } } }
}

/// A stage, or another part of a report.
struct OutlineSection: Sendable {
    /// `legacy`.
    var name: String
    var symbol: Symbol
    /// The result, in one line.
    var headline: String
    /// The lines of the text.
    var lines: [TextLine] = []
    var items: [OutlineItem] = []
    var table: OutlineTable?

    /// The lines for a file or a log.
    func text(_ style: TextStyle) -> [String] {
        var page = TextPage(style.withoutColor)
        page.add(lines)
        return page.lines
    }
}

extension OutlineSection {
    /// Columns in front of a headline: a sign, and the longest name of a stage of the pipeline.
    static let nameColumns = 8
    /// The headline of a stage that failed; the error says why.
    static let failed = "failed; nothing of this stage was committed"

    /// A stage: its first line has its sign, its name and its headline.
    init(
        _ stage: GodwitError.Stage, _ symbol: Symbol, _ headline: String, lines: [TextLine] = [],
        items: [OutlineItem] = [],
        table: OutlineTable? = nil
    ) {
        let name = Painted(stage.rawValue, .strong, padded: Self.nameColumns)
        let first = TextLine([symbol.painted, name], headline, symbol == .bad ? .bad : .plain)
        self.init(
            name: stage.rawValue, symbol: symbol, headline: headline, lines: [first] + lines, items: items, table: table
        )
    }
}

/// One thing that a stage did or checked.
struct OutlineItem: Sendable {
    /// The group of the item: an outcome of keys, a family of checks.
    var kind: String
    var name: String
    var verdict: ItemVerdict
    /// The result, or the reason for it.
    var detail: String
    /// The line of the manifest, or the schema file, that it is about.
    var position: GodwitError.Position?
    /// Number of things it represents: 1, or those that are not listed one by one.
    var count = 1

    /// Items of one kind that are listed; more are only counted, because a viewer of test results has to hold them all.
    static let maxListed = 1_000

    init(
        _ kind: String, _ name: String, _ verdict: ItemVerdict, _ detail: String,
        at position: GodwitError.Position? = nil
    ) {
        self.kind = kind
        self.name = name
        self.verdict = verdict
        self.detail = detail
        self.position = position
    }

    /// An item for those that are not listed; none if all are listed.
    static func rest(
        _ kind: String, _ count: Int, _ verdict: ItemVerdict = .passed, at position: GodwitError.Position? = nil
    ) -> [OutlineItem] {
        guard count > 0 else { return [] }
        var item = OutlineItem(kind, "and \(count.grouped) more", verdict, "not listed one by one", at: position)
        item.count = count
        return [item]
    }
}

extension Sequence<OutlineItem> {
    /// Number of things they represent.
    var total: Int { reduce(0) { $0 + $1.count } }
}

/// The result of one item.
enum ItemVerdict: Int, Sendable, Comparable {
    case passed
    /// Not checked.
    case skipped
    /// Nothing is wrong; the author of the manifest should know it.
    case noticed
    /// Something did not arrive; the command still ends with 0.
    case doubtful
    /// The reason why the command ends with an exit code other than 0.
    case failed
    /// An error that stopped the command.
    case broken

    var isFailure: Bool { self >= .failed }

    static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}

/// The numbers of a section.
struct OutlineTable: Sendable {
    var title: String
    /// The heading of the first column, then those of the numbers.
    var columns: [String]
    var rows: [(name: String, numbers: [Int64])]

    init?(_ title: String, _ first: String, _ table: NumberTable) {
        guard !table.rows.isEmpty else { return nil }
        self.title = title
        columns = [first] + table.columns
        rows = table.rows
    }
}
