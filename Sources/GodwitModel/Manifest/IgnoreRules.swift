/// Data that the manifest leaves behind on purpose.
package struct IgnoreRules: Sendable {
    /// Tables or Core Data entities.
    package var tables: [String] = []
    /// `Entity.column`, with the entity's name in the manifest or in the Core Data model.
    package var columns: [String] = []
    /// Legacy keys; `*` matches any number of characters.
    package var keys: [String] = []

    package init() {}

    /// Whether a rule names a table, relation or entity by one of its names.
    package func namesTable(_ names: String...) -> Bool {
        tables.contains { rule in names.contains { $0.isSameName(as: rule) } }
    }

    /// Whether a rule names a column by one of its entity's names.
    package func namesColumn(_ column: String, ofAny entities: [String]) -> Bool {
        columns.contains { rule in entities.contains { "\($0).\(column)".isSameName(as: rule) } }
    }

    package func namesKey(_ key: String) -> Bool {
        keys.contains { Self.matches(Array($0.utf8)[...], Array(key.utf8)[...]) }
    }

    /// Compares bytes, as everywhere in legacy keys.
    private static func matches(_ pattern: ArraySlice<UInt8>, _ key: ArraySlice<UInt8>) -> Bool {
        var (pattern, key) = (pattern, key)
        // The pattern after its last star, and the part of the key that the star has not taken yet.
        var restart: (pattern: ArraySlice<UInt8>, key: ArraySlice<UInt8>)?
        while true {
            if pattern.first == 0x2A {
                pattern = pattern.dropFirst()
                restart = (pattern, key)
            } else if let byte = key.first, pattern.first == byte {
                (pattern, key) = (pattern.dropFirst(), key.dropFirst())
            } else if key.isEmpty, pattern.isEmpty {
                return true
            } else if let last = restart, !last.key.isEmpty {
                restart = (last.pattern, last.key.dropFirst())
                (pattern, key) = (last.pattern, last.key.dropFirst())
            } else {
                return false
            }
        }
    }
}
