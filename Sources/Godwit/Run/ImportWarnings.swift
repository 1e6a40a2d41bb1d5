internal import GodwitModel
internal import GodwitExport

extension ImportStage.Restored {
    /// The warnings about a restored store.
    func warnings(_ manifest: Manifest) -> [Warning] {
        var warnings: [Warning] = []
        let app = summary.header.app
        if !app.utf8.elementsEqual(manifest.app.utf8) {
            warnings.append(
                Warning(
                    "otherApp",
                    "the export is of the app '\(app)', but the manifest is for '\(manifest.app)'; "
                        + "its tables fit",
                    hint: "Check that this is the right export."))
        }
        if let selection = summary.header.selection {
            warnings.append(
                Warning(
                    "selection",
                    "the export has only \(selection.joined(separator: ", ")), as its exporter selected",
                    hint:
                        "Restore a complete export if you need the other tables: these have only the "
                        + "records of the schema files."))
        }
        if let different = differencesWarning(manifest) { warnings.append(different) }
        if !heldBack.isEmpty {
            let names = heldBack.prefix(5).map { "'\($0)'" }.joined(separator: ", ")
            warnings.append(
                Warning(
                    "triggersHeldBack",
                    "\(heldBack.count.counted("trigger")) did not run for the restored records: \(names)",
                    hint:
                        "Run the triggers again only if needed: their effects on exported records are in "
                        + "the export."
                ))
        }
        if danglingReferences > 0 {
            warnings.append(
                Warning(
                    "danglingReferences",
                    "\(danglingReferences.counted("foreign key")) of the restored records "
                        + "\(danglingReferences == 1 ? "refers" : "refer") to a record that does not exist",
                    hint:
                        "Check them with `PRAGMA foreign_key_check`: the exported store had the same, or "
                        + "the export has not all tables."))
        }
        return warnings
    }

    /// Nil if an export of the restored store describes its columns as the document does.
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
            "the restored store declares columns that differ from the export: \(shown.joined(separator: "; "))"
                + (rest > 0 ? "; and \(rest.grouped) more" : ""),
            hint:
                "Use the schema files of the app that exported it to get the same sha256; all values are "
                + "restored.")
    }
}

extension ColumnDifference {
    fileprivate var text: String {
        let place = "'\(column.cut)' of \(table.cut)"
        return switch kind {
        case .name(let other): "\(place) is '\(other.cut)' in the store"
        case .type(let announced, let other):
            "\(place) has type '\(announced.cut)' in the export and '\(other.cut)' in the store"
        case .place(let announced, let other):
            "\(place) is column \(announced) in the export and column \(other) in the store"
        }
    }
}

extension String {
    /// Its beginning, as much of it as helps: names and types of a document may have any length.
    fileprivate var cut: String {
        unicodeScalars.count > 60 ? String(String.UnicodeScalarView(unicodeScalars.prefix(60))) + "…" : self
    }
}
