internal import GodwitFiles
package import GodwitModel
internal import FoundationLite

/// A plan that was saved as JSON: the report of a dry run with what it was decided by.
///
/// Nothing in it is ever used as a path: a run looks at its own files and compares.
package struct SavedPlan: Sendable {
    /// As given.
    let file: String
    let report: RunReport
    let basis: PlanBasis

    /// The most that is read.
    static let limit = 64 << 20

    /// Reads a saved plan.
    ///
    /// Throws `GodwitError` 66 if there is no such file, 65 if it is too large, not a plan, cut, edited, or of an
    /// unknown format.
    package init(path: String) throws(GodwitError) {
        file = path
        let bytes = try readBytes(path, limit: Self.limit, stage: .container)
        let data = Data(bytes)
        let decoder = JSONDecoder()
        guard let header = try? decoder.decode(Header.self, from: data) else {
            throw Self.refusal(path, "is not a report in JSON, or was cut off")
        }
        guard let version = header.plan?.formatVersion else {
            throw Self.refusal(path, "does not state its inputs")
        }
        guard version == PlanBasis.currentVersion, header.reportVersion == 1 else {
            throw GodwitError(
                .container, .data,
                "`\(path)` is a plan of format \(version), report \(header.reportVersion); this Godwit "
                    + "reads format \(PlanBasis.currentVersion), report 1",
                hint: "Plan again with this Godwit, check the new plan, and run it.")
        }
        guard Self.isAsWritten(bytes) else { throw Self.refusal(path, "was edited or damaged after it was saved") }
        guard let report = try? decoder.decode(RunReport.self, from: data), let basis = report.plan,
            report.run.dryRun, report.run.command == "plan",
            basis.inputsSha256 == PlanInputs.hash(of: basis.inputs)
        else { throw Self.refusal(path, "is not a plan of `godwit run`") }
        self.report = report
        self.basis = basis
    }

    private struct Header: Decodable {
        struct Basis: Decodable { let formatVersion: Int }

        let reportVersion: Int
        let plan: Basis?
    }

    private static func refusal(_ path: String, _ what: String) -> GodwitError {
        GodwitError(
            .container, .data, "`\(path)` is not a plan that can be run: it \(what)",
            hint: "Make one with `godwit plan -o FILE`, and do not change it.")
    }

    /// Throws (65) if anything that decided the plan is not as it was then, naming each.
    func requireSame(_ found: PlanBasis) throws(GodwitError) {
        let changes = PlanInput.changes(from: basis.inputs, to: found.inputs)
        guard !changes.isEmpty || basis.inputsSha256 != found.inputsSha256 else { return }
        let shown = changes.prefix(20).joined(separator: "; ")
        let more = changes.count > 20 ? "; and \(changes.count - 20) more" : ""
        throw GodwitError(
            .container, .data,
            changes.isEmpty
                ? "the inputs of the plan `\(file)` differ from those of its making; nothing was written"
                : "\(changes.count.counted("input")) of the plan `\(file)` changed since it was made: "
                    + "\(shown)\(more); nothing was written",
            hint: "Plan again, check the new plan, and run it.")
    }
}

/// The hash of the document inside the document.
extension SavedPlan {
    /// Comes before the hash, in what `JSONReport` writes; no text of a report can hold it, since quotes are escaped
    /// there.
    private static let mark = Array("\"planSha256\" : \"".utf8)
    private static let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: 64)

    /// Inserts the hash of a finished document; a document that is not a saved plan does not change.
    package static func sealing(_ document: [UInt8]) -> [UInt8] {
        guard let place = hashPlace(in: document), Array(document[place]) == zeros else { return document }
        var sealed = document
        sealed.replaceSubrange(place, with: sha256Hex(document).utf8)
        return sealed
    }

    /// Whether a document has the hash that it was given when it was written.
    private static func isAsWritten(_ document: [UInt8]) -> Bool {
        guard let place = hashPlace(in: document) else { return false }
        var blank = document
        blank.replaceSubrange(place, with: zeros)
        return sha256Hex(blank).utf8.elementsEqual(document[place])
    }

    /// The range of the hash; nil if there is none, or more than one.
    private static func hashPlace(in document: [UInt8]) -> Range<Int>? {
        var found: Range<Int>?
        var place = 0
        while let next = document[place...].firstIndex(of: mark[0]) {
            place = next + 1
            guard document[next...].starts(with: mark) else { continue }
            let start = next + mark.count
            guard found == nil, document.count > start + 64, document[start + 64] == UInt8(ascii: "\"") else {
                return nil
            }
            found = start..<start + 64
        }
        return found
    }
}
