/// How an export document is laid out.
public enum ExportLayout: String, Sendable, Codable, CaseIterable {
    /// One JSON document.
    case document
    /// JSON lines: a header line, a line for each record, an integrity line.
    case lines
}
