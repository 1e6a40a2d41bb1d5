import GodwitSQLite
import Testing

/// SQLite's memory limit applies to the process, so these tests only set limits that no test reaches.
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
