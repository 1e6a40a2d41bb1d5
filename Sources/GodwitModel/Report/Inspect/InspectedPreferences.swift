/// One property list or JSON file with settings.
public struct InspectedPreferences: Sendable, Codable {
    /// Path inside the container, or as given.
    public var file: String
    /// Its format; nil if it could not be read.
    public var format: LegacyFormat?
    /// Size in bytes.
    public var size: Int64
    /// When it was last written.
    public var modifiedAt: Instant?
    /// Whether it is in a folder of `UserDefaults`.
    public var isSuite: Bool
    /// Its keys, in the order of the file.
    public var keys: [InspectedKey]
    /// Risks, or why the file could not be read.
    public var risks: [Warning]

    /// A file that is not read yet.
    public init(
        file: String, format: LegacyFormat? = nil, size: Int64 = 0, modifiedAt: Instant? = nil, isSuite: Bool = false,
        keys: [InspectedKey] = [], risks: [Warning] = []
    ) {
        (self.file, self.format, self.size, self.modifiedAt) = (file, format, size, modifiedAt)
        (self.isSuite, self.keys, self.risks) = (isSuite, keys, risks)
    }
}

/// One key of a property list.
public struct InspectedKey: Sendable, Codable, Equatable {
    /// The key.
    public var key: String
    /// The type of its value, such as `boolean`, `string` or `data`.
    public var type: String
    /// The encoding inside a string, data or number: `json`, `csv`, `propertyList`, `keyedArchive`, or for dates
    /// `iso8601`, `unixSeconds` …; nil for none.
    public var encoding: String?
    /// Number of items in an array or dictionary, also an encoded one; bytes of other strings and data.
    public var size: Int64?
    /// The most likely use of the key in a manifest.
    public var role: KeyRole
    /// Whether the name sounds like a secret, so that the value is never shown.
    public var isSecret: Bool
    /// Its value; only with `--verbose`.
    public var value: String?

    /// A key.
    public init(
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
public enum KeyRole: String, Sendable, Codable, CaseIterable {
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
