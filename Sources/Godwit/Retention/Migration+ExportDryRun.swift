internal import GodwitFiles
package import GodwitModel

extension Migration {
    /// Plans the first export into a folder that does not exist yet, for a container of a fleet.
    ///
    /// - Returns: the report of that export, with the paths that it would have.
    package func planExport(
        intoNew folder: String, options export: ExportOptions, cancellation: Cancellation = Cancellation()
    ) throws(GodwitError) -> ExportReport {
        let scratch = try ScratchDirectory(identifier: SystemEnvironment.makeIdentifier())
        // One inside of it: the scratch folder is locked by its owner, and exports lock the folder they go to.
        let place = try scratch.makeSubdirectory("exports")
        var dryRun = export
        dryRun.isDryRun = true
        do throws(GodwitError) {
            var report = try self.export(into: place, options: dryRun, cancellation: cancellation)
            report.file = report.file?.replacingBytes(of: place, with: folder)
            _ = consume scratch
            return report
        } catch {
            throw error.naming(place, as: folder)
        }
    }
}
