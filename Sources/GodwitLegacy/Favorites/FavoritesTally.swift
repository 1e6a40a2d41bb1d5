internal import GodwitModel

/// What became of the items of one favourites list.
///
/// Invariant: each item is counted once, so that the sum is the number of items.
struct FavoritesTally {
    private let list: DecodedFavorites
    private var refused: [String] = []
    private var migrated = 0
    private var coerced = 0
    /// Storage classes that items were coerced into, in the order they were met.
    private var classes: [String] = []
    /// Items whose key the entity has already.
    var present = 0
    /// Items that became equal to an earlier one, of this list or another, as they are stored.
    var repeated = 0
    /// Items that were left because the entity has records.
    var notTaken = 0

    init(_ list: DecodedFavorites) {
        self.list = list
    }

    /// Counts an item that its column can't hold.
    mutating func refuse(_ reason: String) { refused.append(reason) }

    /// Counts an item that became a record; with the storage class where it was coerced.
    mutating func insert(_ coercedInto: String?) {
        guard let coercedInto else {
            migrated += 1
            return
        }
        coerced += 1
        if !classes.contains(coercedInto) { classes.append(coercedInto) }
    }

    private var rejectedCount: Int { list.rejected.count + refused.count }

    /// The line's bucket: that of the worst that happened to an item.
    var bucket: KeyOutcome {
        if let first = list.rejected.first { return first.bucket }
        if !refused.isEmpty { return .unsupported }
        if migrated + coerced + repeated == 0, present > 0 { return .alreadyPresent }
        return coerced > 0 ? .coerced : .migrated
    }

    /// How many items ended where; the sum is the number of items.
    var items: [String: Int] {
        let all = [
            "migrated": migrated, "coerced": coerced, "alreadyPresent": present,
            "duplicate": list.duplicates + repeated, "notFavorite": list.notFavorites, "rejected": rejectedCount,
            "notTaken": notTaken,
        ]
        return all.filter { $0.value > 0 }
    }

    /// What a person should know; nil where all went as it was.
    var note: String? {
        var notes: [String] = []
        if let reason = list.rejected.first?.reason ?? refused.first {
            notes.append("\(share(rejectedCount)) not taken: \(reason)")
        }
        if coerced > 0 { notes.append("\(share(coerced)) stored as \(classes.joined(separator: " or "))") }
        if repeated > 0 { notes.append("\(share(repeated)) equal to an earlier one as stored") }
        return notes.isEmpty ? nil : notes.joined(separator: "; ")
    }

    /// How much the entity lacks, where it takes no others.
    var notTakenNote: String {
        "\(notTaken.grouped) of \(list.favorites.count.grouped) \(notTaken == 1 ? "is" : "are") not among them (mode: merge adds "
            + (notTaken == 1 ? "it)" : "them)")
    }

    private func share(_ count: Int) -> String { "\(count.grouped) of \(list.itemCount.counted("item"))" }
}
