package import GodwitModel

extension InspectReport: ReadableReport {
    /// Each store with its entities, each property list with its keys, what would be risky, and what to do next.
    package func text(_ style: TextStyle) -> String {
        var page = TextPage(style)
        page.add(TextLine([Painted("godwit inspect:", .strong)], place))
        page.add(clock: clock)
        page.addGap()
        for store in stores { page.add(store, asOf: asOf) }
        for file in preferences { page.add(file, asOf: asOf) }
        for conflict in suiteConflicts {
            page.add(
                TextLine(
                    .caution, "\(conflict.key) has different values in \(conflict.files.joined(separator: ", "))",
                    .caution))
            page.add(TextLine(indent: 2, .pointer, "The first file that the manifest lists counts."))
        }
        if otherFiles > 0 { page.add(TextLine(.item, "\(otherFiles.counted("other file"))")) }
        if !suiteConflicts.isEmpty || otherFiles > 0 { page.addGap() }
        page.add(warnings: risks)
        if stores.isEmpty, preferences.isEmpty {
            page.add(TextLine(.item, "There is no store and no property list in it."))
            page.addGap()
        }
        page.add(nextSteps: nextSteps)
        page.trimGap()
        return page.text
    }

    private var place: String {
        let words: String? =
            switch layout {
            case nil: nil
            case .xcappdata: "a container that Xcode downloaded"
            case .macOS: "a container of macOS"
            case .sandbox: "a sandbox"
            case .folder: "a folder"
            }
        return [path, words, bundleIdentifier].compactMap(\.self).joined(separator: ", ")
    }
}

extension TextPage {
    fileprivate mutating func add(_ store: InspectedStore, asOf now: Instant) {
        add(.path(store.file, .strong))
        add(TextLine(indent: 2, [], store.facts(asOf: now).joined(separator: ", ")))
        for entity in store.entities { add(entity) }
        if !store.otherTables.isEmpty {
            add(TextLine(indent: 2, .item, "other tables: \(listed(store.otherTables))", .faint))
        }
        if !store.views.isEmpty { add(TextLine(indent: 2, .item, "views: \(listed(store.views))", .faint)) }
        for risk in store.risks { add(risk, indent: 2) }
        addGap()
    }

    private func listed(_ names: [String]) -> String {
        let most = style.listed(8)
        return names.prefix(most).joined(separator: ", ")
            + (names.count > most ? " and \((names.count - most).grouped) more" : "")
    }

    private mutating func add(_ risk: Warning, indent: Int) {
        add(TextLine(indent: indent, .caution, style.verbose ? "\(risk.message) [\(risk.code)]" : risk.message))
        if let hint = risk.hint { add(TextLine(indent: indent + 2, .pointer, hint)) }
    }

    private mutating func add(_ entity: InspectedEntity) {
        add(TextLine(indent: 2, [Painted(entity.name.shortened(to: 40), .strong)], entity.facts))
        guard entity.count > 0 || style.verbose else { return }
        let columns = entity.columns.filter { style.verbose || $0.kind != .none }
        let empty = entity.columns.count - columns.count
        var words = columns.map(\.phrase)
        if empty > 0 { words.append("\(empty.grouped) without any value") }
        if !words.isEmpty { add(TextLine(indent: 4, [], words.joined(separator: " · "), .faint)) }
        for column in columns {
            guard let samples = column.samples else { continue }
            add(TextLine(indent: 4, .item, "\(column.name): \(samples.joined(separator: " | "))"))
        }
        for relation in entity.relations where relation.count > 0 || style.verbose {
            add(TextLine(indent: 4, .pointer, relation.phrase))
        }
    }

    fileprivate mutating func add(_ file: InspectedPreferences, asOf now: Instant) {
        add(.path(file.file, .strong))
        let facts = [
            file.format.map { $0 == .json ? "JSON" : "\($0.rawValue) property list" },
            "\(file.size.grouped) bytes", file.modifiedAt.map { "changed \(TimePhrase.relative($0, asOf: now))" },
            file.format == nil ? nil : file.keys.count.counted("key"),
        ]
        add(TextLine(indent: 2, [], facts.compactMap(\.self).joined(separator: ", ")))
        for key in file.keys.prefix(style.listed(100)) { add(TextLine(indent: 4, .item, key.phrase)) }
        let more = file.keys.count - min(file.keys.count, style.listed(100))
        if more > 0 { add(TextLine(indent: 4, .item, "and \(more.grouped) more", .faint)) }
        for risk in file.risks { add(risk, indent: 2) }
        addGap()
    }
}

