internal import GodwitModel

/// Tables of keys and values: what a value is, its key says, not the name of its column.
extension InspectedEntity {
    /// What is shown in the place of such values.
    static let hiddenSettings = "(hidden: values of a key-value table)"

    private static let valueNames: Set<String> = [
        "value", "val", "v", "data", "content", "contents", "json", "blob", "string", "payload",
    ]
    private static let keyNames: Set<String> = ["key", "k", "setting", "option", "property", "preference"]
    /// What other tables have as well: only one that is unique is a key here.
    private static let perhapsKeyNames: Set<String> = ["name", "id", "identifier"]

    /// Hides the values of a table of keys and values: the token is a row of it, between a colour and a unit.
    ///
    /// - Parameter isUnique: whether a column is, or is a part of, a primary key or unique index.
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
