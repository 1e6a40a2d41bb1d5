/// How each legacy key is imported.
package struct LegacyRules: Sendable {
    package let settings: [SettingRule]
    package let favorites: [FavoritesRule]
    /// Keys that stay in the preferences on purpose.
    package let localOnly: [String]

    package init(settings: [SettingRule] = [], favorites: [FavoritesRule] = [], localOnly: [String] = []) {
        (self.settings, self.favorites, self.localOnly) = (settings, favorites, localOnly)
    }

    /// Keys whose values go into the store.
    package var mappedKeys: [String] { settings.map(\.key) + favorites.map(\.key) }
}

/// A legacy key that fills one column of a singleton.
package struct SettingRule: Sendable {
    package let key: String
    package let entity: String
    package let column: String
    /// Maps the text of a legacy value to a column value; nil accepts any value.
    ///
    /// A value that is not listed has the outcome `conflict`.
    package let values: [ValueMapping]?
    /// The value if no file has the key; the column's type decides the stored form.
    package let defaultValue: ManifestValue?

    package init(
        key: String, entity: String, column: String, values: [ValueMapping]? = nil, defaultValue: ManifestValue? = nil
    ) {
        (self.key, self.entity, self.column, self.values) = (key, entity, column, values)
        self.defaultValue = defaultValue
    }
}

/// One line of a value map.
package struct ValueMapping: Sendable {
    /// The legacy value as text: strings unchanged, booleans as `true` and `false`, integers in decimal.
    package let from: String
    /// The same value as the manifest writes it, such as `007` or `1.10`.
    package let spelling: String
    /// The value to store; the column's type decides the stored form.
    package let to: ManifestValue

    package init(from: String, spelling: String? = nil, to: ManifestValue) {
        self.from = from
        self.spelling = spelling ?? from
        self.to = to
    }
}

/// A value that the manifest gives for a column; the rules for legacy values apply to it.
package struct ManifestValue: Sendable, Hashable {
    /// The value with the type that YAML gives it.
    package let value: LegacyValue
    /// The text as written, without quotes: a TEXT column keeps `1.10` and `007`.
    package let text: String

    package init(_ value: LegacyValue, text: String) {
        (self.value, self.text) = (value, text)
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }

    package static func string(_ text: String) -> Self { Self(.string(text), text: text) }
    package static func integer(_ number: Int64) -> Self { Self(.integer(number), text: String(number)) }
}

/// A legacy key with a list whose favorites become records of an entity.
package struct FavoritesRule: Sendable {
    package let key: String
    package let entity: String
    /// The column that takes the favorite: the entity's key.
    package let column: String
    package let encoding: FavoritesEncoding
    /// The unit of dates that are numbers; nil: only numbers that can be nothing but `referenceDate` are dates.
    package let dates: FavoriteDates?
    package let mode: FavoritesMode

    package init(
        key: String, entity: String, column: String, encoding: FavoritesEncoding = .auto, dates: FavoriteDates? = nil,
        mode: FavoritesMode = .onlyIntoEmpty
    ) {
        (self.key, self.entity, self.column, self.encoding) = (key, entity, column, encoding)
        (self.dates, self.mode) = (dates, mode)
    }
}

/// The unit of a number that dates a favorite.
package enum FavoriteDates: String, Sendable, CaseIterable {
    /// Seconds since 2001, as Swift's `JSONEncoder` writes a `Date`.
    case referenceDate
    case unixSeconds
    case unixMilliseconds

    /// The instant of a number; nil if the value is not a number or the instant is after the year 9999.
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

/// Whether favorites go into an entity that already has records.
package enum FavoritesMode: String, Sendable, CaseIterable {
    /// Only into an empty entity (the default).
    case onlyIntoEmpty
    /// Adds the favorites that the entity does not have.
    case merge
}
