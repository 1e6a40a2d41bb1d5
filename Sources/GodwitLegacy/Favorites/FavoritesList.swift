import GodwitModel

/// Collects items one by one into the four places of `DecodedFavorites`.
struct FavoritesList {
    private var decoded: DecodedFavorites
    private var seen = ByteKeys()
    private var position = 0

    private init(_ encoding: FavoritesEncoding) {
        decoded = DecodedFavorites(encoding: encoding)
    }

    /// A list of items: strings as they are, integers as decimal text, nothing else.
    static func read(_ items: [LegacyValue], as encoding: FavoritesEncoding) -> DecodedFavorites {
        var list = FavoritesList(encoding)
        for item in items {
            switch item {
            case .string(let key): list.take(key)
            case .integer(let number): list.take(String(number), coercedFrom: "integer", isInteger: true)
            case .bigInteger(let digits): list.take(digits, coercedFrom: "integer", isInteger: true)
            default: list.reject("\(item.typeName) in the list")
            }
        }
        return list.decoded
    }

    /// Keys that are favourites, with `true`, `false` or the date of marking.
    ///
    /// 1 and 0 stand for booleans and ISO 8601 text for a date where the file's format has neither; that is a coercion.
    static func read(_ pairs: [LegacyPair], as encoding: FavoritesEncoding) -> DecodedFavorites {
        var list = FavoritesList(encoding)
        for pair in pairs {
            switch pair.value {
            case .bool(true): list.take(pair.key)
            case .bool(false), .integer(0): list.pass()
            case .integer(1): list.take(pair.key, coercedFrom: "integer")
            case .date(let date): list.take(pair.key, date: date)
            case .string(let text):
                guard let date = Instant(iso8601: text) else {
                    list.reject("string that is no date, as the value of a favourite")
                    continue
                }
                list.take(pair.key, date: date, coercedFrom: "string")
            default: list.reject("\(pair.value.typeName) as the value of a favourite")
            }
        }
        return list.decoded
    }

    /// Fields of CSV, row by row.
    static func read(_ fields: [CSVText.Field]) -> DecodedFavorites {
        var list = FavoritesList(.csv)
        for field in fields {
            list.take(field.text, coercedFrom: field.wasTrimmed ? "text with spaces around it" : nil)
        }
        return list.decoded
    }

    private mutating func take(
        _ key: String, date: Instant? = nil, coercedFrom: String? = nil, isInteger: Bool = false
    ) {
        guard !key.isEmpty else { return reject("empty text") }
        position += 1
        guard seen.insert(key) else {
            decoded.duplicates += 1
            return
        }
        decoded.favorites.append(
            LegacyFavorite(key: key, date: date, coercedFrom: coercedFrom, isInteger: isInteger))
    }

    /// An entry that says it is no favourite.
    private mutating func pass() {
        position += 1
        decoded.notFavorites += 1
    }

    private mutating func reject(_ reason: String) {
        decoded.rejected.append(RejectedFavorite(position: position, reason: reason))
        position += 1
    }
}
