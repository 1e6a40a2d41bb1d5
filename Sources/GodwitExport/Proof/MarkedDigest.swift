/// The digest of the written records, with intermediate states: from each state the text can be compared without the
/// text before it.
struct MarkedDigest {
    /// Before the first byte.
    private(set) var beginning = TextDigest(at: 0)
    private var digest = TextDigest(at: 0)
    private let unit: Int64
    /// Bytes before the next one, counted from where blocks of a packed document begin.
    private var place: Int64 = 0
    /// The state at each multiple of the unit, by how many units came before.
    private(set) var states: SparseNotes<TextDigest>

    /// - Parameter spacing: its unit whole blocks of the digest.
    init(_ spacing: NoteSpacing) {
        unit = spacing.unit
        states = SparseNotes(limit: spacing.limit)
    }

    /// Says how many bytes came before the text.
    mutating func begin(at place: Int64) {
        self.place = place
        beginning = TextDigest(at: place)
        digest = beginning
    }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes
        while !rest.isEmpty {
            let count = Int(min(unit - place % unit, Int64(rest.count)))
            digest.update(UnsafeRawBufferPointer(rebasing: rest[..<count]))
            place += Int64(count)
            if place % unit == 0 { states.add(place / unit, digest) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// Of all that came.
    var value: TextDigest.Value { digest.value }
}
