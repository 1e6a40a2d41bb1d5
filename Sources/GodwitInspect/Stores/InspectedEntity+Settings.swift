internal import GodwitModel

/// Key-value tables, in which the key, not the column's name, says what a value is.
extension InspectedEntity {
    /// The text that is shown instead of such values.
    static let hiddenSettings = "(hidden: values of a key-value table)"

    private static let valueNames: Set<String> = [
        "value", "val", "v", "data", "content", "contents", "json", "blob", "string", "payload",
    ]
    private static let keyNames: Set<String> = ["key", "k", "setting", "option", "property", "preference"]
    /// Names that other tables have too: only a unique column is a key here.
    private static let perhapsKeyNames: Set<String> = ["name", "id", "identifier"]

    /// Hides the values of a key-value table, because one of its rows may be a token.
    ///
    /// - Parameter isUnique: Whether a column is a primary key or unique index, or part of one.
    mutating func hideSettings(isUnique: (String) -> Bool) {
        let isTable = columns.contains { column in
            guard [.text, .mixed].contains(column.kind), let last = NameParts(column.name).words.last else {
                return false
            }
            return Self.keyNames.contains(last) || Self.perhapsKeyNames.contains(last) && isUnique(column.name)
        }
        guard isTable else { return }
        for index in columns.indices where columns[index].samples != nil {
            guard let last = NameParts(columns[index].name).words.last, Self.isValue(last) else { continue }
            columns[index].samples = [Self.hiddenSettings]
        }
    }

    /// `value`, `stringValue`, `value2`.
    private static func isValue(_ word: String) -> Bool {
        let stem = String(word.reversed().drop { $0.isNumber }.reversed())
        return valueNames.contains(stem)
    }
}
