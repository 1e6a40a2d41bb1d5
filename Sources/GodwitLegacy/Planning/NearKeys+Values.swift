internal import GodwitModel
internal import GodwitPropertyList

/// Checks the values of mapped keys: without `values:` a number is stored as digits, and with a wrong order of files
/// the wrong value wins.
extension NearKeys {
    /// Numbers that go into a text column without a value map: any, if the column's default is a word; else those that may
    /// be the case of an enumeration.
    func numbersAsWords(_ values: [Bytes: LegacyValue]) -> [Warning] {
        manifest.legacy.settings.compactMap { rule in
            guard rule.values == nil, shape.declaredType(of: rule.column, in: rule.entity) == .text,
                found.contains(Bytes(rule.key)), let value = values[Bytes(rule.key)],
                [.number, .truth].contains(value.settingKind)
            else { return nil }
            let hasWord = hasWordAsDefault(rule)
            guard hasWord ?? value.isCase else { return nil }
            return Warning(
                "numberAsText",
                "the key '\(rule.key)' has a number, and fills `\(rule.entity).\(rule.column)`, "
                    + (hasWord == true ? "whose default is a word" : "a text column"),
                hint: "Map each number to the app's word with `values:` in the rule of the manifest.")
        }
    }

    /// Whether the default is a word; nil without a default.
    private func hasWordAsDefault(_ rule: SettingRule) -> Bool? {
        if case .string(let text)? = rule.defaultValue?.value { return Self.isWord(text) }
        if let text = shape.table(named: rule.entity)?.column(named: rule.column)?.defaultSQL {
            return text.hasPrefix("'") && Self.isWord(String(text.dropFirst().dropLast()))
        }
        return rule.defaultValue == nil ? nil : false
    }

    /// Mapped keys that have another value in a later file, by that file.
    func contested(_ inputs: [LegacyPlanner.Input], _ values: [Bytes: LegacyValue]) -> [Warning] {
        inputs.compactMap { input in
            let keys = (input.file?.root ?? []).filter { pair in
                found.contains(Bytes(pair.key)) && values[Bytes(pair.key)] != pair.value
            }.map { "'\($0.key)'" }
            guard !keys.isEmpty else { return nil }
            let names = keys.prefix(3).joined(separator: ", ") + (keys.count > 3 ? " …" : "")
            return Warning(
                "valuesDiffer",
                "`\(input.name)` has another value of \(keys.count.counted("key")) (\(names)) than a file before it in "
                    + "`preferences:`; the first file counts",
                hint: "If the app reads the other file first, correct the order of `preferences:`.")
        }
    }

    private static func isWord(_ text: String) -> Bool { text.first?.isLetter == true }
}

extension LegacyValue {
    /// Whether it may be the case of an enumeration: yes or no, or a small whole number.
    fileprivate var isCase: Bool {
        switch self {
        case .bool: true
        case .integer(let number): (0..<20).contains(number)
        default: false
        }
    }
}
