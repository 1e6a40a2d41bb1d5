import GodwitSQLite
import Testing

/// The bound on SQLite's memory is the process's: these tests only ever set one that no test comes near.
struct HeapLimitTests {
    @Test("a memory limit can be set and lowered, and not raised again")
    func onlySmaller() {
        SQLiteHardening.limitHeap(toBytes: 2 << 30)
        #expect((1...(2 << 30)).contains(SQLiteHardening.heapLimit))
        SQLiteHardening.limitHeap(toBytes: 1 << 30)
        #expect(SQLiteHardening.heapLimit == 1 << 30)
        SQLiteHardening.limitHeap(toBytes: 2 << 30)
        #expect(SQLiteHardening.heapLimit == 1 << 30)
    }
}
