internal import GodwitFiles
package import GodwitModel

/// Removals in a store that is being made, and has its own name only when it is complete.
extension SQLiteConnection {
    /// The path of the open file, as SQLite has it: <https://sqlite.org/pragma.html#pragma_database_list>.
    func readFilePath() throws(GodwitError) -> String? {
        try rows("PRAGMA database_list").first { $0[1].readable == "main" }?[2].readable
    }

    /// Throws (70) unless the store has a temporary name, as a new store has while it is filled; call it before anything
    /// is removed from one.
    package func requireTemporary() throws(GodwitError) {
        guard let path = try readFilePath(), OwnFiles.isTemporary(path) else {
            throw GodwitError(
                stage, .bug, "`\(name)` is not a new store, so it was not filled; nothing was removed",
                hint: "Report this with the command that you ran.")
        }
    }

    /// Removes the rows that schema files inserted into a table of a new store.
    package func removeSeeds(ofTable table: String) throws(GodwitError) {
        try requireTemporary()
        try execute("DELETE FROM \(quoted(table))")
    }
}
