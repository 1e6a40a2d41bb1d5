/// One property list or JSON file with settings.
package struct InspectedPreferences: Sendable, Codable {
    /// Path inside the container, or as given.
    package var file: String
    /// Its format; nil if it could not be read.
    package var format: LegacyFormat?
    /// Size in bytes.
    package var size: Int64
    /// When it was last written.
    package var modifiedAt: Instant?
    /// Whether it is in a folder of `UserDefaults`.
    package var isSuite: Bool
    /// Its keys, in the order of the file.
    package var keys: [InspectedKey]
    /// Risks, or why the file could not be read.
    package var risks: [Warning]

    /// A file that is not read yet.
    package init(
        file: String, format: LegacyFormat? = nil, size: Int64 = 0, modifiedAt: Instant? = nil, isSuite: Bool = false,
        keys: [InspectedKey] = [], risks: [Warning] = []
    ) {
        (self.file, self.format, self.size, self.modifiedAt) = (file, format, size, modifiedAt)
        (self.isSuite, self.keys, self.risks) = (isSuite, keys, risks)
    }
}

/// One key of a property list.
package struct InspectedKey: Sendable, Codable, Equatable {
    /// The key.
    package var key: String
    /// The type of its value, such as `boolean`, `string` or `data`.
    package var type: String
    /// The encoding inside a string, data or number: `json`, `csv`, `propertyList`, `keyedArchive`, or for dates
    /// `iso8601`, `unixSeconds` …; nil for none.
    package var encoding: String?
    /// Number of items in an array or dictionary, also an encoded one; bytes of other strings and data.
    package var size: Int64?
    /// The most likely use of the key in a manifest.
    package var role: KeyRole
    /// Whether the name sounds like a secret, so that the value is never shown.
    package var isSecret: Bool
    /// Its value; only with `--verbose`.
    package var value: String?

    /// A key.
    package init(
        key: String, type: String, encoding: String? = nil, size: Int64? = nil, role: KeyRole, isSecret: Bool = false,
        value: String? = nil
    ) {
        (self.key, self.type, self.encoding, self.size) = (key, type, encoding, size)
        (self.role, self.isSecret, self.value) = (role, isSecret, value)
    }

    /// Whether `size` is a number of items, not of bytes.
    package var hasItems: Bool {
        ["array", "dictionary"].contains(type)
            || ["json", "csv", "keyedArchive", "propertyList"].contains(encoding)
    }
}

/// The most likely use of a legacy key in a manifest.
package enum KeyRole: String, Sendable, Codable, CaseIterable {
    /// One value: a setting.
    case setting
    /// A list of keys: favorites.
    case list
    /// Written by the system; it stays in the preferences.
    case system
    /// The name sounds like a secret; it stays in the preferences.
    case secret
    /// Not a value that Godwit imports.
    case other
}
