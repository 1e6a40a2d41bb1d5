package import GodwitModel

extension ExportStage {
    /// Whether a file begins as every export of Godwit does, packed or not.
    package static func isExport(_ path: String) throws(GodwitError) -> Bool {
        try ExportReader(stage: .export).recognises(ExportInput(path: path, stage: .export))
    }
}
