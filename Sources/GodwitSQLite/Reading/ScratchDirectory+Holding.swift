package import GodwitFiles
package import GodwitModel

extension ScratchDirectory {
    /// Throws (70) unless a connection's store is inside this folder; call it before anything is removed from a private
    /// copy.
    ///
    /// SQLite itself returns the path of its open file: <https://sqlite.org/pragma.html#pragma_database_list>.
    package func requireHolding(_ store: SQLiteConnection) throws(GodwitError) {
        let files = try store.rows("PRAGMA database_list").filter { $0[1].readable == "main" }.map { $0[2].readable }
        guard let folder = PathText.real(path), files.count == 1, let file = PathText.real(files[0]),
            PathText.isInside(file, folder), file != folder
        else {
            throw GodwitError(
                .container, .bug, "\(store.name) was to be changed as a private copy, and is none.",
                hint: "Nothing was changed. Please report this.")
        }
    }
}
