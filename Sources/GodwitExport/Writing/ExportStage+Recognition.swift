package import GodwitModel

extension ExportStage {
    /// The app of an export; nil if the file is not an export.
    ///
    /// A file is an export if it begins with the complete header of one, packed or not, even if it is cut off after the
    /// header.
    package static func appOfExport(at path: String) throws(GodwitError) -> String? {
        do throws(GodwitError) {
            return try ExportReader(stage: .export).readHeader(ExportInput(path: path, stage: .export)).app
        } catch {
            guard error.code == .data else { throw error }
            return nil
        }
    }
}
