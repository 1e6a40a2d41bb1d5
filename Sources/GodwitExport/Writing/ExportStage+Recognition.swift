package import GodwitModel

extension ExportStage {
    /// Whether a file begins with the whole header of an export, packed or not: one that was cut off behind it is still
    /// an export.
    package static func isExport(_ path: String) throws(GodwitError) -> Bool {
        do throws(GodwitError) {
            _ = try ExportReader(stage: .export).readHeader(ExportInput(path: path, stage: .export))
            return true
        } catch {
            guard error.code == .data else { throw error }
            return false
        }
    }
}
