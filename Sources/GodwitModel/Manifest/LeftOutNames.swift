/// Names of tables and views that a store of the app may have but no schema file creates.
///
/// `init` writes a comment line into a schema file for each table or view whose SQL only the app can run: `--
/// godwit-leaves-out: "Name"`. Adoption accepts a store that has these tables.
package enum LeftOutNames {
    private static let start = "-- godwit-leaves-out: "

    /// The names in the text of a schema file.
    package static func read(_ sql: String) -> [String] {
        sql.utf8.split(separator: 0x0A).compactMap { (line) -> String? in
            guard line.starts(with: (start + "\"").utf8) else { return nil }
            // A quote in a name is doubled; a single quote ends the name.
            let rest = String(decoding: line.dropFirst(start.utf8.count + 1), as: UTF8.self)
            let parts = rest.replacing("\"\"", with: "\0").split(
                separator: "\"", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let name = parts.first, !name.isEmpty else { return nil }
            return String(name).replacing("\0", with: "\"")
        }
    }

    /// The comment line for a name; nil if the name has control characters, which include line breaks.
    package static func line(for name: String) -> String? {
        guard !name.utf8.contains(where: { $0 < 0x20 }) else { return nil }
        return start + "\"" + name.replacing("\"", with: "\"\"") + "\""
    }
}
