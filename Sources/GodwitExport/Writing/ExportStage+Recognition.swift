package import GodwitModel

extension ExportStage {
    /// The app whose export a file is; nil where it is none.
    ///
    /// It is one if it begins with the whole header of an export, packed or not: one that was cut off behind it is still
    /// an export.
    package static func appOfExport(at path: String) throws(GodwitError) -> String? {
        do throws(GodwitError) {
            return try ExportReader(stage: .export).readHeader(ExportInput(path: path, stage: .export)).app
        } catch {
            guard error.code == .data else { throw error }
            return nil
        }
    }
}
