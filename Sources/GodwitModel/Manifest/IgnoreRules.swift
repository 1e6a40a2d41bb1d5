/// Data that the manifest leaves behind on purpose.
package struct IgnoreRules: Sendable {
    /// Tables or Core Data entities.
    package var tables: [String] = []
    /// `Entity.column`, with the entity's name in the manifest or in the Core Data model.
    package var columns: [String] = []
    /// Legacy keys; `*` matches any number of characters.
    package var keys: [String] = []
    /// Paths of stores inside the container; `*` matches any number of characters.
    package var stores: [String] = []

    package init() {}

    /// Whether a rule names a table, relation or entity by one of its names.
    package func namesTable(_ names: String...) -> Bool {
        tables.contains { rule in names.contains { $0.isSameName(as: rule) } }
    }

    /// Whether a rule names a column by one of its entity's names.
    package func namesColumn(_ column: String, ofAny entities: [String]) -> Bool {
        columns.contains { rule in entities.contains { "\($0).\(column)".isSameName(as: rule) } }
    }

    package func namesKey(_ key: String) -> Bool { keys.contains { Self.matches($0, key) } }

    package func namesStore(_ path: String) -> Bool { stores.contains { Self.matches($0, path) } }

    /// Compares bytes, as everywhere in legacy keys and in paths.
    private static func matches(_ rule: String, _ text: String) -> Bool {
        var (pattern, key) = (Array(rule.utf8)[...], Array(text.utf8)[...])
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
