package import GodwitModel

/// One favourite as a legacy value names it.
package struct LegacyFavorite: Sendable, Equatable {
    /// The favourite's key; compare by bytes.
    package let key: String
    /// When it was marked, where the encoding has dates.
    package let date: Instant?
    /// What was turned into text or into a date, such as `integer`; nil where it was taken as it is.
    package let coercedFrom: String?
    /// Whether the key itself was an integer, and `key` is its digits.
    package let isInteger: Bool

    /// A favourite; without a date and taken as it is unless said otherwise.
    package init(key: String, date: Instant? = nil, coercedFrom: String? = nil, isInteger: Bool = false) {
        self.key = key
        self.date = date
        self.coercedFrom = coercedFrom
        self.isInteger = isInteger
    }

    /// Keys are compared by bytes.
    package static func == (a: Self, b: Self) -> Bool {
        a.key.utf8.elementsEqual(b.key.utf8) && a.date == b.date && a.coercedFrom == b.coercedFrom
            && a.isInteger == b.isInteger
    }
}

/// An item of a favourites list that could not be taken.
package struct RejectedFavorite: Sendable, Equatable {
    /// Its place in the list, from 0.
    package let position: Int
    /// `unsupported` or `conflict`.
    package let bucket: KeyOutcome
    /// Why, in a few words; never the item itself.
    package let reason: String

    /// A rejection with its place and reason.
    package init(position: Int, bucket: KeyOutcome = .unsupported, reason: String) {
        self.position = position
        self.bucket = bucket
        self.reason = reason
    }
}

/// A favourites list read: each item is in exactly one of the four places.
package struct DecodedFavorites: Sendable, Equatable {
    /// The encoding that was used; never `auto`.
    package internal(set) var encoding: FavoritesEncoding
    /// Each favourite once, in the order of the list.
    package internal(set) var favorites: [LegacyFavorite] = []
    /// Items that repeat an earlier one.
    package internal(set) var duplicates = 0
    /// Entries of a dictionary that say `false`.
    package internal(set) var notFavorites = 0
    /// Items that could not be taken, in the order of the list.
    package internal(set) var rejected: [RejectedFavorite] = []

    /// How many items the list has.
    package var itemCount: Int { favorites.count + duplicates + notFavorites + rejected.count }

    init(encoding: FavoritesEncoding) {
        self.encoding = encoding
    }
}

/// What a favourites value turned out to be.
package enum FavoritesOutcome: Sendable, Equatable {
    case decoded(DecodedFavorites)
    /// The value as a whole can't be read, with the reason.
    case unsupported(String)

    /// Whether every item could be taken.
    var isWholly: Bool {
        if case .decoded(let list) = self { list.rejected.isEmpty } else { false }
    }
}
