import Godwit
import Testing

/// How much SQLite may take: it must be the first to get no memory, since only SQLite can say so.
struct SQLiteMemoryTests {
    @Test(
        "a process with a bound of its own keeps a part of it from SQLite; one without lets it have a GiB",
        arguments: [
            (-1, 1 << 30), (4 << 30, 1 << 30), (1 << 30, (1 << 30) - (64 << 20)), (400 << 20, 336 << 20),
            (128 << 20, 64 << 20), (100 << 20, 50 << 20), (0, 0),
        ] as [(Int64, Int64)])
    func bound(left: Int64, expected: Int64) {
        #expect(SQLiteMemory.bound(whenLeft: left) == expected)
    }
}
