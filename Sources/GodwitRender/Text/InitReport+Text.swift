package import GodwitModel

extension InitReport: ReadableReport {
    /// The written files, the entities, the data that was left out, and the next steps.
    package func text(_ style: TextStyle) -> String {
        var page = TextPage(style)
        page.add(TextLine([Painted("godwit init:", .strong)], "\(app) in \(container)"))
        page.add(clock: clock)
        page.addGap()
        for path in written {
            var line = TextLine.path(path, .plain)
            line.head = [(dryRun ? Symbol.pointer : .good).painted]
            page.add(line)
        }
        if dryRun { page.add(TextLine(.item, "dry run, nothing was written")) }
        page.addGap()
        page.add(TextLine([Painted("local", .strong, padded: 6)], local + layoutNote))
        page.add(TextLine([Painted("cloud", .strong, padded: 6)], cloud))
        page.addGap()
        let most = style.listed(60)
        for entity in entities.prefix(most) {
            let words = "\(entity.count.counted("record")), key \(entity.key)"
            let isSure = entity.keyEvidence != .name && entity.keyEvidence != .rowNumber
            let note = entity.keyEvidence == .rowNumber ? " (the number of the row)" : isSure ? "" : " (by its name)"
            page.add(TextLine(indent: 2, [Painted(entity.name.shortened(to: 40), .strong)], words + note))
        }
        if entities.count > most { page.add(TextLine(indent: 2, .item, "and \((entities.count - most).grouped) more")) }
        page.addGap()
        page.add(manyWarnings: leftOut + risks)
        page.add(nextSteps: nextSteps)
        page.trimGap()
        return page.text
    }

    private var layoutNote: String {
        switch layout {
        case .coreData: " (Core Data; read, never written)"
        case .empty: " (does not exist yet)"
        case .tables, .unread: ""
        }
    }
}
