package import GodwitModel

/// Reads export documents strictly, as a stream, in constant memory: plain JSON, JSON lines, and gzip of either.
///
/// The format is recognised by content. Whatever is not exactly what the format allows is an error (65) that says where;
/// no input crashes it or makes it use more memory than `ReadingLimits` allow. The contract is `docs/export-format.md`.
package struct ExportReader: Sendable {
    private let stage: Stage
    private let limits: ReadingLimits
    private let cancellation: Cancellation

    /// A reader; `stage` is what its errors are laid to.
    package init(
        stage: Stage = .import, limits: ReadingLimits = .init(), cancellation: Cancellation = Cancellation()
    ) {
        (self.stage, self.limits, self.cancellation) = (stage, limits, cancellation)
    }

    /// Reads a document to its end and hands over what it finds.
    ///
    /// - Returns: what is proven: counts and hash match the integrity block.
    package func read<H: DocumentHandler & ~Copyable>(
        _ input: ExportInput, into handler: inout H
    ) throws(GodwitError) -> DocumentSummary {
        let window = try ReadingWindow(input, stage: stage, limits: limits, cancellation: cancellation)
        var reading = DocumentReading(window)
        return try reading.read(into: &handler)
    }

    /// What a document says of itself before its records, which are not read: nothing of it is proven.
    package func readHeader(_ input: ExportInput) throws(GodwitError) -> DocumentHeader {
        let window = try ReadingWindow(input, stage: stage, limits: limits, cancellation: cancellation)
        var reading = DocumentReading(window)
        return try reading.readHeader()
    }
}
