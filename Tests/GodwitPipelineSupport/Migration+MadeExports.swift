package import Godwit
package import GodwitModel
package import FoundationLite
import GodwitTestSupport

extension Migration {
    /// Exports, and keeps the document for the verifiers.
    @discardableResult
    package func exportAndKeep(
        to path: String, options: ExportOptions,
        faultPoint: @escaping @Sendable (FaultPoint) throws(GodwitError) -> Void = { _ throws(GodwitError) in }
    ) throws -> ExportReport {
        let report = try export(to: path, options: options, faultPoint: faultPoint)
        if !options.isDryRun, report.unchangedSince == nil { try MadeExports.keep(path) }
        return report
    }

    /// The same through the library's public function.
    @discardableResult
    package func exportAndKeep(to url: URL) async throws -> ExportReport {
        let report = try await export(to: url)
        try MadeExports.keep(url.path)
        return report
    }
}
