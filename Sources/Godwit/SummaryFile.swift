internal import GodwitFiles
package import GodwitModel
internal import Libc

/// The file in which a CI system collects the summary of a step: Godwit only adds to its end.
package enum SummaryFile {
    /// GitHub's limit for a step; above it, GitHub ignores the summary:
    /// <https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands#step-isolation-and-limits>.
    package static let limit: Int64 = 1 << 20

    /// Adds to the end of a file, and creates it if it does not exist.
    ///
    /// The variable may name a wrong file. So it must be a regular file with one name that begins like text: an
    /// addition would damage a store or a property list. Throws (73) for other files, and if the file would exceed the
    /// limit.
    package static func append(_ bytes: [UInt8], to path: String) throws(GodwitError) {
        let found = try FileStatus.ofLink(path, unusable: .cannotCreate)
        if let found, !found.isRegularFile {
            throw refusal("`\(path)` is not a regular file; links are not followed")
        }
        let file =
            found != nil
            ? try OpenFile(extending: path, stage: .status) : try OpenFile(creating: path, mode: 0o644, stage: .status)
        let status = try file.status()
        guard status.isRegularFile, status.links == 1, beginsLikeText(file) else {
            throw refusal("`\(path)` is not a text file, so nothing can be added to it")
        }
        guard status.size + Int64(bytes.count) <= limit else {
            throw refusal("`\(path)` has no space for the summary: it would be larger than 1 MiB")
        }
        // Another step's words may not end in a newline.
        try file.write((endsInLine(file, status.size) ? [] : [UInt8(ascii: "\n")]) + bytes)
        try file.close()
    }

    private static func beginsLikeText(_ file: borrowing OpenFile) -> Bool {
        var start = [UInt8](repeating: 0, count: 64)
        let count = pread(file.descriptor, &start, start.count, 0)
        guard count >= 0 else { return false }
        let text = start.prefix(count)
        return !text.contains(0) && !text.starts(with: Array("bplist".utf8)) && !text.starts(with: Array("<?xml".utf8))
            && !text.starts(with: Array("{".utf8))
    }

    private static func endsInLine(_ file: borrowing OpenFile, _ size: Int64) -> Bool {
        var last: UInt8 = 0
        guard size > 0, pread(file.descriptor, &last, 1, off_t(size - 1)) == 1 else { return true }
        return last == UInt8(ascii: "\n")
    }

    private static func refusal(_ message: String) -> GodwitError {
        GodwitError(
            .status, .cannotCreate, message, hint: "Correct GITHUB_STEP_SUMMARY; the report itself is not affected.")
    }
}

extension Migration {
    /// The manifest, for reports that name places in it.
    package var shownManifest: Manifest { manifest }
}
