internal import GodwitSQLite
internal import CSystemShim

/// The bound on what SQLite may take of the process's memory.
package enum SQLiteMemory {
    /// The most: what the largest value that is read takes.
    private static let most: Int64 = 1 << 30
    /// What is left to all others where the process has a bound, of its addresses: threads' stacks, and what each of
    /// them allocates.
    private static let leftToOthers: Int64 = 64 << 20

    /// Sets the bound for the whole process: a store that asks for more is refused (65) instead of the process being
    /// killed for it.
    ///
    /// For a command that is a process of its own; an app that uses the library has memory and limits of its own.
    /// <https://sqlite.org/c3ref/hard_heap_limit64.html>
    package static func limitForProcess() {
        let left = godwit_addresses_left()
        if left >= 0 { godwit_share_one_heap() }
        SQLiteHardening.limitHeap(toBytes: bound(whenLeft: left))
    }

    /// The bound of a process that may take so many more bytes of addresses; negative for any.
    ///
    /// SQLite says so where it gets no memory, and goes on; the language's own objects end the process. So SQLite must be
    /// the first to get none.
    package static func bound(whenLeft left: Int64) -> Int64 {
        left < 0 ? most : min(most, max(left / 2, left - leftToOthers))
    }
}
