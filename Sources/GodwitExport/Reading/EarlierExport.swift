internal import GodwitFiles
package import GodwitModel

/// An existing export in the folder of a new one.
package struct EarlierExport: Sendable {
    package let path: String
    /// Not proven before `readWhole`.
    package let header: DocumentHeader

    /// The exports of an app with the same selection in a folder, newest first.
    ///
    /// - Parameter environment: the store's CloudKit environment: exports of another one are not earlier states of this
    ///   store.
    package static func all(
        in folder: String, app: String, selection: [String]?, environment: Manifest.Environment?, context: RunContext
    ) throws(GodwitError) -> [EarlierExport] {
        try all(in: folder, context: context).filter {
            $0.header.app.utf8.elementsEqual(app.utf8) && isSame($0.header.selection, selection)
                && Manifest.Environment.mayMeet($0.header.environment, environment)
        }
    }

    /// All exports in a folder, of any app, newest first.
    ///
    /// Recognized by content, never by name. Ignores links, unreadable files and everything else.
    package static func all(in folder: String, context: RunContext) throws(GodwitError) -> [EarlierExport] {
        var found: [EarlierExport] = []
        for name in try PathText.allNames(in: folder, stage: .export) where !name.hasPrefix(".") {
            try context.cancellation.check(.export)
            let path = PathText.join(folder, name)
            guard let status = try? FileStatus.ofLink(path), status.isRegularFile,
                let export = try? EarlierExport(path, context)
            else { continue }
            found.append(export)
        }
        // If two have the same time, the last name comes first, because names often end in a time or a number.
        return found.enumerated().sorted { a, b in
            (a.element.header.exportedAt, a.offset) > (b.element.header.exportedAt, b.offset)
        }.map(\.element)
    }

    /// Reads only the header.
    package init(_ path: String, _ context: RunContext) throws(GodwitError) {
        self.path = path
        let input = try ExportInput(path: path, stage: .export)
        header = try ExportReader(stage: .export, cancellation: context.cancellation).readHeader(input)
    }

    /// The text of a warning about exports that are dated in the future and therefore ignored.
    package static func wordsForAhead(_ ahead: [EarlierExport]) -> String {
        let names = ahead.prefix(3).map { PathText.lastPart(of: $0.path) }.joined(separator: ", ")
        let more = ahead.count > 3 ? " and \((ahead.count - 3).grouped) more" : ""
        return "\(names)\(more): dated in the future, so Godwit does not compare with "
            + "\(ahead.count == 1 ? "it" : "them")"
    }

    private static func isSame(_ a: [String]?, _ b: [String]?) -> Bool {
        a.map { $0.map { Array($0.utf8) } } == b.map { $0.map { Array($0.utf8) } }
    }

    /// Reads it completely; nil if it is damaged or incomplete, and so not usable as a base.
    package func readWhole(_ context: RunContext) throws(GodwitError) -> DocumentSummary? {
        do throws(GodwitError) {
            var check = DocumentCheck()
            return try ExportReader(stage: .export, cancellation: context.cancellation)
                .read(ExportInput(path: path, stage: .export), into: &check)
        } catch {
            try context.cancellation.check(.export)
            return nil
        }
    }
}
