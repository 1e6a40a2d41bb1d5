internal import GodwitModel

/// The favourites that all lists together bring: each key of an entity once, in the order they were met.
struct AcceptedFavorites {
    /// One record in the making.
    struct Favorite {
        let entity: Entity
        let column: String
        let key: Value
        var date: Instant
    }

    private(set) var favorites: [Favorite] = []
    private var places: [String: [Value: Int]] = [:]

    /// Takes a favourite; false where its key is there already.
    ///
    /// Of two dates the one stays that would win between two records: the earlier under `keepEarliest`, else the later.
    mutating func take(_ key: Value, into entity: Entity, _ column: String, date: Instant) -> Bool {
        if let place = places[entity.name]?[key] {
            let known = favorites[place].date
            favorites[place].date = entity.conflict == .keepEarliest ? min(known, date) : max(known, date)
            return false
        }
        places[entity.name, default: [:]][key] = favorites.count
        favorites.append(Favorite(entity: entity, column: column, key: key, date: date))
        return true
    }
}
