internal import GodwitModel

/// The favorites of all lists together: each key of an entity once, in the order of the lists.
struct AcceptedFavorites {
    struct Favorite {
        let entity: Entity
        let column: String
        let key: Value
        var date: Instant
    }

    private(set) var favorites: [Favorite] = []
    private var indices: [String: [Value: Int]] = [:]

    /// Adds a favorite; false if its key is already there.
    ///
    /// Of two dates, the one stays that would win between two records: the earlier with `keepEarliest`, otherwise the
    /// later.
    mutating func take(_ key: Value, into entity: Entity, _ column: String, date: Instant) -> Bool {
        if let index = indices[entity.name]?[key] {
            let known = favorites[index].date
            favorites[index].date = entity.conflict == .keepEarliest ? min(known, date) : max(known, date)
            return false
        }
        indices[entity.name, default: [:]][key] = favorites.count
        favorites.append(Favorite(entity: entity, column: column, key: key, date: date))
        return true
    }
}
