package import GodwitFiles
package import GodwitModel

extension ScratchDirectory {
    /// Throws (70) unless a connection's store is inside this folder; call it before anything is removed from a private
    /// copy.
    package func requireHolding(_ store: SQLiteConnection) throws(GodwitError) {
        guard let folder = PathText.real(path), let file = try store.readFilePath().flatMap(PathText.real),
            PathText.isInside(file, folder), file != folder
        else {
            throw GodwitError(
                .container, .bug, "`\(store.name)` is not a private copy, so it was not changed",
                hint: "Report this with the command that you ran.")
        }
    }
}
