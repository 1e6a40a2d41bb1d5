package import GodwitModel

/// One favorite in a legacy value.
package struct LegacyFavorite: Sendable, Equatable {
    /// The favorite's key; compare by bytes.
    package let key: String
    /// When it was marked; nil if the encoding has no dates.
    package let date: Instant?
    /// The type that was converted, such as `integer`; nil if the item is unchanged.
    package let coercedFrom: String?
    /// Whether the key was an integer, so that `key` has its digits.
    package let isInteger: Bool

    /// A favorite; by default without a date and unchanged.
    package init(key: String, date: Instant? = nil, coercedFrom: String? = nil, isInteger: Bool = false) {
        (self.key, self.date, self.coercedFrom, self.isInteger) = (key, date, coercedFrom, isInteger)
    }

    /// Keys are compared by bytes.
    package static func == (a: Self, b: Self) -> Bool {
        a.key.utf8.elementsEqual(b.key.utf8) && a.date == b.date && a.coercedFrom == b.coercedFrom
            && a.isInteger == b.isInteger
    }
}

/// An item of a list that cannot become a favorite.
package struct RejectedFavorite: Sendable, Equatable {
    package let position: Int
    /// `unsupported` or `conflict`.
    package let bucket: RunReport.Legacy.KeyOutcome
    /// The reason in a few words; never the item itself.
    package let reason: String

    package init(position: Int, bucket: RunReport.Legacy.KeyOutcome = .unsupported, reason: String) {
        (self.position, self.bucket, self.reason) = (position, bucket, reason)
    }
}

/// The contents of a list of favorites; each item is counted in exactly one of the four properties.
package struct DecodedFavorites: Sendable, Equatable {
    /// The encoding that was used; never `auto`.
    package internal(set) var encoding: FavoritesEncoding
    /// Each favorite once, in the order of the list.
    package internal(set) var favorites: [LegacyFavorite] = []
    /// Items that repeat an earlier one.
    package internal(set) var duplicates = 0
    /// Entries of a dictionary with the value `false`.
    package internal(set) var notFavorites = 0
    /// Items that cannot become favorites, in the order of the list.
    package internal(set) var rejected: [RejectedFavorite] = []

    package var itemCount: Int { favorites.count + duplicates + notFavorites + rejected.count }

    init(encoding: FavoritesEncoding) {
        self.encoding = encoding
    }
}

/// The result of decoding a favorites value.
package enum FavoritesOutcome: Sendable, Equatable {
    case decoded(DecodedFavorites)
    /// The value as a whole cannot be read, with the reason.
    case unsupported(String)

    /// Whether every item was accepted.
    var isWholly: Bool {
        if case .decoded(let list) = self { list.rejected.isEmpty } else { false }
    }
}
