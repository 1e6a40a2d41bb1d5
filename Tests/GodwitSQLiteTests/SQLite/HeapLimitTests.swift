import GodwitSQLite
import Testing

/// The bound on SQLite's memory is the process's: these tests only ever set one that no test comes near.
struct HeapLimitTests {
    @Test("a bound can be set, and made smaller, and not larger again")
    func onlySmaller() {
        SQLiteHardening.limitHeap(toBytes: 2 << 30)
        #expect((1...(2 << 30)).contains(SQLiteHardening.heapLimit))
        SQLiteHardening.limitHeap(toBytes: 1 << 30)
        #expect(SQLiteHardening.heapLimit == 1 << 30)
        SQLiteHardening.limitHeap(toBytes: 2 << 30)
        #expect(SQLiteHardening.heapLimit == 1 << 30)
    }
}
