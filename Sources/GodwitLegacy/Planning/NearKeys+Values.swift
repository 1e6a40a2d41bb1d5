internal import GodwitModel
internal import GodwitPropertyList

/// What the values of mapped keys tell: a line `values:` that was left out stores a number as digits, and the wrong order of
/// files takes the wrong one of two values.
extension NearKeys {
    /// Rules without a value map whose column has a word as its default.
    var wordRules: [SettingRule] {
        manifest.legacy.settings.filter { rule in
            guard rule.values == nil, shape.declaredType(of: rule.column, in: rule.entity) == .text else {
                return false
            }
            if case .string(let text)? = rule.defaultValue?.value { return Self.isWord(text) }
            let column = shape.table(named: rule.entity)?.column(named: rule.column)
            return column?.defaultSQL.map { $0.hasPrefix("'") && Self.isWord(String($0.dropFirst().dropLast())) }
                ?? false
        }
    }

    func numbersAsWords(_ values: [Bytes: LegacyValue]) -> [Warning] {
        wordRules.filter { rule in
            found.contains(Bytes(rule.key)) && [.number, .truth].contains(values[Bytes(rule.key)]?.settingKind)
        }.map { rule in
            Warning(
                "numberAsText",
                "the key '\(rule.key)' has a number, and fills `\(rule.entity).\(rule.column)`, whose default is a word",
                hint: "Map each number to the app's word with `values:` in the rule of the manifest.")
        }
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