extension InspectedStore {
    fileprivate func facts(asOf now: Instant) -> [String] {
        let kind: String =
            switch layout {
            case .tables: "plain tables"
            case .coreData: "Core Data"
            case .empty: "no tables"
            case .unread: "not read"
            }
        var facts = [kind + (isMirrored ? " mirrored to CloudKit" : "")]
        if layout != .unread { facts.append(entities.reduce(0) { $0 + $1.count }.counted("record")) }
        if let journal {
            let gap = risks.firstLogGap
            facts.append(
                journal == "wal"
                    ? gap == .missing ? "in WAL mode, without its -wal file" : "with a -wal file"
                    : "with a rollback journal")
        }
        facts.append("\(size.grouped) bytes")
        if let modifiedAt { facts.append("changed \(TimePhrase.relative(modifiedAt, asOf: now))") }
        if let userVersion, userVersion != 0 { facts.append("user_version \(userVersion)") }
        if let applicationID, applicationID != 0 { facts.append("application_id \(applicationID)") }
        if let schemaVersion { facts.append("at \(RunReport.Schema.label(schemaVersion)) of Godwit's") }
        if let coreData {
            if let version = coreData.metadata["modelVersions"] { facts.append("model \(version)") }
            if coreData.hasHistory { facts.append("with persistent history") }
            if coreData.hiddenMetadata > 0 {
                facts.append("\(coreData.hiddenMetadata.counted("metadata key")) not shown")
            }
        }
        return facts
    }
}

extension InspectedEntity {
    fileprivate var facts: String {
        var facts = [count.counted("record")]
        if let superEntity { facts.append("a kind of \(superEntity)") }
        if let key, let keyEvidence { facts.append("key \(key) (\(keyEvidence.phrase))") }
        if key == nil { facts.append("no key") }
        if duplicates > 0 { facts.append("\(duplicates.counted("duplicate"))") }
        if let modified { facts.append("dated by \(modified)") }
        if isSingleton { facts.append("a singleton") }
        return facts.joined(separator: ", ")
    }
}

extension KeyEvidence {
    fileprivate var phrase: String {
        switch self {
        case .primaryKey: "primary key"
        case .uniqueIndex: "unique index"
        case .values: "all different"
        case .name: "by its name"
        case .rowNumber: "number of the row"
        }
    }
}

extension InspectedColumn {
    /// `startedAt date 2026-03-01 … 2026-11-20 (iso8601)`.
    fileprivate var phrase: String {
        var words = [name]
        words.append(kind == .none ? "(\(declaredType.isEmpty ? "any" : declaredType), no value)" : kind.phrase)
        if let earliest, let latest {
            let (first, last) = (earliest.iso8601.prefix(10), latest.iso8601.prefix(10))
            words.append(first == last ? String(first) : "\(first) … \(last)")
        }
        if let encoding { words.append("(\(encoding.rawValue))") }
        if isSecret { words.append("(hidden)") }
        if missing > 0, kind != .none { words.append("\(missing.grouped) missing") }
        return words.joined(separator: " ")
    }
}

extension ValueKind {
    fileprivate var phrase: String {
        switch self {
        case .none: "no value"
        case .propertyList: "property list"
        case .keyedArchive: "keyed archive"
        case .json: "JSON"
        case .uuid: "UUID"
        default: rawValue
        }
    }
}

extension InspectedRelation {
    fileprivate var phrase: String {
        let leads =
            switch kind {
            case "manyToMany": "many to many"
            case "toMany": "of many"
            default: "to one"
            }
        var words = "\(name): \(leads) \(target ?? "(not known)"), \(count.counted("reference"))"
        if isOrdered { words += ", in order" }
        if orphans > 0 { words += ", \(orphans.grouped) of them to no record" }
        return words
    }
}

extension InspectedKey {
    fileprivate var phrase: String {
        var words = "\(key): \(type)"
        if let encoding { words += " (\(encoding))" }
        if let size {
            words += ", \(size.counted(hasItems ? "item" : "byte"))"
        }
        switch role {
        case .system: words += ", the system's"
        case .secret: words += ", hidden"
        case .list: words += ", a list of keys"
        case .setting, .other: break
        }
        if let value { words += ": \(value)" }
        return words
    }
}
