/// What becomes of each legacy key.
package struct LegacyRules: Sendable {
    package let settings: [SettingRule]
    package let favorites: [FavoritesRule]
    /// Keys that stay where they are, by intent.
    package let localOnly: [String]

    package init(settings: [SettingRule] = [], favorites: [FavoritesRule] = [], localOnly: [String] = []) {
        self.settings = settings
        self.favorites = favorites
        self.localOnly = localOnly
    }
}

/// A legacy key that becomes one column of a singleton.
package struct SettingRule: Sendable {
    package let key: String
    package let entity: String
    package let column: String
    /// From the legacy value's text to the column's value; nil: any value.
    ///
    /// A value not listed is bucket `conflict`.
    package let values: [ValueMapping]?
    /// The column's value where no file has the key.
    package let defaultValue: Value?

    package init(key: String, entity: String, column: String, values: [ValueMapping]? = nil, defaultValue: Value? = nil)
    {
        self.key = key
        self.entity = entity
        self.column = column
        self.values = values
        self.defaultValue = defaultValue
    }
}

/// One line of a value map.
package struct ValueMapping: Sendable {
    /// The legacy value as text: strings as they are, booleans `true` and `false`, integers in decimal.
    package let from: String
    package let to: Value

    package init(from: String, to: Value) {
        self.from = from
        self.to = to
    }
}

/// A legacy key that becomes records of an entity, one for each favourite.
package struct FavoritesRule: Sendable {
    package let key: String
    package let entity: String
    /// The column that takes the favourite: the entity's key.
    package let column: String
    package let encoding: FavoritesEncoding
    package let mode: FavoritesMode

    package init(
        key: String, entity: String, column: String, encoding: FavoritesEncoding = .auto,
        mode: FavoritesMode = .onlyIntoEmpty
    ) {
        self.key = key
        self.entity = entity
        self.column = column
        self.encoding = encoding
        self.mode = mode
    }
}

/// Whether favourites go into an entity that has records already.
package enum FavoritesMode: String, Sendable, CaseIterable {
    /// Only into an empty entity; the default.
    case onlyIntoEmpty
    /// Those that are not there yet are added.
    case merge
}
