internal import GodwitModel

extension RunReport.Schema {
    /// `local store adopted at V0001, V0002 applied`.
    func section(_ tense: Tense, _ setting: ReportSetting) -> OutlineSection {
        OutlineSection(
            .schema, outcome.symbol(planned: tense.planned), headline(tense), lines: details(setting.style),
            items: items(tense, setting.positions))
    }

    /// The line without its name, for a store that another stage brings up to date.
    func headline(_ tense: Tense) -> String {
        let store = self.store?.phrase ?? "store"
        switch outcome {
        case .failed: return OutlineSection.failed
        case .nothingToDo where self.store == nil: return "no store to bring up to date"
        case .nothingToDo, .alreadyDone: return "\(store) is at \(Self.label(toVersion)) already"
        case .done, .partial, .healed:
            let start = outcome == .healed ? "\(tense.passive("completed")): " : ""
            return start + changes(to: store, tense)
        }
    }

    private func changes(to store: String, _ tense: Tense) -> String {
        var parts: [String] = []
        if created {
            parts.append("\(store) \(tense.passive("created"))")
        } else if let adoptedAt {
            parts.append("\(store) \(tense.passive("adopted")) at \(Self.label(adoptedAt))")
        }
        if let range = appliedRange {
            let subject = parts.isEmpty ? "\(store): " : ""
            let verb = parts.isEmpty ? tense.passive("applied") : "applied"
            let before = parts.isEmpty && fromVersion > 0 ? " (was at \(Self.label(fromVersion)))" : ""
            parts.append("\(subject)\(range) \(verb)\(before)")
        }
        guard !parts.isEmpty else { return "\(store) is at \(Self.label(toVersion))" }
        return parts.joined(separator: ", ")
    }

    /// `V0002`, or `V0002 to V0007`; nil if none was applied.
    private var appliedRange: String? {
        guard let first = applied.first, let last = applied.last else { return nil }
        switch applied.count {
        case 1: return Self.label(first.version)
        case 2: return "\(Self.label(first.version)) and \(Self.label(last.version))"
        default: return "\(Self.label(first.version)) to \(Self.label(last.version))"
        }
    }

    private func details(_ style: TextStyle) -> [TextLine] {
        guard style.verbose else { return [] }
        var lines: [TextLine] = []
        if let file { lines.append(.path(indent: 4, file)) }
        for migration in applied {
            let label = Painted(Self.label(migration.version))
            lines.append(TextLine(indent: 4, [Symbol.item.painted, label], migration.name))
            lines.append(.path(indent: 6, migration.checksum))
        }
        return lines
    }

    /// The store if it was adopted or created, then each file that was applied; else one item that there was none.
    func items(_ tense: Tense, _ positions: ReportPositions, prefix: String = "") -> [OutlineItem] {
        guard outcome.hasChanges else {
            return [OutlineItem("schema", prefix + headline(tense), .passed, outcome.phrase)]
        }
        let name = prefix + (store?.phrase ?? "store")
        var items: [OutlineItem] = []
        if created {
            items.append(OutlineItem("created", name, .passed, tense.passive("created")))
        } else if let adoptedAt {
            let adopted = "adopted at \(Self.label(adoptedAt))"
            items.append(
                OutlineItem("adopted", "\(name) at \(Self.label(adoptedAt))", .passed, tense.passive(adopted)))
        }
        return items
            + applied.map { migration in
                OutlineItem(
                    "applied", "\(prefix)\(Self.label(migration.version)) \(migration.name)", .passed,
                    tense.passive("applied"), at: positions.position(of: migration))
            }
    }

    /// `V0003`, as the files are named.
    static func label(_ version: Int) -> String {
        "V" + String(repeating: "0", count: max(0, 4 - String(version).count)) + String(version)
    }
}
