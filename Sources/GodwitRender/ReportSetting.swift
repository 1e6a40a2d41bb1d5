package import GodwitModel

/// The settings for rendering a report.
package struct ReportSetting: Sendable {
    /// How its text is laid out, and whether values of the user's data are shown.
    package var style: TextStyle
    /// The conditions that the options of the command demand.
    package var demands: ReportDemands
    /// The positions of entities, legacy keys and schema files.
    package var positions: ReportPositions
    /// The folder that paths of annotations are relative to.
    package var workspace: Workspace
    /// The time of a report that has no time of its own.
    package var asOf: Instant?
    /// The container's past runs, newest first, for the chart of a page.
    package var history: [HistoryEntry]

    /// A setting; the defaults are for a report on its own.
    package init(
        style: TextStyle = TextStyle(), demands: ReportDemands = [], positions: ReportPositions = ReportPositions(),
        workspace: Workspace = Workspace(), asOf: Instant? = nil, history: [HistoryEntry] = []
    ) {
        (self.style, self.demands, self.positions, self.workspace) = (style, demands, positions, workspace)
        (self.asOf, self.history) = (asOf, history)
    }
}

/// Conditions that make a command end with an exit code other than 0 although nothing failed.
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
