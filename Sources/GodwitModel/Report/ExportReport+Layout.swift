extension ExportReport {
    /// The layout of an export.
    public enum Layout: String, Sendable, Codable, CaseIterable {
        /// One JSON document.
        case document
        /// JSON Lines: a header line, a line for each record, an integrity line.
        case lines
    }
}
