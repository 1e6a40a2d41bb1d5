internal import GodwitModel
internal import GodwitPropertyList

/// The contents of a favorites value with their encoding, before they are read as favorites.
struct FavoritesContent {
    enum Content {
        case items([LegacyValue])
        case pairs([LegacyPair])
        case lines([[CSVText.Field]])
    }

    let encoding: FavoritesEncoding
    let content: Content

    init(_ encoding: FavoritesEncoding, _ content: Content) {
        (self.encoding, self.content) = (encoding, content)
    }
}

/// Sorts items into the four properties of `DecodedFavorites`.
struct FavoritesList {
    private let dates: FavoriteDates?
    private var decoded: DecodedFavorites
    private var seen = ByteKeys()
    private var position = 0

    private init(_ encoding: FavoritesEncoding, _ dates: FavoriteDates?) {
        self.dates = dates
        decoded = DecodedFavorites(encoding: encoding)
    }

    /// Reads a list, a dictionary, or lines of CSV; a list that alternates between keys and values is a dictionary.
    static func read(
        _ content: FavoritesContent, dates: FavoriteDates? = nil
    ) throws(LegacyContentError) -> DecodedFavorites {
        var list = FavoritesList(content.encoding, dates)
        switch content.content {
        case .items(let items):
            if let pairs = try AlternatingPairs.pairs(in: items) {
                for pair in pairs { list.take(pair) }
            } else {
                for item in items { list.take(item) }
            }
        case .pairs(let pairs):
            for pair in pairs { list.take(AlternatingPairs.Pair(key: .string(pair.key), value: pair.value)) }
        case .lines(let lines):
            let table = try CSVTable(lines)
            if table.hasHeader { list.pass() }
            if let pairs = table.pairs {
                for pair in pairs { list.take(pair) }
            } else {
                for field in table.fields {
                    list.take(field.text, coercedFrom: field.wasTrimmed ? "text with spaces around it" : nil)
                }
            }
        }
        return list.decoded
    }

    /// Adds an item of a list: strings unchanged, integers as decimal text, no other types.
    private mutating func take(_ item: LegacyValue) {
        if case .unheld(let unheld) = item { return reject(unheld.reason) }
        guard let key = item.favoriteKey else { return reject("\(item.typeName) in the list") }
        take(key.text, coercedFrom: key.isInteger ? "integer" : nil, isInteger: key.isInteger)
    }

    /// Adds a key with `true`, `false` or the date of marking.
    ///
    /// 1, 0 and text count as booleans, ISO 8601 text and numbers as dates, if the file's format has neither; both are
    /// conversions.
    private mutating func take(_ pair: AlternatingPairs.Pair) {
        guard let key = pair.key.favoriteKey else { return reject("\(pair.key.typeName) in the list") }
        let source = key.isInteger ? "integer" : nil
        switch pair.value {
        case .bool(true): take(key.text, coercedFrom: source, isInteger: key.isInteger)
        case .bool(false): pass()
        case .date(let date): take(key.text, date: date, coercedFrom: source, isInteger: key.isInteger)
        case .string(let text):
            if let date = Instant(iso8601: text) {
                take(key.text, date: date, coercedFrom: "string", isInteger: key.isInteger)
            } else if let truth = pair.value.truth {
                truth ? take(key.text, coercedFrom: "string", isInteger: key.isInteger) : pass()
            } else {
                reject("string that is not a date, as the value of a favorite")
            }
        default:
            if dates == nil, let truth = pair.value.truth {
                truth ? take(key.text, coercedFrom: pair.value.typeName, isInteger: key.isInteger) : pass()
            } else if let date = date(pair.value) {
                take(key.text, date: date, coercedFrom: pair.value.typeName, isInteger: key.isInteger)
            } else {
                reject("\(pair.value.typeName) as the value of a favorite")
            }
        }
    }

    /// The date of a number.
    ///
    /// If the manifest sets no unit, a number counts seconds since 2001, as Swift's `JSONEncoder` writes dates, if it
    /// is after 2004 and as Unix seconds before 2001. Other numbers may be counts, ranks or other dates.
    private func date(_ value: LegacyValue) -> Instant? {
        let number: Value
        switch value {
        case .integer(let integer): number = .integer(integer)
        case .real(let real): number = .real(real)
        default: return nil
        }
        if let dates { return dates.instant(of: number) }
        guard value.isReferenceDate else { return nil }
        return FavoriteDates.referenceDate.instant(of: number)
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

    /// Counts an entry that is not a favorite.
    private mutating func pass() {
        position += 1
        decoded.notFavorites += 1
    }

    private mutating func reject(_ reason: String) {
        decoded.rejected.append(RejectedFavorite(position: position, reason: reason))
        position += 1
    }
}

extension LegacyValue {
    /// The text of a favorite's key, and whether it was an integer; nil for other types.
    var favoriteKey: (text: String, isInteger: Bool)? {
        switch self {
        case .string(let text): (text, false)
        case .integer(let number): (String(number), true)
        case .bigInteger(let digits): (digits, true)
        default: nil
        }
    }
}
