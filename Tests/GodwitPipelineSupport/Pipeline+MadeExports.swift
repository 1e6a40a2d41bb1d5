package import Godwit
package import GodwitModel
package import FoundationLite
import GodwitTestSupport

extension Pipeline {
    /// Exports, and hands the document to those who verify what tests make.
    @discardableResult
    package func exportAndKeep(
        to path: String, options: ExportOptions,
        faultPoint: @escaping @Sendable (FaultPoint) throws(GodwitError) -> Void = { _ throws(GodwitError) in }
    ) throws -> ExportReport {
        let report = try export(to: path, options: options, faultPoint: faultPoint)
        if !options.isDryRun, report.unchangedSince == nil { try MadeExports.keep(path) }
        return report
    }

    /// The same through the library's door.
    @discardableResult
    package func exportAndKeep(to url: URL) async throws -> ExportReport {
        let report = try await export(to: url)
        try MadeExports.keep(url.path)
        return report
    }
}
