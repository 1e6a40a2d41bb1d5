/// What a store of the app may have and no schema file makes, as lines of comments in schema files name it.
///
/// `init` writes such a line for each table or view whose SQL can't be run without the app: `-- godwit-leaves-out: "Name"`.
/// Adoption overlooks what is named so.
package enum LeftOutNames {
    private static let start = "-- godwit-leaves-out: "

    /// The names in a schema file.
    package static func read(_ sql: String) -> [String] {
        sql.utf8.split(separator: 0x0A).compactMap { (line) -> String? in
            guard line.starts(with: (start + "\"").utf8) else { return nil }
            // A quote in a name is doubled; the name ends at the first one that is not.
            let rest = String(decoding: line.dropFirst(start.utf8.count + 1), as: UTF8.self)
            let parts = rest.replacing("\"\"", with: "\0").split(
                separator: "\"", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let name = parts.first, !name.isEmpty else { return nil }
            return String(name).replacing("\0", with: "\"")
        }
    }

    /// The line for a name; nil if it does not fit on one.
    package static func line(for name: String) -> String? {
        guard !name.utf8.contains(where: { $0 < 0x20 }) else { return nil }
        return start + "\"" + name.replacing("\"", with: "\"\"") + "\""
    }
}
