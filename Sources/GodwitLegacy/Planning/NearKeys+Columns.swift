internal import GodwitModel
internal import GodwitPropertyList

/// Columns of singletons without a rule: a rule that was left out leaves the column empty and its key unmapped.
extension NearKeys {
    /// Columns without a rule, with a key whose value fits; each key is named once.
    ///
    /// - Parameter reported: paths that were named before.
    func fittingColumns(_ open: inout [Candidate], besides reported: Set<String>) -> [Warning] {
        var warnings: [Warning] = []
        let columns = unruledColumns.filter { !reported.contains($0.path) }
        // A date that a column of dates takes is not meant for another column.
        for column in columns.filter({ $0.type == .date }) + columns.filter({ $0.type != .date }) {
            guard
                let index = open.firstIndex(where: { column.type.isMade(for: $0.value) })
                    ?? open.firstIndex(where: { column.type.canHoldCase($0.value) || canHoldDate($0, column.type) })
                    ?? open.firstIndex(where: { column.type == .text && $0.value.isJSONText })
            else { continue }
            warnings.append(notMapped(open.remove(at: index), column.path))
        }
        return warnings
    }

    /// That the value of a key fits a column that no rule fills.
    func notMapped(_ found: Candidate, _ path: String) -> Warning {
        Warning(
            "keyNotMapped",
            "nothing maps the key '\(found.key)' of `\(found.file)`, and no legacy key fills `\(path)`, where its value "
                + "would fit",
            hint: "If the key belongs there, map it under `legacy:` in the manifest; else list it under `localOnly`.")
    }

    /// Whether the value of a key that was found by its name may be meant for the column or entity.
    func isPossible(_ named: Named, _ values: [Bytes: LegacyValue]) -> Bool {
        guard let path = named.path, let kind = values[Bytes(named.key)]?.settingKind else { return true }
        guard let column = singletonColumns.first(where: { $0.path == path }) else {
            // A single value is no list of an entity's keys.
            return false
        }
        return switch column.type {
        case .date, .numeric, .any: true
        case .boolean: kind == .truth || kind == .number
        case .real: kind == .number
        case .text, .integer: kind != .date
        case .blob: false
        }
    }

    private typealias Column = (entity: String, path: String, type: DeclaredType)

    /// The columns of singletons that no rule fills, if rules fill others of the same singleton.
    private var unruledColumns: [Column] {
        let rules = Set(manifest.legacy.settings.map { "\($0.entity).\($0.column)".foldedName })
        let entities = Set(manifest.legacy.settings.map(\.entity.foldedName))
        return singletonColumns.filter { column in
            entities.contains(column.entity.foldedName) && !rules.contains(column.path.foldedName)
        }
    }

    private var singletonColumns: [Column] {
        manifest.entities.filter { $0.singleton != nil }.flatMap { entity -> [Column] in
            let others = ([entity.key] + [entity.modified?.column].compactMap(\.self)).map(\.foldedName)
            return (shape.table(named: entity.name)?.storedColumns ?? []).compactMap { column in
                guard !others.contains(column.name.foldedName) else { return nil }
                let type = shape.declaredType(of: column.name, in: entity.name)
                return (entity.name, "\(entity.name).\(column.name)", type)
            }
        }
    }
}

extension DeclaredType {
    /// Whether the value is of the one kind that such a column is made for.
    fileprivate func isMade(for value: LegacyValue) -> Bool {
        guard self != .any, self != .numeric, let kind = value.settingKind, settingKinds.contains(kind) else {
            return false
        }
        if case .unsupported = SettingCoercion.coerce(value, into: self) { return false }
        return true
    }

    /// Whether the value may be a case of an enumeration that the column has in another form: a small number as a word.
    fileprivate func canHoldCase(_ value: LegacyValue) -> Bool {
        switch (self, value) {
        case (.text, .integer(let number)): (0..<20).contains(number)
        case (.integer, .string(let text)): text.utf8.count <= 20 && text.allSatisfy(\.isLetter)
        default: false
        }
    }
}
