package import GodwitModel

/// What a report is rendered with besides its own values.
package struct ReportSetting: Sendable {
    /// How its text is laid out, and whether values of the user's data are shown.
    package var style: TextStyle
    /// What the command was asked to insist on.
    package var demands: ReportDemands
    /// Where in the manifest and the schema files things stand.
    package var places: ReportPositions
    /// Where paths of annotations begin.
    package var workspace: Workspace
    /// When it is written, for what has no time of its own.
    package var asOf: Instant?
    /// The container's past runs, newest first, for the chart of a page.
    package var history: [HistoryEntry]

    /// A setting; the defaults suit a report that stands alone.
    package init(
        style: TextStyle = TextStyle(), demands: ReportDemands = [], places: ReportPositions = ReportPositions(),
        workspace: Workspace = Workspace(), asOf: Instant? = nil, history: [HistoryEntry] = []
    ) {
        self.style = style
        self.demands = demands
        self.places = places
        self.workspace = workspace
        self.asOf = asOf
        self.history = history
    }
}

/// What makes a command end with a code other than 0 though nothing failed.
package struct ReportDemands: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Every value arrives: `--strict`.
    package static let everyValue = ReportDemands(rawValue: 1)
    /// No changes are pending: `plan --exit-code`.
    package static let nothingPending = ReportDemands(rawValue: 2)
    /// The sync is not broken: `status --exit-code`.
    package static let workingSync = ReportDemands(rawValue: 4)
    /// Nothing may be stale: `freshness --warn-error`.
    package static let freshData = ReportDemands(rawValue: 8)
}
