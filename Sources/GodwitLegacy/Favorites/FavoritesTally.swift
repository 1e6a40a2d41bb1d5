internal import GodwitModel

/// Counts what happened to the items of one list of favorites.
///
/// Invariant: each item is counted once, so that the sum is the number of items.
struct FavoritesTally {
    private let list: DecodedFavorites
    private var refused: [String] = []
    private var migrated = 0
    private var coerced = 0
    /// Storage classes of converted items, in the order of the list.
    private var classes: [String] = []
    /// Items whose key the entity already has.
    var present = 0
    /// Items that are equal to an earlier one when stored, in this list or another.
    var repeated = 0
    /// Items that were not added because the entity has records.
    var notTaken = 0

    init(_ list: DecodedFavorites) {
        self.list = list
    }

    /// Counts an item that its column cannot hold.
    mutating func refuse(_ reason: String) { refused.append(reason) }

    /// Counts an item that became a record; with the storage class if it was converted.
    mutating func insert(_ coercedInto: String?) {
        guard let coercedInto else {
            migrated += 1
            return
        }
        coerced += 1
        if !classes.contains(coercedInto) { classes.append(coercedInto) }
    }

    private var rejectedCount: Int { list.rejected.count + refused.count }

    /// The outcome of the key: the worst outcome of its items.
    var bucket: RunReport.Legacy.KeyOutcome {
        if let first = list.rejected.first { return first.bucket }
        if !refused.isEmpty { return .unsupported }
        if migrated + coerced + repeated == 0, present > 0 { return .alreadyPresent }
        return coerced > 0 ? .coerced : .migrated
    }

    /// Number of items by outcome; the sum is the number of items.
    var items: [String: Int] {
        let all = [
            "migrated": migrated, "coerced": coerced, "alreadyPresent": present,
            "duplicate": list.duplicates + repeated, "notFavorite": list.notFavorites, "rejected": rejectedCount,
            "notTaken": notTaken,
        ]
        return all.filter { $0.value > 0 }
    }

    /// The note for the key list; nil if all items are unchanged.
    var note: String? {
        var notes: [String] = []
        if let reason = list.rejected.first?.reason ?? refused.first {
            notes.append("\(share(rejectedCount)) not taken: \(reason)")
        }
        if coerced > 0 { notes.append("\(share(coerced)) stored as \(classes.joined(separator: " or "))") }
        if repeated > 0 { notes.append("\(share(repeated)) equal to an earlier one as stored") }
        return notes.isEmpty ? nil : notes.joined(separator: "; ")
    }

    /// The number of items that the entity does not get, because it accepts no more.
    var notTakenNote: String {
        "\(notTaken.grouped) of \(list.favorites.count.grouped) \(notTaken == 1 ? "is" : "are") not among them (mode: merge adds "
            + (notTaken == 1 ? "it)" : "them)")
    }

    private func share(_ count: Int) -> String { "\(count.grouped) of \(list.itemCount.counted("item"))" }
}
