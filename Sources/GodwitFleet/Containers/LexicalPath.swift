/// Paths as text.
package enum LexicalPath {
    /// What stands between slashes, but for nothing and `.`; told by bytes, since to Swift a `/` with an accent is no `/`.
    package static func parts(of path: String) -> [String] {
        path.utf8.split(separator: 0x2F).map { String(Substring($0)) }.filter { $0 != "." }
    }

    /// The path without `.`, empty parts and inner `..`: `./a//b/` is `a/b`, `a/../b` is `b`, nothing is `.`.
    ///
    /// `..` stays at the front of a relative path alone: above the root there is nothing.
    package static func normalized(_ path: String) -> String {
        let isAbsolute = path.utf8.first == 0x2F
        var parts: [String] = []
        for part in Self.parts(of: path) {
            guard part == ".." else {
                parts.append(part)
                continue
            }
            if let last = parts.last, last != ".." {
                parts.removeLast()
            } else if !isAbsolute {
                parts.append(part)
            }
        }
        let text = parts.joined(separator: "/")
        return isAbsolute ? "/" + text : text.isEmpty ? "." : text
    }
}
