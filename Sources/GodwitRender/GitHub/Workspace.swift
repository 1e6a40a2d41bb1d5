/// The folder that a repository is checked out into: paths of annotations begin there.
package struct Workspace: Sendable {
    private let current: String
    private let root: String?

    /// A workspace.
    ///
    /// - Parameters:
    ///   - current: the folder that relative paths begin at.
    ///   - root: the checkout, as `GITHUB_WORKSPACE` names it; nil if that is not known.
    package init(current: String = "/", root: String? = nil) {
        (self.current, self.root) = (current, root)
    }

    /// The path relative to the checkout; the given path if the file is not in it.
    ///
    /// Compares names and follows no links.
    func path(of file: String) -> String {
        guard let root else { return file }
        let absolute = Self.parts(file.utf8.first == 0x2F ? file : current + "/" + file)
        let top = Self.parts(root)
        guard absolute.count > top.count, absolute.starts(with: top) else { return file }
        return absolute.dropFirst(top.count).joined(separator: "/")
    }

    /// The names in the path, without `.`, and without the names that a `..` removes.
    ///
    /// Split by bytes, because a `/` with an accent is not a `/` in Swift.
    private static func parts(_ path: String) -> [String] {
        path.utf8.split(separator: 0x2F).map { String(Substring($0)) }.reduce(into: []) { parts, part in
            if part == ".." {
                _ = parts.popLast()
            } else if part != "." {
                parts.append(part)
            }
        }
    }
}
