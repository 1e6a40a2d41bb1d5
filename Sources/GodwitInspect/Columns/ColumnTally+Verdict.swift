internal import GodwitModel

/// Decides what a column holds, from its name, its declared type and its values; pure.
extension ColumnTally {
    /// The column for a report.
    ///
    /// - Parameters:
    ///   - encoding: The encoding of its dates, if it is certain.
    ///   - showsValues: Whether values may be shown; secrets are never shown.
    func column(
        _ name: String, column: String?, type: String, encoding known: InstantEncoding?, now: Instant, showsValues: Bool
    ) -> InspectedColumn {
        var found = InspectedColumn(name: name, column: column, declaredType: type, missing: missing)
        let words = NameParts(name)
        found.isSecret = words.soundSecret
        let (kind, encoding) = kind(words, type, known)
        found.kind = kind
        if texts.count + blobs.count > 0 { found.longest = longest }
        if kind == .date, let encoding {
            found.encoding = encoding
            (found.earliest, found.latest) = range(encoding)
            // Dates later than now are counted only for text; for numbers only the latest is known.
            found.future = encoding == .iso8601 ? texts.future : nil
        }
        found.isExternal =
            blobs.references + blobs.markedFiles > 0 && blobs.marked + blobs.references + blobs.empty == blobs.count
        if showsValues, !found.isSecret, !samples.isEmpty { found.samples = samples.map(\.shown) }
        return found
    }

    private func kind(
        _ words: NameParts, _ type: String, _ known: InstantEncoding?
    ) -> (ValueKind, InstantEncoding?) {
        guard present > 0 else { return (.none, nil) }
        if texts.count == present {
            if texts.dates == present { return (.date, .iso8601) }
            if texts.uuids == present { return (.uuid, nil) }
            return (texts.documents == present ? .json : .text, nil)
        }
        if blobs.count == present {
            let isNamed = ["id", "uuid", "guid", "identifier"].contains(words.words.last)
            if blobs.uuids == present || isNamed && blobs.sixteens == present { return (.uuid, nil) }
            if blobs.archives == present { return (.keyedArchive, nil) }
            if blobs.propertyLists == present { return (.propertyList, nil) }
            return (blobs.documents == present ? .json : .data, nil)
        }
        guard numbers.count == present else { return (.mixed, nil) }
        if let known { return (.date, known) }
        let isDeclared = DateEncoding.isDeclared(type)
        if isDeclared || words.soundDate, let encoding = DateEncoding.guess(numbers, isDeclared: isDeclared) {
            return (.date, encoding)
        }
        if numbers.reals > 0 { return (.real, nil) }
        let isReal = ColumnAffinity(declaredType: type, isStrict: false) == .real
        return (isReal ? .real : numbers.others == 0 ? .boolean : .integer, nil)
    }

    private func range(_ encoding: InstantEncoding) -> (Instant?, Instant?) {
        if encoding == .iso8601 { return (texts.earliest, texts.latest) }
        guard numbers.hasRange else { return (nil, nil) }
        return (DateEncoding.instant(numbers.lowest, encoding), DateEncoding.instant(numbers.highest, encoding))
    }
}

extension Value {
    /// The value as a reader sees it: long text truncated, and text that looks like a secret hidden in any column.
    var shown: String {
        let text = readable
        if case .text = self, SecretDetector.isSecret(text) { return SecretDetector.mask }
        return text.count > 80 ? text.prefix(80) + "…" : text
    }
}
