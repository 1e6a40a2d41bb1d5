package import GodwitModel

/// Reads export documents strictly, as a stream, in constant memory: plain JSON, JSON Lines, and gzip of either.
///
/// It recognizes the format by content. Everything that the format does not permit is an error (65) with its position.
/// No input can crash it, or make it use more memory than `ReadingLimits` permit. The contract is
/// `docs/export-format.md`.
package struct ExportReader: Sendable {
    private let stage: GodwitError.Stage
    private let limits: ReadingLimits
    private let cancellation: Cancellation

    package init(
        stage: GodwitError.Stage = .import, limits: ReadingLimits = .init(), cancellation: Cancellation = Cancellation()
    ) {
        (self.stage, self.limits, self.cancellation) = (stage, limits, cancellation)
    }

    /// Reads a document completely and passes its content to a handler.
    ///
    /// - Returns: the proven content: counts and hash match the integrity block.
    package func read<H: DocumentHandler & ~Copyable>(
        _ input: ExportInput, into handler: inout H
    ) throws(GodwitError) -> DocumentSummary {
        let window = try ReadingWindow(input, stage: stage, limits: limits, cancellation: cancellation)
        var reading = DocumentReading(window)
        return try reading.read(into: &handler)
    }

    /// Reads only the members before the records, which are not proven.
    package func readHeader(_ input: ExportInput) throws(GodwitError) -> DocumentHeader {
        let window = try ReadingWindow(input, stage: stage, limits: limits, cancellation: cancellation)
        var reading = DocumentReading(window)
        return try reading.readHeader()
    }
}
