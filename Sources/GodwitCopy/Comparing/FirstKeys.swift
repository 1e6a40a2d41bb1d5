internal import GodwitModel

/// The first keys of many, in order, and no more of them than a report names.
struct FirstKeys: Sendable {
    /// How many are kept.
    static let limit = 20

    private var keys: [Value] = []

    var readable: [String] { keys.map(\.readable) }

    /// Keeps a key if it comes before one that is kept, or there is room.
    mutating func note(_ key: Value) {
        if keys.count == Self.limit, let last = keys.last, !(key < last) { return }
        keys.insert(key, at: keys.firstIndex { key < $0 } ?? keys.endIndex)
        if keys.count > Self.limit { keys.removeLast() }
    }

    /// Keeps what others kept, as if all had been noted here.
    mutating func note(_ other: FirstKeys) { other.keys.forEach { note($0) } }
}
