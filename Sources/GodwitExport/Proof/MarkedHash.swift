internal import Crypto

/// SHA-256 of a text that comes in pieces, and its states on the way: from each of them on the text can be hashed again
/// without what came before.
struct MarkedHash {
    private var hash = SHA256()
    private let unit: Int64
    /// Bytes before the next one, counted from where blocks of a packed document begin.
    private var place: Int64 = 0
    /// The state at each multiple of the unit, by how many units came before.
    private(set) var states: SparseNotes<SHA256>

    init(_ spacing: NoteSpacing) {
        unit = spacing.unit
        states = SparseNotes(limit: spacing.limit)
    }

    /// Says how many bytes came before the text.
    mutating func begin(at place: Int64) { self.place = place }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes
        while !rest.isEmpty {
            let count = Int(min(unit - place % unit, Int64(rest.count)))
            hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: rest[..<count]))
            place += Int64(count)
            if place % unit == 0 { states.add(place / unit, hash) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// The hash of all that came.
    var digest: SHA256Digest { hash.finalize() }
}
