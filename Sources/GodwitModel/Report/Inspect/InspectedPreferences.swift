/// One property list or JSON file with settings.
public struct InspectedPreferences: Sendable, Codable {
    /// Path inside the container, or as given.
    public var file: String
    /// Its format; nil where it could not be read.
    public var format: LegacyFormat?
    /// In bytes.
    public var size: Int64
    /// When it was last written.
    public var modifiedAt: Instant?
    /// Whether it lies where `UserDefaults` keeps its suites.
    public var isSuite: Bool
    /// Its keys, in the order of the file.
    public var keys: [InspectedKey]
    /// What would be risky, or why it could not be read.
    public var risks: [Warning]

    /// A file that was not read yet.
    public init(
        file: String, format: LegacyFormat? = nil, size: Int64 = 0, modifiedAt: Instant? = nil, isSuite: Bool = false,
        keys: [InspectedKey] = [], risks: [Warning] = []
    ) {
        self.file = file
        self.format = format
        self.size = size
        self.modifiedAt = modifiedAt
        self.isSuite = isSuite
        self.keys = keys
        self.risks = risks
    }
}

/// One key of a property list.
public struct InspectedKey: Sendable, Codable, Equatable {
    /// The key.
    public var key: String
    /// The type of its value, such as `boolean`, `string` or `data`.
    public var type: String
    /// What is inside a string or data: `json`, `csv`, `propertyList`, `keyedArchive`; `iso8601`, `unixSeconds` … for a
    /// date that is written as text or as a number; nil where it is nothing but its type.
    public var encoding: String?
    /// Items of an array or dictionary, or of what is encoded in it; bytes of other strings and data.
    public var size: Int64?
    /// What a manifest would most likely make of it.
    public var role: KeyRole
    /// Whether it is called like a secret: its value is never shown.
    public var isSecret: Bool
    /// Its value, with `--verbose`.
    public var value: String?

    /// A key.
    public init(
        key: String, type: String, encoding: String? = nil, size: Int64? = nil, role: KeyRole, isSecret: Bool = false,
        value: String? = nil
    ) {
        self.key = key
        self.type = type
        self.encoding = encoding
        self.size = size
        self.role = role
        self.isSecret = isSecret
        self.value = value
    }

    /// Whether its size is a number of items, and not of bytes.
    package var hasItems: Bool {
        ["array", "dictionary"].contains(type)
            || ["json", "csv", "keyedArchive", "propertyList"].contains(encoding)
    }
}

/// What a manifest would most likely make of a legacy key.
public enum KeyRole: String, Sendable, Codable, CaseIterable {
    /// One value: a setting.
    case setting
    /// A list of keys: favourites.
    case list
    /// Written by the system: it stays where it is.
    case system
    /// Called like a secret: it stays where it is.
    case secret
    /// Nothing that Godwit imports.
    case other
}
