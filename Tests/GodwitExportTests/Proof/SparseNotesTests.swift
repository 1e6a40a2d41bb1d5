import GodwitExport
import Testing

/// Notes at offsets, up to a maximum number.
struct SparseNotesTests {
    private static func numbers(upTo last: Int64, limit: Int) -> [Int64] {
        var notes = SparseNotes<Int64>(limit: limit)
        if last > 0 { for number in 1...last { notes.add(number, -number) } }
        #expect(notes.notes.allSatisfy { $0.note == -$0.number && notes[$0.number] == $0.note })
        return notes.notes.map(\.number)
    }

    @Test("all notes are kept while there is room")
    func all() {
        #expect(Self.numbers(upTo: 0, limit: 4) == [])
        #expect(Self.numbers(upTo: 4, limit: 4) == [1, 2, 3, 4])
    }

    @Test("every second note is then removed, repeatedly over the whole range")
    func thinned() {
        #expect(Self.numbers(upTo: 5, limit: 4) == [2, 4])
        #expect(Self.numbers(upTo: 9, limit: 4) == [2, 4, 6, 8])
        #expect(Self.numbers(upTo: 10, limit: 4) == [4, 8])
        #expect(Self.numbers(upTo: 100, limit: 4) == [32, 64, 96])
    }

    @Test("notes have equal distances and fill at least a third of the limit, for any last number", arguments: 1...300)
    func spread(last: Int) {
        for limit in [1, 2, 3, 64] {
            let numbers = Self.numbers(upTo: Int64(last), limit: limit)
            #expect(numbers.count <= limit)
            #expect(numbers.count >= min(last, limit) / 3)
            let steps = Set(zip(numbers.dropFirst(), numbers).map { $0 - $1 })
            #expect(steps.count <= 1)
            #expect(numbers.first == nil || steps.isEmpty || steps == [numbers[0]])
        }
    }

    @Test("a number without a note gives nothing, and notes can start again")
    func beginsAgain() {
        var notes = SparseNotes<String>(limit: 1)
        for number in 1...3 { notes.add(Int64(number), "\(number)") }
        #expect(notes[1] == nil && notes[3] == nil && notes[2] == "2")
        notes.removeAll()
        notes.add(1, "again")
        #expect(notes[1] == "again")
    }
}
