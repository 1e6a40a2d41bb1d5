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

    /// Keys whose values go into the store.
    package var mappedKeys: [String] { settings.map(\.key) + favorites.map(\.key) }
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
    /// The value where no file has the key; the column's type decides the stored form.
    package let defaultValue: ManifestValue?

    package init(
        key: String, entity: String, column: String, values: [ValueMapping]? = nil, defaultValue: ManifestValue? = nil
    ) {
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
    /// The same as the manifest spells it, such as `007` or `1.10`.
    package let spelling: String
    /// What is stored instead; the column's type decides the stored form.
    package let to: ManifestValue

    package init(from: String, spelling: String? = nil, to: ManifestValue) {
        self.from = from
        self.spelling = spelling ?? from
        self.to = to
    }
}

/// A value that the manifest gives for a column, which follows the rules for legacy values.
package struct ManifestValue: Sendable, Hashable {
    /// The value with its type, as YAML gives it.
    package let value: LegacyValue
    /// The text as written, without quotes: a TEXT column keeps `1.10` and `007`.
    package let text: String

    package init(_ value: LegacyValue, text: String) {
        self.value = value
        self.text = text
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }

    /// Text.
    package static func string(_ text: String) -> Self { Self(.string(text), text: text) }
    /// A whole number in decimal.
    package static func integer(_ number: Int64) -> Self { Self(.integer(number), text: String(number)) }
}

/// A legacy key that becomes records of an entity, one for each favourite.
package struct FavoritesRule: Sendable {
    package let key: String
    package let entity: String
    /// The column that takes the favourite: the entity's key.
    package let column: String
    package let encoding: FavoritesEncoding
    /// What numbers among the favorites' dates count; nil: only numbers that fit no other count than `referenceDate`.
    package let dates: FavoriteDates?
    package let mode: FavoritesMode

    package init(
        key: String, entity: String, column: String, encoding: FavoritesEncoding = .auto, dates: FavoriteDates? = nil,
        mode: FavoritesMode = .onlyIntoEmpty
    ) {
        self.key = key
        self.entity = entity
        self.column = column
        self.encoding = encoding
        self.dates = dates
        self.mode = mode
    }
}

/// What a number counts that dates a favorite.
package enum FavoriteDates: String, Sendable, CaseIterable {
    /// Seconds since 2001, as Swift's `JSONEncoder` writes a `Date`.
    case referenceDate
    case unixSeconds
    case unixMilliseconds

    /// The instant that a number encodes; nil if it is not a number, and beyond the year 9999.
    package func instant(of number: Value) -> Instant? {
        let instant: Instant? =
            switch self {
            case .referenceDate: Instant(number, as: .coreData)
            case .unixSeconds: Instant(number, as: .unixSeconds)
            case .unixMilliseconds: Instant(number, as: .unixMilliseconds)
            }
        return instant.flatMap { $0.hasFourDigitYear ? $0 : nil }
    }
}

/// Whether favourites go into an entity that has records already.
package enum FavoritesMode: String, Sendable, CaseIterable {
    /// Only into an empty entity; the default.
    case onlyIntoEmpty
    /// Those that are not there yet are added.
    case merge
}
