/// The distance between recorded points of a document, and their maximum number.
package struct NoteSpacing: Sendable, Equatable {
    /// Bytes between the first points, before packing; in a packed document whole blocks.
    package let unit: Int64
    /// Maximum number of points; each keeps up to 32 KiB in memory until the document is proven.
    package let limit: Int

    package init(unit: Int64 = 4 << 20, limit: Int = 64) { (self.unit, self.limit) = (unit, limit) }
}

/// Values at numbered points, at most a given number of them.
///
/// Invariant: the numbers are multiples of a step that doubles when there are too many. So the kept numbers depend only
/// on the last one, and two lists of the same points match.
package struct SparseNotes<Note> {
    package private(set) var notes: [(number: Int64, note: Note)] = []
    private let limit: Int
    private var step: Int64 = 1

    package init(limit: Int) { self.limit = max(limit, 1) }

    /// Adds a value at a point, whose number must be larger than all before.
    package mutating func add(_ number: Int64, _ note: @autoclosure () -> Note) {
        guard number % step == 0 else { return }
        notes.append((number, note()))
        while notes.count > limit {
            step *= 2
            notes.removeAll { $0.number % step != 0 }
        }
    }

    package mutating func removeAll() { self = SparseNotes(limit: limit) }

    package subscript(number: Int64) -> Note? { notes.first { $0.number == number }?.note }
}

extension SparseNotes: Sendable where Note: Sendable {}
