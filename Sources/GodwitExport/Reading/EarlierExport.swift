internal import GodwitFiles
package import GodwitModel

/// An export that lies where another is about to be written.
package struct EarlierExport: Sendable {
    package let path: String
    /// What it says of itself; nothing is proven before `readWhole`.
    package let header: DocumentHeader

    /// The exports of an app with the same selection of entities in a folder, the newest first.
    ///
    /// - Parameter environment: the CloudKit environment of the store at hand: the records of another one are no
    ///   earlier state of its own.
    package static func all(
        in folder: String, app: String, selection: [String]?, environment: CloudEnvironment?, context: RunContext
    ) throws(GodwitError) -> [EarlierExport] {
        try all(in: folder, context: context).filter {
            $0.header.app.utf8.elementsEqual(app.utf8) && isSame($0.header.selection, selection)
                && CloudEnvironment.mayMeet($0.header.environment, environment)
        }
    }

    /// The exports in a folder, of whatever app, the newest first.
    ///
    /// They are told by content, never by name. What is none, or can't be read, or is a link, does not count: it may be
    /// anything.
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
        // Of two of one moment the one whose name comes last: names commonly end in a time or a number.
        return found.enumerated().sorted { a, b in
            (a.element.header.exportedAt, a.offset) > (b.element.header.exportedAt, b.offset)
        }.map(\.element)
    }

    /// One export, by its header alone.
    package init(_ path: String, _ context: RunContext) throws(GodwitError) {
        self.path = path
        let input = try ExportInput(path: path, stage: .export)
        header = try ExportReader(stage: .export, cancellation: context.cancellation).readHeader(input)
    }

    /// That exports are dated in the future, and so decide nothing.
    package static func wordsForAhead(_ ahead: [EarlierExport]) -> String {
        let names = ahead.prefix(3).map { PathText.lastPart(of: $0.path) }.joined(separator: ", ")
        let more = ahead.count > 3 ? " and \((ahead.count - 3).grouped) more" : ""
        return "\(names)\(more): dated in the future, so \(ahead.count == 1 ? "it decides" : "they decide") nothing."
    }

    private static func isSame(_ a: [String]?, _ b: [String]?) -> Bool {
        a.map { $0.map { Array($0.utf8) } } == b.map { $0.map { Array($0.utf8) } }
    }

    /// Reads it to its end; nil where it is not whole any more, so that nothing should be built on it.
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
