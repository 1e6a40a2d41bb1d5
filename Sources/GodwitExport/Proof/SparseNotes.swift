/// How far apart places of a document are noted, and how many at most.
package struct NoteSpacing: Sendable, Equatable {
    /// Bytes between the first of them, before anything is packed; for a packed document whole blocks.
    package let unit: Int64
    /// The most that are kept: what stands beside each, 32 KiB at the most, is in memory until the document is proven.
    package let limit: Int

    package init(unit: Int64 = 4 << 20, limit: Int = 64) { (self.unit, self.limit) = (unit, limit) }
}

/// What was noted at numbered places, never more than a given number of them.
///
/// Invariant: numbers are multiples of a step that doubles when there are too many. So which of them are kept depends on the
/// last number alone, and two lists of the same places go together.
package struct SparseNotes<Note> {
    package private(set) var notes: [(number: Int64, note: Note)] = []
    private let limit: Int
    private var step: Int64 = 1

    package init(limit: Int) { self.limit = max(limit, 1) }

    /// Notes something at a place, whose number is larger than those before.
    package mutating func add(_ number: Int64, _ note: @autoclosure () -> Note) {
        guard number % step == 0 else { return }
        notes.append((number, note()))
        while notes.count > limit {
            step *= 2
            notes.removeAll { $0.number % step != 0 }
        }
    }

    package mutating func removeAll() { self = SparseNotes(limit: limit) }

    /// What was noted at a place.
    package subscript(number: Int64) -> Note? { notes.first { $0.number == number }?.note }
}

extension SparseNotes: Sendable where Note: Sendable {}
