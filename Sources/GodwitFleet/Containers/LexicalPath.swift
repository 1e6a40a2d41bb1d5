/// Operations on paths as text.
package enum LexicalPath {
    /// The parts between slashes, without empty parts and `.`; split by bytes, because for Swift a `/` with an accent
    /// is not a `/`.
    package static func parts(of path: String) -> [String] {
        path.utf8.split(separator: 0x2F).map { String(Substring($0)) }.filter { $0 != "." }
    }

    /// The path without `.`, empty parts and inner `..`: `./a//b/` is `a/b`, `a/../b` is `b`, nothing is `.`.
    ///
    /// `..` stays only at the start of a relative path; above the root there is nothing.
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
