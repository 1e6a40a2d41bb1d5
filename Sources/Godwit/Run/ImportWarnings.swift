internal import GodwitModel
internal import GodwitExport

extension ImportStage.Restored {
    /// What a person should know of a restored store though nothing failed.
    func warnings(_ manifest: Manifest) -> [Warning] {
        var warnings: [Warning] = []
        let app = summary.header.app
        if !app.utf8.elementsEqual(manifest.app.utf8) {
            warnings.append(
                Warning(
                    "otherApp", "The document was exported from '\(app)'; the manifest is that of '\(manifest.app)'.",
                    hint: "Its tables fit all the same; check that it is the export you mean."))
        }
        if let selection = summary.header.selection {
            warnings.append(
                Warning(
                    "selection",
                    "The document holds \(selection.joined(separator: ", ")) alone: that is all it was to hold.",
                    hint: "The other tables of the restored store have no records but those of the schema files."))
        }
        if let different = differencesWarning(manifest) { warnings.append(different) }
        if !heldBack.isEmpty {
            let names = heldBack.prefix(5).map { "'\($0)'" }.joined(separator: ", ")
            warnings.append(
                Warning(
                    "triggersHeldBack",
                    "\(heldBack.count.counted("trigger")) did not run for the restored records: \(names).",
                    hint:
                        "What such triggers do to exported records they did before the export; they are in the new store."
                ))
        }
        if danglingReferences > 0 {
            warnings.append(
                Warning(
                    "danglingReferences",
                    "\(danglingReferences.counted("foreign key")) of the restored records "
                        + "\(danglingReferences == 1 ? "points" : "point") nowhere.",
                    hint:
                        "They did so where the document was exported, or lead to records that are not in it; see PRAGMA "
                        + "foreign_key_check."))
        }
        return warnings
    }

    /// Nil where an export of the restored store describes its columns as the document does.
    private func differencesWarning(_ manifest: Manifest) -> Warning? {
        let named = entities.compactMap { announced -> String? in
            // By bytes: what is spelled alike is exported alike.
            let other = manifest.entities.first { $0.name.isSameName(as: announced.name) }
            guard let other, !other.name.utf8.elementsEqual(announced.name.utf8) else { return nil }
            return "'\(announced.name.cut)' is '\(other.name.cut)' in the manifest"
        }
        let all = named + differences.first.map(\.text)
        guard !all.isEmpty else { return nil }
        let shown = all.prefix(ColumnDifferences.limit)
        let rest = named.count + differences.count - shown.count
        return Warning(
            "columnsDiffer",
            "The restored store has other declarations than the document: \(shown.joined(separator: "; "))"
                + (rest > 0 ? "; and \(rest.grouped) more." : "."),
            hint:
                "Every value is there as the document has it, but an export of this store has another sha256; use the "
                + "schema files of the app that it was exported from to get the same.")
    }
}

extension ColumnDifference {
    fileprivate var text: String {
        let place = "'\(column.cut)' of \(table.cut)"
        return switch kind {
        case .name(let other): "\(place) is '\(other.cut)' in the store"
        case .type(let announced, let other):
            "\(place) has type '\(announced.cut)' in the document and '\(other.cut)' in the store"
        case .place(let announced, let other):
            "\(place) is column \(announced) in the document and column \(other) in the store"
        }
    }
}

extension String {
    /// Its beginning, as much of it as helps: names and types of a document may have any length.
    fileprivate var cut: String {
        unicodeScalars.count > 60 ? String(String.UnicodeScalarView(unicodeScalars.prefix(60))) + "…" : self
    }
}
